import { describe, expect, it } from 'vitest';
import { cipherSuites, curves, webConfigSchema } from '../../src/config/web-config-schema.ts';

const pair = { cert_file: 'c', key_file: 'k' };

function tls(given: object) {
  const parsed = webConfigSchema.safeParse({ tls_server_config: { ...pair, ...given } });
  return parsed.success ? parsed.data.tls : parsed.error.issues.map(({ path, message }) => [path.at(-1), message]);
}

describe('tls_server_config', () => {
  it.each([...cipherSuites])('accepts the cipher %s', (name, word) => {
    expect(tls({ cipher_suites: [name] })).toMatchObject({ ciphers: [word] });
  });

  it.each([...curves])('accepts the curve %s', (name, word) => {
    expect(tls({ curve_preferences: [name] })).toMatchObject({ curves: [word] });
  });

  it.each([
    ['TLS10', 'TLSv1'],
    ['TLS11', 'TLSv1.1'],
    ['TLS12', 'TLSv1.2'],
    ['TLS13', 'TLSv1.3'],
  ])('accepts the version %s', (name, word) => {
    expect(tls({ min_version: name })).toMatchObject({ minVersion: word, maxVersion: 'TLSv1.3' });
  });

  it.each([
    [{ client_ca: 'x' }, [['client_auth_type', 'is required with client_ca or client_ca_file']]],
    [{ client_allowed_sans: ['x'] }, [['client_auth_type', 'is required with client_allowed_sans']]],
    [{ min_version: 'TLS13', max_version: 'TLS12' }, [['min_version', 'is higher than max_version']]],
    [{ cert: 'x' }, [['cert', 'is mutually exclusive with cert_file; remove one of them']]],
    [
      { cert: 'x', key: 'x', client_ca: 'x', client_ca_file: 'x', client_auth_type: 'RequestClientCert' },
      [
        ['cert', 'is mutually exclusive with cert_file; remove one of them'],
        ['key', 'is mutually exclusive with key_file; remove one of them'],
        ['client_ca', 'is mutually exclusive with client_ca_file; remove one of them'],
      ],
    ],
  ])('refuses %j', (given, complaints) => {
    expect(tls(given)).toEqual(complaints);
  });

  it('may request certificates without its own authorities', () => {
    expect(tls({ client_auth_type: 'RequireAndVerifyClientCert' })).toMatchObject({
      clientAuth: 'RequireAndVerifyClientCert',
    });
  });
});

describe('basic_auth_users', () => {
  const body = 'abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234';

  it.each(['$2y$10$', '$2a$04$', '$2b$31$', '$2$12$'])('accepts hashes that begin with %s', (prefix) => {
    const { users } = webConfigSchema.parse({ basic_auth_users: { alice: prefix + body.slice(0, 53) } });
    expect(users.alice?.reveal()).toBe(prefix + body.slice(0, 53));
  });

  it.each(['', 'plain', '$1$10$', '$2y$3$', '$2y$32$', '$2x$10$'])('rejects hashes that begin with %j', (prefix) => {
    const parsed = webConfigSchema.safeParse({ basic_auth_users: { alice: prefix + body.slice(0, 53) } });
    expect(parsed.error?.issues.map(({ message }) => message)).toEqual(['must be a bcrypt hash']);
  });
});
