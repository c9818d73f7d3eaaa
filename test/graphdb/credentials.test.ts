import { describe, expect, it } from 'vitest';
import type { RequestToken } from '../../src/graphdb/access-tokens.ts';
import { createCredentials } from '../../src/graphdb/credentials.ts';
import { failure } from '../../src/kernel/failure.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { Secret } from '../../src/kernel/secret.ts';
import type { AuthSettings } from '../../src/model/settings.ts';
import { factsOf, failureOf, neverAborted } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';
import { FakeFiles } from '../support/fake-files.ts';

const never: RequestToken = async () => {
  throw new Error('no call needs a token here');
};

const giving: RequestToken = async () => ok({ error: false, token: 't1', expiration: 1900000000 });

function credentialsOf(settings: AuthSettings, files = new FakeFiles()): ReturnType<typeof createCredentials> {
  return createCredentials(settings, files, new FakeClock());
}

const secret: AuthSettings = { kind: 'secret', secret: { value: new Secret('s3cret') } };

describe('an authorization', () => {
  it('without credentials is empty, and is unchanged after a refusal', async () => {
    const credentials = credentialsOf({ kind: 'none' });
    const ticket = factsOf(await credentials.authorize('restpp', never, neverAborted()));
    expect(ticket).toEqual({});
    expect(await credentials.onRejected(ticket, 'echo')).toBe(false);
    expect(credentials.expiresAt()).toBeUndefined();
  });

  it.each([
    ['bearer', { kind: 'bearer', token: { value: new Secret('t') } }, 'Bearer t'],
    ['basic', { kind: 'basic', username: 'user', password: { value: new Secret('p:w') } }, `Basic ${btoa('user:p:w')}`],
  ] as const)('of %s is the same for both servers', async (_kind, settings, expected) => {
    const credentials = credentialsOf(settings);
    for (const server of ['restpp', 'gsql'] as const) {
      const { authorization } = factsOf(await credentials.authorize(server, never, neverAborted()));
      expect(authorization?.reveal()).toBe(expected);
    }
  });

  it('of a secret is a token for the data plane and the secret for the GSQL server', async () => {
    const credentials = credentialsOf(secret);
    const restpp = factsOf(await credentials.authorize('restpp', giving, neverAborted()));
    const gsql = factsOf(await credentials.authorize('gsql', never, neverAborted()));
    expect([restpp.authorization?.reveal(), gsql.authorization?.reveal()]).toEqual(['Bearer t1', 'GSQL-Secret s3cret']);
    expect(credentials.expiresAt()).toBe(1900000000);
    expect(await credentials.onRejected(gsql, 'schemaGraphs')).toBe(false);
    expect(await credentials.onRejected(restpp, 'echo')).toBe(true);
    expect(credentials.expiresAt()).toBeUndefined();
  });

  it('of a secret is empty if the data plane requires no token', async () => {
    const off = err(failure('unsupported', 'missing', { code: 'REST-1000' }));
    const credentials = credentialsOf(secret);
    expect(factsOf(await credentials.authorize('restpp', async () => off, neverAborted()))).toEqual({});
  });

  it('has the expiration time of a bearer token that is a JWT', async () => {
    const claims = Buffer.from('{"exp":1900000000}').toString('base64url');
    const credentials = credentialsOf({ kind: 'bearer', token: { value: new Secret(`h.${claims}.s`) } });
    await credentials.authorize('restpp', never, neverAborted());
    expect(credentials.expiresAt()).toBe(1900000000);
  });

  it.each(['canary\r\nx: y', 'Bearer canary', 'canary\u0000', 'canary ä', 'canary\u007f'])(
    'is refused if %j is invalid in a header',
    async (text) => {
      const credentials = credentialsOf({ kind: 'bearer', token: { value: new Secret(text) } });
      const error = failureOf(await credentials.authorize('restpp', never, neverAborted()));
      expect(error.reason).toBe('auth');
      expect(error.message).not.toContain('canary');
    },
  );

  it('of basic has any length and any character in it', async () => {
    const password = `ä€${'x'.repeat(300_000)}`;
    const credentials = credentialsOf({ kind: 'basic', username: 'u', password: { value: new Secret(password) } });
    const { authorization } = factsOf(await credentials.authorize('restpp', never, neverAborted()));
    expect(authorization?.reveal()).toBe(`Basic ${Buffer.from(`u:${password}`).toString('base64')}`);
  });

  it('is not shown when it is printed', async () => {
    const credentials = credentialsOf({ kind: 'bearer', token: { value: new Secret('canary') } });
    expect(JSON.stringify(await credentials.authorize('restpp', never, neverAborted()))).not.toContain('canary');
  });

  it.each(['bearer', 'basic', 'secret'] as const)(
    'of %s from a missing file fails with the reason auth',
    async (kind) => {
      const file = { file: '/missing' };
      const settings = { kind, token: file, password: file, secret: file, username: 'u' };
      const credentials = credentialsOf(settings);
      for (const server of ['restpp', 'gsql'] as const) {
        expect(failureOf(await credentials.authorize(server, never, neverAborted())).reason).toBe('auth');
      }
    },
  );

  it('of a changed file is retried', async () => {
    const files = new FakeFiles({ '/s': 'one' });
    const credentials = credentialsOf({ kind: 'secret', secret: { file: '/s' } }, files);
    const ticket = factsOf(await credentials.authorize('gsql', never, neverAborted()));
    files.writeUnnoticed('/s', 'two');
    expect(await credentials.onRejected(ticket, 'echo')).toBe(true);
    const next = factsOf(await credentials.authorize('gsql', never, neverAborted()));
    expect(next.authorization?.reveal()).toBe('GSQL-Secret two');
  });
});

describe('current credentials', () => {
  it.each([
    [{ kind: 'none' }, undefined],
    [{ kind: 'bearer', token: { value: new Secret('t') } }, 'Bearer t'],
    [{ kind: 'basic', username: 'user', password: { value: new Secret('p') } }, `Basic ${btoa('user:p')}`],
  ] as const)('of $kind are constant', async (settings, expected) => {
    expect(factsOf(await credentialsOf(settings).cached()).authorization?.reveal()).toBe(expected);
  });

  it('of a secret is its exchanged token, and undefined before', async () => {
    const credentials = credentialsOf(secret);
    expect(failureOf(await credentials.cached()).reason).toBe('auth');
    await credentials.authorize('restpp', giving, neverAborted());
    expect(factsOf(await credentials.cached()).authorization?.reveal()).toBe('Bearer t1');
  });

  it('of an unreadable file are undefined', async () => {
    const credentials = credentialsOf({ kind: 'bearer', token: { file: '/gone' } });
    expect(failureOf(await credentials.cached()).reason).toBe('auth');
  });
});
