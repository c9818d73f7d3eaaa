import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashSync } from 'bcryptjs';
import { describe, expect, it } from 'vitest';
import { readWebConfig } from '../../src/config/web-config-file.ts';
import { systemFiles } from '../../src/runtime/files.ts';
import { openWebServer, type WebServer, type WebServerOptions } from '../../src/runtime/web-server.ts';
import { selfSigned } from '../support/certificates.ts';
import { send } from '../support/http.ts';
import { passwordWorker, temporaryFolder } from '../support/live-ports.ts';
import { recordingLogger } from '../support/logger.ts';
import { noCounters, noProxies } from '../support/open-access.ts';
import { served } from '../support/served-listener.ts';
import { findTool } from '../support/tools.ts';

const open = openWebServer({ files: systemFiles, read: readWebConfig, passwords: passwordWorker });

const options: WebServerOptions = {
  host: '127.0.0.1',
  port: 0,
  handler: async ({ user = 'nobody' }) => ({ status: 200, body: user }),
  log: recordingLogger(),
  isPublic: (path) => path === '/-/healthy',
  trustedProxies: () => noProxies,
  maxConnections: () => 512,
  onAuthenticationFailed: () => undefined,
  counters: noCounters,
};

async function opened(webConfigFile?: string): Promise<WebServer & { readonly url: string }> {
  const front = await open({ ...options, ...(webConfigFile === undefined ? {} : { webConfigFile }) });
  if (!front.ok) throw new Error(JSON.stringify(front.error));
  return { ...front.value, ...served(front.value, front.value.scheme) };
}

function basic(user: string, password: string): Readonly<Record<string, string>> {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

it('web server › without a web config file serves all clients over plain HTTP', async () => {
  const front = await opened();
  expect(front.scheme).toBe('http');
  expect((await send(front.url)).text).toBe('nobody');
});

describe('with users', () => {
  it('serves authenticated users, and probes', async () => {
    const file = join(await temporaryFolder(), 'web.yml');
    await writeFile(file, `basic_auth_users:\n  alice: ${hashSync('right', 4)}\n`);
    const { url } = await opened(file);
    expect((await send(url)).status).toBe(401);
    expect((await send(url, { headers: basic('alice', 'wrong') })).status).toBe(401);
    expect((await send(url, { headers: basic('alice', 'right') })).text).toBe('alice');
    expect((await send(`${url}/-/healthy`)).status).toBe(200);
  });

  it('accepts a user who was just added', async () => {
    const file = join(await temporaryFolder(), 'web.yml');
    await writeFile(file, `basic_auth_users:\n  alice: ${hashSync('right', 4)}\n`);
    const { url } = await opened(file);
    expect((await send(url, { headers: basic('bob', 'new') })).status).toBe(401);
    await writeFile(file, `basic_auth_users:\n  bob: ${hashSync('new', 4)}\n  alice: ${hashSync('right', 4)}\n`);
    expect((await send(url, { headers: basic('bob', 'new') })).text).toBe('bob');
  });
});

describe.skipIf(findTool('openssl') === undefined)('with a certificate', () => {
  it('serves over TLS, and a rotated pair of files from the next handshake on', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'web.yml');
    const put = async (name: string): Promise<string> => {
      const { cert, key } = selfSigned(name);
      await writeFile(join(folder, 'key.pem'), key);
      await writeFile(join(folder, 'cert.pem'), cert);
      return cert;
    };
    const first = await put('first');
    await writeFile(file, 'tls_server_config:\n  cert_file: cert.pem\n  key_file: key.pem\n');
    const front = await opened(file);
    expect(front.scheme).toBe('https');
    const url = `https://localhost:${front.port}`;
    expect((await send(url, { ca: first })).status).toBe(200);
    const second = await put('second');
    expect((await send(url, { ca: second })).status).toBe(200);
    await expect(send(url, { ca: first })).rejects.toThrow('certificate');
  });
});

describe('an unusable web config file', () => {
  it('is rejected with its problems before the port is opened', async () => {
    const file = join(await temporaryFolder(), 'web.yml');
    await writeFile(file, 'basic_auth_user: {}\n');
    const front = await open({ ...options, webConfigFile: file });
    expect(front).toMatchObject({ ok: false, error: [{ file, line: 1 }] });
  });

  it('that is missing is rejected', async () => {
    expect(await open({ ...options, webConfigFile: '/nowhere/web.yml' })).toMatchObject({ ok: false });
  });
});
