import { describe, expect, it } from 'vitest';
import { ConnectionLost, describeError, kindOfError } from '../../../src/runtime/postgres/errors.ts';

const target = { user: 'warden', database: 'state', hosts: 'db1:5432' };

function failed(code: string, message = 'failed'): Error {
  return Object.assign(new Error(message), { code });
}

describe('errors of PostgreSQL', () => {
  it.each([
    ['40001', 'repeat'],
    ['40P01', 'repeat'],
    ['55P03', 'repeat'],
    ['57014', 'repeat'],
    ['25006', 'connection'],
    ['25P03', 'connection'],
    ['57P01', 'connection'],
    ['08006', 'connection'],
    ['53300', 'connection'],
    ['28P01', 'connection'],
    ['ECONNRESET', 'connection'],
    ['23505', 'refused'],
    ['42501', 'refused'],
    ['42P01', 'refused'],
  ])('%s is of the kind %s', (code, kind) => {
    expect(kindOfError(failed(code))).toBe(kind);
  });

  it('treats an error without a code as a connection error, and a bug of the caller as a refusal', () => {
    expect(kindOfError(new ConnectionLost('lost'))).toBe('connection');
    expect(kindOfError(new Error('Connection terminated unexpectedly'))).toBe('connection');
    expect(kindOfError(new TypeError('unknown table'))).toBe('refused');
  });

  it.each([
    ['28P01', "PostgreSQL refuses the user 'warden': check the user in state_url, state_password_file and pg_hba.conf"],
    ['3D000', `there is no database 'state': create it with CREATE DATABASE "state" OWNER "warden"`],
    ['25006', 'db1:5432 accepts no writes: name the primary, or all hosts of the installation, in state_url'],
    ['ECONNREFUSED', 'PostgreSQL at db1:5432 cannot be reached (ECONNREFUSED)'],
    [
      'CERT_HAS_EXPIRED',
      'PostgreSQL at db1:5432 cannot be used with TLS: the certificate of the server, or of its authority, has expired',
    ],
    ['23505', 'failed'],
  ])('describes %s with a remedy', (code, sentence) => {
    expect(describeError(failed(code), target)).toBe(sentence);
  });

  it('uses the first address of a host with several, and only the first line of a message', () => {
    const error = new AggregateError([failed('ECONNREFUSED'), failed('ECONNREFUSED')]);
    expect(describeError(error, target)).toBe('PostgreSQL at db1:5432 cannot be reached (ECONNREFUSED)');
    expect(describeError(new Error('first\nsecond'), target)).toBe('first');
  });
});
