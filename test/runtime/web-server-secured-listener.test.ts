import { type ConnectionOptions, connect } from 'node:tls';
import { Agent, request } from 'undici';
import { describe, expect, it } from 'vitest';
import { securityHeaders } from '../../src/kernel/listener.ts';
import type { Authentication } from '../../src/runtime/basic-auth.ts';
import type { ClientCertificate, ServerTls } from '../../src/runtime/server-tls.ts';
import type { WebConfig } from '../../src/runtime/web-config.ts';
import { listenSecured } from '../../src/runtime/web-server.ts';
import { selfSigned } from '../support/certificates.ts';
import { recordingLogger } from '../support/logger.ts';
import { noCounters, noProxies } from '../support/open-access.ts';
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
const trustedProxies = () => noProxies;
const handler = async ({ user = 'nobody' }) => ({ status: 200, body: user });

async function secured(web: WebConfig, log = recordingLogger(), failures: unknown[] = []): Promise<Served> {
  const counters = { ...noCounters, authenticationFailed: (reason: string) => void failures.push(reason) };
  const onAuthenticationFailed = (failure: unknown) => void failures.push(failure);
  const access = { handler, isPublic, trustedProxies, maxConnections: () => 512, counters, onAuthenticationFailed };
  const listening = await listenSecured(web, { host: '127.0.0.1', port: 0, log, ...access });
  return served(listening, web.tlsOptions() === undefined ? 'http' : 'https');
}

describe('users', () => {
  const alice = `Basic ${Buffer.from('alice:right').toString('base64')}`;
  const web = webConfig({
    authenticate: async (authorization) => (authorization === alice ? { user: 'alice' } : 'denied'),
    headers: { 'x-frame-options': 'deny' },
  });

  it('are passed to the handler', async () => {
    const { url } = await secured(web);
    const reply = await request(url, { headers: { authorization: alice } });
    expect(reply.statusCode).toBe(200);
    expect(await reply.body.text()).toBe('alice');
  });

  it('that are unknown get a challenge', async () => {
    const { url } = await secured(web);
    for (const headers of [{}, { authorization: 'Basic d3Jvbmc6d3Jvbmc=' }, { authorization: 'Bearer alice' }]) {
      const reply = await request(url, { headers });
      expect(reply.statusCode).toBe(401);
      expect(reply.headers).toMatchObject({
        'www-authenticate': 'Basic realm="graphwarden", charset="UTF-8"',
        'content-type': 'application/problem+json',
        'x-frame-options': 'deny',
        ...securityHeaders,
      });
      await reply.body.dump();
    }
  });

  it('are not required for probes, nor if the file has no users', async () => {
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

it('a password that was not checked is answered with 429, not 401, and a wrong one is logged', async () => {
  let outcome: Authentication = 'busy';
  const log = recordingLogger();
  const failures: unknown[] = [];
  const { url } = await secured(webConfig({ authenticate: async () => outcome }), log, failures);
  const sendOnce = async (headers = {}) => {
    const reply = await request(url, { headers });
    await reply.body.dump();
    return [reply.statusCode, reply.headers['retry-after']];
  };
  const authorization = 'Basic d3Jvbmc6d3Jvbmc=';
  expect(await sendOnce({ authorization })).toEqual([429, '2']);
  const failure = { address: '127.0.0.1', requests: 1 };
  const notChecked = { level: 'warn', message: 'too many password checks', fields: failure };
  outcome = 'denied';
  expect(await sendOnce()).toEqual([401, undefined]);
  expect(log.lines).toEqual([notChecked]);
  expect(await sendOnce({ authorization })).toEqual([401, undefined]);
  expect(log.lines).toEqual([notChecked, { level: 'warn', message: 'authentication failed', fields: failure }]);
  expect(JSON.stringify(log.lines)).not.toContain('d3Jvbmc');
  expect(failures).toEqual(['busy', 'no_credentials', { address: '127.0.0.1', requests: 1 }, 'wrong_credentials']);
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

  it('serves requests', async () => {
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

  it('is sent to clients without a server name after a rotation', async () => {
    const { web, use } = rotating();
    const { port } = await secured(web);
    expect(await peerName(port)).toBe('first');
    use({ ...settings, ...selfSigned('second') });
    expect(await peerName(port)).toBe('second');
  });

  it('verifies the next client certificate by a rotated CA, with and without a server name', async () => {
    const [first, second] = [selfSigned('first'), selfSigned('second')];
    const server = selfSigned('server');
    const verify = { ...settings, requestCert: true, rejectUnauthorized: true };
    let current: ServerTls = { ...verify, ...server, ca: first.cert };
    const { port } = await secured(webConfig({ tlsOptions: async () => current }));
    const isAccepted = async (client: typeof first, named: boolean): Promise<boolean> => {
      const { cert, key } = client;
      const dispatcher = new Agent({ connect: { ca: server.cert, cert, key, checkServerIdentity: () => undefined } });
      const host = named ? 'localhost' : '127.0.0.1';
      const reply = await request(`https://${host}:${port}`, { dispatcher }).catch(() => undefined);
      await reply?.body.dump();
      await dispatcher.destroy();
      return reply?.statusCode === 200;
    };
    for (const named of [true, false]) {
      current = { ...verify, ...server, ca: first.cert };
      expect([await isAccepted(first, named), await isAccepted(second, named)]).toEqual([true, false]);
      current = { ...verify, ...server, ca: second.cert };
      expect([await isAccepted(first, named), await isAccepted(second, named)]).toEqual([false, true]);
    }
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'verifies a client that resumes a session of %s by a rotated CA',
    async (version) => {
      const [first, second] = [selfSigned('first'), selfSigned('second')];
      const verify = {
        ...settings,
        maxVersion: version,
        ...selfSigned('server'),
        requestCert: true,
        rejectUnauthorized: true,
      };
      let current: ServerTls = { ...verify, ca: first.cert };
      const { port } = await secured(webConfig({ tlsOptions: async () => current }));
      const sendOnce = (session?: Buffer) =>
        new Promise<{ readonly answer: string; readonly session: Buffer | undefined }>((resolve) => {
          let [answer, ticket] = ['', undefined as Buffer | undefined];
          const { cert, key } = first;
          const socket = connect({
            port,
            host: '127.0.0.1',
            rejectUnauthorized: false,
            cert,
            key,
            ...(session && { session }),
          });
          socket.on('session', (one) => (ticket = one));
          socket.on('data', (chunk) => (answer += chunk.toString()));
          socket.on('error', () => undefined);
          socket.on('close', () => resolve({ answer, session: ticket }));
          socket.write('GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
        });
      const accepted = await sendOnce();
      expect([accepted.answer.slice(0, 12), accepted.session]).toEqual(['HTTP/1.1 200', expect.any(Buffer)]);
      expect((await sendOnce(accepted.session)).answer).toContain('HTTP/1.1 200');
      current = { ...verify, ca: second.cert };
      expect((await sendOnce(accepted.session)).answer).toBe('');
    },
  );

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

  it('keeps its certificate if the renewed one is unusable', async () => {
    const { web, use } = rotating();
    const log = recordingLogger();
    const { port } = await secured(web, log);
    use({ ...settings, cert: 'no certificate', key: 'no key' });
    expect(await peerName(port)).toBe('first');
    expect(log.lines).toMatchObject([{ level: 'error', message: 'listener certificate reload failed' }]);
  });

  it('rejects clients whose certificate is not allowed', async () => {
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

  it('closes at once with an idle client', async () => {
    const { web } = rotating();
    const server = await secured(web);
    const idle = connect({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false });
    await new Promise((resolve) => idle.once('secureConnect', resolve));
    idle.resume();
    await server.close(60_000);
  });
});
