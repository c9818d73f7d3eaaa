import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/kernel/secret.ts';
import type { WebTlsSettings } from '../../src/model/web-settings.ts';
import { readServerTls } from '../../src/runtime/server-tls.ts';
import { selfSigned } from '../support/certificates.ts';
import { FakeFiles } from '../support/files.ts';
import { findTool } from '../support/tools.ts';

const settings: WebTlsSettings = {
  cert: { file: 'a.crt' },
  key: { file: 'a.key' },
  clientAuth: 'NoClientCert',
  clientAllowedSans: [],
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.3',
  ciphers: [],
  curves: [],
  preferServerCiphers: true,
};

describe('readServerTls', () => {
  it('reports each file that it cannot read', async () => {
    const clientCa = { file: 'ca.crt' };
    const read = await readServerTls({ ...settings, clientCa }, new FakeFiles({ 'a.key': 'hunter-canary' }));
    expect(read).toEqual({
      ok: false,
      error: [
        { path: ['tls_server_config', 'cert_file'], message: "cannot read 'a.crt': no such file" },
        { path: ['tls_server_config', 'key_file'], message: 'does not contain an unencrypted PEM private key' },
        { path: ['tls_server_config', 'client_ca_file'], message: "cannot read 'ca.crt': no such file" },
      ],
    });
  });

  it('names the key of an inline text', async () => {
    const inline = { pem: new Secret('hunter-canary') };
    const read = await readServerTls({ ...settings, cert: inline, key: inline }, new FakeFiles());
    expect(read.ok ? [] : read.error.map(({ path }) => path.at(-1))).toEqual(['cert', 'key']);
    expect(JSON.stringify(read)).not.toContain('hunter-canary');
  });
});

describe.skipIf(findTool('openssl') === undefined)('readServerTls with a certificate', () => {
  const { cert, key } = selfSigned('one');
  const files = new FakeFiles({ 'a.crt': cert, 'a.key': key });

  it.each([
    ['NoClientCert', false, false],
    ['RequestClientCert', true, false],
    ['RequireAnyClientCert', true, false],
    ['VerifyClientCertIfGiven', true, false],
    ['RequireAndVerifyClientCert', true, true],
  ] as const)(
    'with %s requests a certificate: %s, and aborts the handshake: %s',
    async (clientAuth, requestsCertificate, breaksOff) => {
      expect(await readServerTls({ ...settings, clientAuth }, files)).toMatchObject({
        ok: true,
        value: { cert, key, requestCert: requestsCertificate, rejectUnauthorized: breaksOff },
      });
    },
  );

  it('rejects certificates that cannot be served', async () => {
    const read = await readServerTls({ ...settings, ciphers: ['NO-SUCH-CIPHER'] }, files);
    expect(read).toEqual({
      ok: false,
      error: [
        {
          path: ['tls_server_config'],
          message: 'has an unsupported combination of versions, ciphers and curves',
        },
      ],
    });
  });

  it('accepts every curve and cipher of the file format', async () => {
    const curves = ['prime256v1', 'secp384r1', 'secp521r1', 'X25519', 'X25519MLKEM768'];
    const ciphers = ['ECDHE-ECDSA-AES128-GCM-SHA256', 'TLS_AES_128_GCM_SHA256', 'AES256-SHA'];
    const read = await readServerTls({ ...settings, curves, ciphers }, files);
    expect(read).toMatchObject({ ok: true, value: { ecdhCurve: curves.join(':'), ciphers: ciphers.join(':') } });
  });
});
