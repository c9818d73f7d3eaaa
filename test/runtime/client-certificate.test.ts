import { describe, expect, it } from 'vitest';
import { type ClientAuthType, clientAuthTypes, type WebTlsSettings } from '../../src/model/web-settings.ts';
import { admitsClient, type ClientCertificate } from '../../src/runtime/client-certificate.ts';

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

const nobody: ClientCertificate = { presented: false, authorized: false, alternativeNames: '' };
const stranger: ClientCertificate = { ...nobody, presented: true };
const friend: ClientCertificate = { presented: true, authorized: true, alternativeNames: '' };

/** Whether nobody, a stranger and a friend come in. */
const table: Readonly<Record<ClientAuthType, readonly [boolean, boolean, boolean]>> = {
  NoClientCert: [true, true, true],
  RequestClientCert: [true, true, true],
  RequireAnyClientCert: [false, true, true],
  VerifyClientCertIfGiven: [true, false, true],
  RequireAndVerifyClientCert: [false, false, true],
};

describe('admitsClient', () => {
  it.each(clientAuthTypes)('lets in whom %s lets in', (type) => {
    expect([nobody, stranger, friend].map((client) => admitsClient(tls(type), client))).toEqual(table[type]);
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
  ])('with allowed names, judges %j', (alternativeNames, expected) => {
    const settings = tls('RequireAndVerifyClientCert', [
      'one',
      '10.0.0.1',
      'spiffe://graph/prometheus',
      'ops@example.org',
    ]);
    expect(admitsClient(settings, { ...friend, alternativeNames })).toBe(expected);
  });

  it('does not ask a client without a certificate for its names where it may come without', () => {
    expect(admitsClient(tls('VerifyClientCertIfGiven', ['one']), nobody)).toBe(true);
  });
});
