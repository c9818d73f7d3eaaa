import { describe, expect, it } from 'vitest';
import { stateUrlField, toSharedState } from '../../src/config/replica-database-section.ts';

const messageOf = (text: string): string | undefined => stateUrlField.safeParse(text).error?.issues[0]?.message;

describe('state_url', () => {
  it('has one or several hosts, of which the port may be missing', () => {
    expect(stateUrlField.parse('postgres://warden@db1:6432,[::1],db3/state')).toEqual({
      hosts: [
        { host: 'db1', port: 6432 },
        { host: '::1', port: 5432 },
        { host: 'db3', port: 5432 },
      ],
      user: 'warden',
      database: 'state',
    });
    expect(stateUrlField.parse('postgresql://w%40x@db/a%20b')).toMatchObject({ user: 'w@x', database: 'a b' });
  });

  it('must not contain a password, which is never repeated', () => {
    const message = messageOf('postgres://warden:hunter2@db1/state');
    expect(message).toBe('must not contain a password: use state_password_file');
  });

  it.each([
    'mysql://a@b/c',
    'postgres://db1/state',
    'postgres://warden@/state',
    'postgres://warden@db1',
    'postgres://w@db:0/s',
    'postgres://w@db:70000/s',
    'postgres://w@a,,b/s',
    'postgres://%zz@db/s',
  ])('refuses %s', (text) => {
    expect(messageOf(text)).toMatch(/^must be postgres:\/\/user@host:port\/database/);
  });

  it('refuses parameters, and more hosts than an installation has', () => {
    expect(messageOf('postgres://w@db/s?sslmode=require')).toBe('must not contain parameters: use state_tls for TLS');
    expect(messageOf(`postgres://w@${'db,'.repeat(8)}db/s`)).toBe('must not name more than 8 hosts');
  });

  it('has no settings without an address', () => {
    expect(toSharedState({})).toBeUndefined();
    const url = stateUrlField.parse('postgres://warden@db1/state');
    expect(toSharedState({ state_url: url, state_password_file: 'secret' })).toEqual({
      ...url,
      passwordFile: 'secret',
    });
  });
});
