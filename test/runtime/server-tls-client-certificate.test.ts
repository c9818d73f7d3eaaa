import { describe, expect, it } from 'vitest';
import { type ClientAuthType, clientAuthTypes, type WebTlsSettings } from '../../src/model/web-settings.ts';
import { type ClientCertificate, isClientAllowed } from '../../src/runtime/server-tls.ts';

function tls(clientAuth: ClientAuthType, clientAllowedSans: readonly string[] = []): WebTlsSettings {
  return {
    cert: { file: 'c' },
    key: { file: 'k' },
    clientAuth,
    clientAllowedSans,
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.3',
    ciphers: [],
    curves: [],
    preferServerCiphers: true,
  };
}

const none: ClientCertificate = { presented: false, authorized: false, alternativeNames: '' };
const stranger: ClientCertificate = { ...none, presented: true };
const friend: ClientCertificate = { presented: true, authorized: true, alternativeNames: '' };

/** Whether a client is admitted without a certificate, with an untrusted one, and with a trusted one. */
const table: Readonly<Record<ClientAuthType, readonly [boolean, boolean, boolean]>> = {
  NoClientCert: [true, true, true],
  RequestClientCert: [true, true, true],
  RequireAnyClientCert: [false, true, true],
  VerifyClientCertIfGiven: [true, false, true],
  RequireAndVerifyClientCert: [false, false, true],
};

describe('isClientAllowed', () => {
  it.each(clientAuthTypes)('accepts the same clients as %s', (type) => {
    expect([none, stranger, friend].map((client) => isClientAllowed(tls(type), client))).toEqual(table[type]);
  });

  it.each([
    ['DNS:one', true],
    ['DNS:zero, DNS:one', true],
    ['IP Address:10.0.0.1', true],
    ['URI:spiffe://graph/prometheus', true],
    ['email:ops@example.org', true],
    ['DNS:onerous', false],
    ['DNS:ONE', false],
    ['', false],
    ['DNS:"x, DNS:one"', false],
  ])('with allowed names, checks %j', (alternativeNames, expected) => {
    const settings = tls('RequireAndVerifyClientCert', [
      'one',
      '10.0.0.1',
      'spiffe://graph/prometheus',
      'ops@example.org',
    ]);
    expect(isClientAllowed(settings, { ...friend, alternativeNames })).toBe(expected);
  });

  it('accepts a client without a certificate if certificates are optional', () => {
    expect(isClientAllowed(tls('VerifyClientCertIfGiven', ['one']), none)).toBe(true);
  });
});
