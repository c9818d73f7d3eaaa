import { type ConnectionOptions, connect } from 'node:tls';
import { Agent, request } from 'undici';
import { describe, expect, it } from 'vitest';
import type { ClientCertificate, ServerTls } from '../../src/runtime/server-tls.ts';
import type { WebConfig } from '../../src/runtime/web-config.ts';
import { listenSecured } from '../../src/runtime/web-server.ts';
import { selfSigned } from '../support/certificates.ts';
import { recordingLogger } from '../support/logger.ts';
import { type Served, served } from '../support/served-listener.ts';
import { findTool } from '../support/tools.ts';

function webConfig(parts: Partial<WebConfig> = {}): WebConfig {
  return {
    tlsOptions: () => undefined,
    isClientAllowed: () => true,
    authenticate: async () => 'off',
    headers: {},
    ...parts,
  };
}

const isPublic = (path: string): boolean => path === '/-/healthy';
const handler = async ({ user = 'nobody' }) => ({ status: 200, body: user });

async function secured(web: WebConfig, log = recordingLogger()): Promise<Served> {
  const listening = await listenSecured(web, { host: '127.0.0.1', port: 0, handler, isPublic, log });
  return served(listening, web.tlsOptions() === undefined ? 'http' : 'https');
}

describe('users', () => {
  const alice = `Basic ${Buffer.from('alice:right').toString('base64')}`;
  const web = webConfig({
    authenticate: async (authorization) => (authorization === alice ? { user: 'alice' } : 'denied'),
    headers: { 'x-frame-options': 'deny' },
  });

  it('are known to the handler', async () => {
    const { url } = await secured(web);
    const reply = await request(url, { headers: { authorization: alice } });
    expect(reply.statusCode).toBe(200);
    expect(await reply.body.text()).toBe('alice');
  });

  it('that are not known are asked who they are', async () => {
    const { url } = await secured(web);
    for (const headers of [{}, { authorization: 'Basic d3Jvbmc6d3Jvbmc=' }, { authorization: 'Bearer alice' }]) {
      const reply = await request(url, { headers });
      expect(reply.statusCode).toBe(401);
      expect(reply.headers).toMatchObject({
        'www-authenticate': 'Basic realm="graphwarden", charset="UTF-8"',
        'content-type': 'application/problem+json',
        'x-frame-options': 'deny',
      });
      await reply.body.dump();
    }
  });

  it('need not be for probes, nor where the file names none', async () => {
    const guarded = await secured(web);
    const probe = await request(`${guarded.url}/-/healthy`);
    expect([probe.statusCode, await probe.body.text()]).toEqual([200, 'nobody']);
    const disguised = await request(`${guarded.url}/-/healthy/../../metrics`);
    expect(disguised.statusCode).toBe(401);
    await disguised.body.dump();
    const open = await secured(webConfig());
    const anybody = await request(open.url, { headers: { authorization: alice } });
    expect(await anybody.body.text()).toBe('nobody');
  });
});

function peerName(port: number, options: ConnectionOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

describe.skipIf(findTool('openssl') === undefined)('TLS', () => {
  const settings = {
    requestCert: false,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.3',
    honorCipherOrder: false,
  } as const;

  function rotating(): { readonly web: WebConfig; use: (tls: ServerTls) => void; readonly first: ServerTls } {
    const first: ServerTls = { ...settings, ...selfSigned('first') };
    let current = first;
    return {
      first,
      web: webConfig({ tlsOptions: async () => current }),
      use: (tls) => {
        current = tls;
      },
    };
  }

  it('serves over it', async () => {
    const { web, first } = rotating();
    const { port } = await secured(web);
    const dispatcher = new Agent({ connect: { ca: first.cert } });
    const reply = await request(`https://localhost:${port}`, { dispatcher });
    expect(await reply.body.text()).toBe('nobody');
    await dispatcher.close();
  });

  it('shows a rotated certificate at the next handshake', async () => {
    const { web, use } = rotating();
    const { port } = await secured(web);
    expect(await peerName(port, { servername: 'localhost' })).toBe('first');
    use({ ...settings, ...selfSigned('second') });
    expect(await peerName(port, { servername: 'localhost' })).toBe('second');
  });

  it('shows it to clients that name no server as well, one handshake later at most', async () => {
    const { web, use } = rotating();
    const { port } = await secured(web);
    expect(await peerName(port)).toBe('first');
    use({ ...settings, ...selfSigned('second') });
    await peerName(port);
    expect(await peerName(port)).toBe('second');
  });

  it('keeps the connections that were made with the former one', async () => {
    const { web, use, first } = rotating();
    const { port } = await secured(web);
    const dispatcher = new Agent({ connections: 1, connect: { ca: first.cert } });
    const url = `https://localhost:${port}`;
    await (await request(url, { dispatcher })).body.dump();
    use({ ...settings, ...selfSigned('second') });
    const again = await request(url, { dispatcher });
    expect(again.statusCode).toBe(200);
    await again.body.dump();
    await dispatcher.close();
  });

  it('goes on with what it has when the renewed one is unusable', async () => {
    const { web, use } = rotating();
    const log = recordingLogger();
    const { port } = await secured(web, log);
    use({ ...settings, cert: 'no certificate', key: 'no key' });
    expect(await peerName(port)).toBe('first');
    expect(log.lines).toMatchObject([{ level: 'error', message: 'listener certificate reload failed' }]);
  });

  it('turns away clients whose certificate is not admitted', async () => {
    const { cert, key } = selfSigned('client');
    const seen: ClientCertificate[] = [];
    const tls: ServerTls = { ...settings, ...selfSigned('server'), requestCert: true };
    const web = webConfig({
      tlsOptions: async () => tls,
      isClientAllowed: (client) => {
        seen.push(client);
        return client.presented;
      },
    });
    const { port } = await secured(web);
    const url = `https://localhost:${port}`;
    const stranger = new Agent({ connect: { ca: tls.cert } });
    await expect(request(url, { dispatcher: stranger })).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    const known = new Agent({ connect: { ca: tls.cert, cert, key } });
    const reply = await request(url, { dispatcher: known });
    expect(reply.statusCode).toBe(200);
    await reply.body.dump();
    expect(seen).toEqual([
      { presented: false, authorized: false, alternativeNames: '' },
      { presented: true, authorized: false, alternativeNames: 'DNS:localhost, IP Address:127.0.0.1' },
    ]);
    await Promise.all([stranger.close(), known.close()]);
  });

  it('closes at once although a client is in the middle of nothing', async () => {
    const { web } = rotating();
    const server = await secured(web);
    const idle = connect({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false });
    await new Promise((resolve) => idle.once('secureConnect', resolve));
    idle.resume();
    await server.close(60_000);
  });
});
