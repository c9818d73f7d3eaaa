import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatProblems } from '../../src/config/problems.ts';
import { readWebConfig } from '../../src/config/web-config-file.ts';
import { Secret } from '../../src/kernel/secret.ts';
import type { WebSettings } from '../../src/model/web-settings.ts';
import { anyCharacter } from '../support/any-character.ts';
import { corpus } from './corpus.ts';

const good = corpus('web-corpus/good');

function settings(text: string, file = '/etc/web.yml'): WebSettings {
  const read = readWebConfig(text, file);
  if (!read.ok) throw new Error(formatProblems(read.error));
  return read.value.settings;
}

function specimen(name: string): WebSettings {
  return settings(good.find((one) => one.name === `web_config_${name}.yml`)?.text ?? 'missing');
}

describe('valid web config files', () => {
  it.each(good)('reads $name', ({ name, text }) => {
    const read = readWebConfig(text, name);
    expect(read.ok ? '' : formatProblems(read.error)).toBe('');
  });

  it.each(['empty', 'comment', 'sections_empty'])('enables neither TLS nor users with the file %s', (name) => {
    expect(specimen(name)).toEqual({ headers: {}, users: {} });
  });

  it('has the defaults of the format, and paths relative to its folder', () => {
    expect(specimen('noAuth').tls).toEqual({
      cert: { file: '/etc/server.crt' },
      key: { file: '/etc/server.key' },
      clientAuth: 'VerifyClientCertIfGiven',
      clientAllowedSans: [],
      minVersion: 'TLSv1.2',
      maxVersion: 'TLSv1.3',
      ciphers: [],
      curves: [],
      preferServerCiphers: true,
    });
  });

  it('maps TLS options to those of OpenSSL', () => {
    expect(specimen('noAuth_someCiphers_noOrder').tls).toMatchObject({
      ciphers: ['ECDHE-RSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES128-GCM-SHA256'],
      preferServerCiphers: false,
      minVersion: 'TLSv1.2',
      maxVersion: 'TLSv1.2',
    });
    expect(specimen('noAuth_allCurves').tls).toMatchObject({
      curves: ['prime256v1', 'secp384r1', 'secp521r1', 'X25519', 'X25519MLKEM768'],
      minVersion: 'TLSv1.3',
    });
  });

  it('has the allowed clients', () => {
    expect(specimen('auth_client_san').tls).toMatchObject({
      clientAuth: 'RequireAndVerifyClientCert',
      clientCa: { file: '/etc/ca.crt' },
      clientAllowedSans: ['one', '10.0.0.1'],
    });
    expect(specimen('noAuth_requireClientCert_oldName').tls?.clientAuth).toBe('RequireAnyClientCert');
  });

  it('stores inline PEM and hashes as secrets, which are not printed', () => {
    const inline = specimen('noAuth_tlsInline').tls;
    expect(inline?.cert).toEqual({ pem: expect.any(Secret) });
    expect(inline?.key).toEqual({ file: '/etc/keys/server.key' });
    const { users } = specimen('users');
    expect(Object.keys(users)).toEqual(['alice', 'bob the second']);
    expect(users.alice?.reveal()).toMatch(/^\$2y\$10\$/);
    expect(JSON.stringify(users)).toBe('{"alice":"[secret]","bob the second":"[secret]"}');
  });

  it('has only the headers with a value', () => {
    expect(specimen('headers').headers).toEqual({
      'X-Frame-Options': 'deny',
      'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
      'X-Content-Type-Options': 'nosniff',
      'X-XSS-Protection': '1',
    });
  });

  it('treats a reference to the environment as text', () => {
    const text = 'http_server_config: { headers: { Content-Security-Policy: "${HOME}" } }';
    expect(settings(text).headers).toEqual({ 'Content-Security-Policy': '${HOME}' });
  });

  it('can locate a key whose file turns out to be invalid', () => {
    const read = readWebConfig('tls_server_config:\n  cert_file: a\n  key_file: b\n', 'web.yml');
    const finding = { path: ['tls_server_config', 'key_file'], message: 'is no key' };
    expect(read.ok && formatProblems([read.value.locate(finding)])).toBe(
      'web.yml:3:13: tls_server_config.key_file: is no key',
    );
  });
});

describe('invalid web config files', () => {
  it.each(corpus('web-corpus/bad'))('reports each problem of $name', ({ name, text, expected }) => {
    const read = readWebConfig(text, name);
    expect(expected).not.toBe('');
    expect(read.ok ? 'it loads' : formatProblems(read.error)).toBe(expected);
    expect(expected).not.toContain('hunter-canary');
  });

  it('never throws and never repeats a hash', () => {
    const canary = 'c4n4ry-s3cr3t';
    const mutated = fc
      .tuple(fc.constantFrom(...good), fc.nat(1000), fc.string({ unit: anyCharacter, maxLength: 5 }))
      .map(([{ text }, at, piece]) => text.slice(0, at) + piece + canary + text.slice(at));
    fc.assert(
      fc.property(mutated, (text) => {
        const read = readWebConfig(text, 'web.yml');
        expect(read.ok ? '' : formatProblems(read.error)).not.toContain(canary);
      }),
      { numRuns: 500 },
    );
  });
});
