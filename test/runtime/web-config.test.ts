import { compare, hashSync } from 'bcryptjs';
import { describe, expect, it } from 'vitest';
import { formatProblems } from '../../src/config/problems.ts';
import { readWebConfig } from '../../src/config/web-config-file.ts';
import { type LoadedWebConfig, loadWebConfig } from '../../src/runtime/web-config.ts';
import { selfSigned } from '../support/certificates.ts';
import { FakeFiles } from '../support/files.ts';
import { recordingLogger } from '../support/logger.ts';
import { findTool } from '../support/tools.ts';

const file = '/etc/web.yml';
const alice = `basic_auth_users: { alice: "${hashSync('right', 4)}" }\n`;
const asAlice = `Basic ${Buffer.from('alice:right').toString('base64')}`;

async function load(files: FakeFiles, log = recordingLogger()): Promise<LoadedWebConfig> {
  const loaded = await loadWebConfig(file, { files, read: readWebConfig, compare, log });
  if (!loaded.ok) throw new Error(formatProblems(loaded.error));
  return loaded.value;
}

/** As a block scalar wants its lines. */
function indented(pem: string): string {
  return pem.trimEnd().replaceAll('\n', '\n    ');
}

async function problems(texts: Readonly<Record<string, string>>): Promise<string> {
  const loaded = await loadWebConfig(file, { files: new FakeFiles(texts), read: readWebConfig, compare });
  return loaded.ok ? 'it loads' : formatProblems(loaded.error);
}

describe('problems of the file', () => {
  it('are reported without a request, with their position, until the file is valid again', async () => {
    const files = new FakeFiles({ [file]: alice });
    const loaded = await load(files);
    const web = loaded.file;
    expect(await web.problems()).toEqual([]);
    files.write(file, `basic_auth_users:\n  bob: 7\n`);
    expect(await web.stamp()).not.toBe(web.firstStamp);
    expect(await web.problems()).toMatchObject([{ file, line: 2, path: 'basic_auth_users.bob' }]);
    expect(await web.problems()).toHaveLength(1);
    expect(await loaded.authenticate(asAlice, '10.0.0.1')).toEqual({ user: 'alice' });
    files.remove(file);
    expect(await web.problems()).toMatchObject([{ file, line: 1 }]);
    files.write(file, '');
    expect(await web.problems()).toMatchObject([{ file, message: 'turning authentication off requires a restart' }]);
    files.write(file, alice.replace('alice', 'bob'));
    expect(await web.problems()).toEqual([]);
  });
});

describe('users and headers', () => {
  it('are those of the file', async () => {
    const headers = 'http_server_config: { headers: { X-Frame-Options: deny } }\n';
    const web = await load(new FakeFiles({ [file]: alice + headers }));
    expect(web.tlsOptions()).toBeUndefined();
    expect(web.headers).toEqual({ 'X-Frame-Options': 'deny' });
    expect(await web.authenticate(asAlice, '10.0.0.1')).toEqual({ user: 'alice' });
    expect(await web.authenticate(undefined, '10.0.0.1')).toBe('denied');
    expect(web.isClientAllowed({ presented: false, authorized: false, alternativeNames: '' })).toBe(true);
  });

  it('follow the file: a new user is accepted, a removed one is rejected', async () => {
    const files = new FakeFiles({ [file]: '' });
    const web = await load(files);
    expect(await web.authenticate(asAlice, '10.0.0.1')).toBe('off');
    files.write(file, alice);
    expect(await web.authenticate(asAlice, '10.0.0.1')).toEqual({ user: 'alice' });
    files.write(file, alice.replace('alice', 'bob'));
    expect(await web.authenticate(asAlice, '10.0.0.1')).toBe('denied');
  });

  it('remain unchanged if the file has no users, because that would open the listener', async () => {
    const files = new FakeFiles({ [file]: alice });
    const log = recordingLogger();
    const web = await load(files, log);
    for (const text of ['', 'basic_auth_users: {}\n']) {
      files.write(file, text);
      expect(await web.authenticate(undefined, '10.0.0.1')).toBe('denied');
      expect(await web.authenticate(asAlice, '10.0.0.1')).toEqual({ user: 'alice' });
    }
    expect(log.lines.map(({ message }) => message)).toEqual(['web config reload failed', 'web config reload failed']);
    expect(JSON.stringify(log.lines)).toContain('turning authentication off requires a restart');
  });

  it('remain unchanged while the file is invalid or missing, which is logged once', async () => {
    const files = new FakeFiles({ [file]: alice });
    const log = recordingLogger();
    const web = await load(files, log);
    files.write(file, 'basic_auth_users: { alice: hunter-canary }');
    for (let round = 0; round < 3; round += 1)
      expect(await web.authenticate(asAlice, '10.0.0.1')).toEqual({ user: 'alice' });
    expect(await web.authenticate(undefined, '10.0.0.1')).toBe('denied');
    expect(log.lines.map(({ level }) => level)).toEqual(['warn']);
    files.remove(file);
    expect(await web.authenticate(undefined, '10.0.0.1')).toBe('denied');
    expect(log.lines.map(({ level }) => level)).toEqual(['warn', 'warn']);
    expect(JSON.stringify(log.lines)).not.toContain('hunter-canary');
    files.write(file, alice.replace('alice', 'bob'));
    expect(await web.authenticate(asAlice, '10.0.0.1')).toBe('denied');
    expect(log.lines.map(({ level }) => level)).toEqual(['warn', 'warn', 'info']);
  });

  it('are looked up once for many concurrent requests', async () => {
    const files = new FakeFiles({ [file]: alice });
    const web = await load(files);
    await web.authenticate(asAlice, '10.0.0.1');
    const before = files.stamps;
    await Promise.all(Array.from({ length: 100 }, () => web.authenticate(asAlice, '10.0.0.1')));
    expect(files.stamps).toBe(before + 1);
  });
});

describe('a file that cannot be used', () => {
  it('is reported with its path if it is missing', async () => {
    expect(await problems({})).toBe("/etc/web.yml:1:1: cannot read '/etc/web.yml': no such file");
  });

  it('is reported with the position of each problem', async () => {
    expect(await problems({ [file]: 'tls: {}\nbasic_auth_users: { a: b }' })).toBe(
      [
        '/etc/web.yml:1:1: tls: unknown key `tls` (known here: tls_server_config, http_server_config, basic_auth_users)',
        '/etc/web.yml:2:24: basic_auth_users.a: must be a bcrypt hash',
      ].join('\n'),
    );
  });

  it('is reported with the positions of the certificate paths', async () => {
    const text = 'tls_server_config:\n  cert_file: a.crt\n  key_file: a.key\n';
    expect(await problems({ [file]: text, '/etc/a.key': 'hunter-canary' })).toBe(
      [
        "/etc/web.yml:2:14: tls_server_config.cert_file: cannot read '/etc/a.crt': no such file",
        '/etc/web.yml:3:13: tls_server_config.key_file: does not contain an unencrypted PEM private key',
      ].join('\n'),
    );
  });
});

describe.skipIf(findTool('openssl') === undefined)('TLS', () => {
  const first = selfSigned('first');
  const second = selfSigned('second');
  const tls = 'tls_server_config:\n  cert_file: a.crt\n  key_file: a.key\n';

  function filesWith({ cert, key }: { readonly cert: string; readonly key: string }, text = tls): FakeFiles {
    return new FakeFiles({ [file]: text, '/etc/a.crt': cert, '/etc/a.key': key, '/etc/ca.crt': second.cert });
  }

  it('reports errors of certificate and key files as the runtime does', async () => {
    const web = await load(filesWith(first));
    expect(await web.tlsOptions()).toEqual({
      ...first,
      requestCert: false,
      rejectUnauthorized: false,
      minVersion: 'TLSv1.2',
      maxVersion: 'TLSv1.3',
      honorCipherOrder: true,
    });
  });

  it('keeps the requirement of a client certificate if a reload would turn it off without users', async () => {
    const auth = '  client_ca_file: ca.crt\n  client_auth_type: ';
    const files = filesWith(first, `${tls}${auth}RequireAndVerifyClientCert\n`);
    const log = recordingLogger();
    const web = await load(files, log);
    const anonymous = { presented: false, authorized: false, alternativeNames: '' };
    for (const text of [tls, `${tls}${auth}VerifyClientCertIfGiven\n`]) {
      files.write(file, text);
      expect(await web.tlsOptions()).toMatchObject({ requestCert: true, rejectUnauthorized: true });
      expect(web.isClientAllowed(anonymous)).toBe(false);
    }
    expect(JSON.stringify(log.lines)).toContain('turning authentication off requires a restart');
    files.write(file, tls + alice);
    expect(await web.tlsOptions()).toMatchObject({ requestCert: false });
    expect(await web.authenticate(undefined, '10.0.0.1')).toBe('denied');
  });

  it('accepts every other key', async () => {
    const more = `  client_auth_type: RequireAndVerifyClientCert
  client_ca_file: ca.crt
  client_allowed_sans: [one]
  cipher_suites: [TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384]
  curve_preferences: [X25519, CurveP256]
  max_version: TLS12
  prefer_server_cipher_suites: false
`;
    const web = await load(filesWith(first, tls + more));
    expect(await web.tlsOptions()).toEqual({
      ...first,
      ca: second.cert,
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      maxVersion: 'TLSv1.2',
      ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384',
      ecdhCurve: 'X25519:prime256v1',
      honorCipherOrder: false,
    });
    expect(web.isClientAllowed({ presented: true, authorized: true, alternativeNames: 'DNS:one' })).toBe(true);
    expect(web.isClientAllowed({ presented: true, authorized: true, alternativeNames: 'DNS:two' })).toBe(false);
  });

  it('accepts inline PEM texts', async () => {
    const inline = `tls_server_config:\n  cert: |\n    ${indented(first.cert)}\n  key: |\n    ${indented(first.key)}\n`;
    const web = await load(new FakeFiles({ [file]: inline }));
    expect(await web.tlsOptions()).toMatchObject(first);
  });

  it('returns the same object until the pair changes', async () => {
    const files = filesWith(first);
    const log = recordingLogger();
    const web = await load(files, log);
    const before = await web.tlsOptions();
    expect(await web.tlsOptions()).toBe(before);
    files.write('/etc/a.crt', second.cert);
    // Half of a rotation: certificate and key do not fit, so the old pair goes on.
    expect(await web.tlsOptions()).toBe(before);
    files.write('/etc/a.key', second.key);
    expect(await web.tlsOptions()).toMatchObject(second);
    expect(log.lines.map(({ level }) => level)).toEqual(['warn', 'info']);
  });

  it('switches to other files when both exist, also if the web config file was written first', async () => {
    const files = filesWith(first);
    const log = recordingLogger();
    const web = await load(files, log);
    files.write(file, tls.replaceAll('a.', 'b.'));
    expect(await web.tlsOptions()).toMatchObject(first);
    files.write('/etc/b.crt', second.cert);
    expect(await web.tlsOptions()).toMatchObject(first);
    files.write('/etc/b.key', second.key);
    expect(await web.tlsOptions()).toMatchObject(second);
    expect(log.lines.map(({ level }) => level)).toEqual(['warn', 'warn', 'info']);
  });

  it('is restored when a mistake is reverted', async () => {
    const files = filesWith(first);
    const web = await load(files);
    files.write(file, 'tls_server_config: {}');
    expect(await web.tlsOptions()).toMatchObject(first);
    files.write(file, tls);
    files.write('/etc/a.crt', second.cert);
    files.write('/etc/a.key', second.key);
    expect(await web.tlsOptions()).toMatchObject(second);
  });

  it('does not turn off while the program runs', async () => {
    const files = filesWith(first);
    const web = await load(files);
    files.write(file, alice);
    expect(await web.tlsOptions()).toMatchObject(first);
    expect(await web.authenticate(undefined, '10.0.0.1')).toBe('off');
  });

  it('does not turn on while the program runs', async () => {
    const files = filesWith(first, alice);
    const web = await load(files);
    files.write(file, tls);
    expect(await web.authenticate(undefined, '10.0.0.1')).toBe('denied');
    expect(web.tlsOptions()).toBeUndefined();
  });

  it.each([
    [
      'a pair that does not fit',
      { '/etc/a.crt': first.cert, '/etc/a.key': second.key },
      tls,
      '2:3',
      'tls_server_config: has a certificate and a key that do not match',
    ],
    [
      'a certificate that is none',
      { '/etc/a.crt': 'x', '/etc/a.key': first.key },
      tls,
      '2:14',
      'tls_server_config.cert_file: does not contain a PEM certificate',
    ],
    [
      'an authority that is none',
      { '/etc/a.crt': first.cert, '/etc/a.key': first.key, '/etc/ca.crt': 'x' },
      `${tls}  client_ca_file: ca.crt\n  client_auth_type: VerifyClientCertIfGiven\n`,
      '4:19',
      'tls_server_config.client_ca_file: does not contain a PEM certificate',
    ],
  ])('refuses %s', async (...[, texts, text, position, complaint]) => {
    expect(await problems({ ...texts, [file]: text })).toBe(`${file}:${position}: ${complaint}`);
  });
});
