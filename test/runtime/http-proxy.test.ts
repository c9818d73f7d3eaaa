import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { HttpProxy, TlsMaterial } from '../../src/kernel/http.ts';
import { openHttpPool } from '../../src/runtime/http-pool.ts';
import { startForwardProxy } from '../support/forward-proxy.ts';
import { freePort } from '../support/free-port.ts';
import { listening } from '../support/static-server.ts';
import { startTcp } from '../support/tcp-server.ts';
import { authority, keyPair } from '../support/tls.ts';

const tls = { ca: authority, serverName: 'localhost' };
const credentials = `Basic ${Buffer.from('warden:größe').toString('base64')}`;

afterEach(() => vi.unstubAllEnvs());

/** Replies with what the server got: the path and whether the credentials of the proxy reached it. */
function echo({ method, url, headers }: IncomingMessage, response: ServerResponse): void {
  response.end(`${method} ${url} ${headers.host} ${headers['proxy-authorization'] ?? 'no credentials'}`);
}

async function https(): Promise<number> {
  return await listening(createServer(keyPair('server'), echo));
}

async function http(): Promise<number> {
  return await listening(createPlainServer(echo));
}

function poolTo(origin: string, proxy: HttpProxy | undefined, material: TlsMaterial = tls) {
  const pool = openHttpPool({ origin, sockets: 2, tls: material, ...(proxy === undefined ? {} : { proxy }) });
  onTestFinished(() => pool.close());
  return pool;
}

/** The reply, or the failure, of one request. */
async function outcome(pool: ReturnType<typeof poolTo>, signal = AbortSignal.timeout(30_000)): Promise<string> {
  const request = { method: 'POST', path: '/a?b=c', headers: {}, body: '{}', maxBytes: 100_000 } as const;
  const reply = await pool.request(request, signal);
  return reply.ok ? Buffer.from(reply.value.body).toString('utf8') : `${reply.error.reason}: ${reply.error.message}`;
}

describe('a proxy', () => {
  it('gets a tunnel to an https address and does not see the request', async () => {
    const [port, proxy] = [await https(), await startForwardProxy({ authorization: credentials })];
    const pool = poolTo(`https://receiver.test:${port}`, { url: proxy.url, authorization: credentials });
    const expected = `POST /a?b=c receiver.test:${port} no credentials`;
    expect([await outcome(pool), await outcome(pool)]).toEqual([expected, expected]);
    expect(new Set(proxy.requests)).toEqual(new Set([`CONNECT receiver.test:${port}`]));
    expect(pool.sockets()).toBeGreaterThan(0);
  });

  it('gets the whole address of an http request', async () => {
    const [port, proxy] = [await http(), await startForwardProxy()];
    const pool = poolTo(`http://receiver.test:${port}`, { url: proxy.url });
    expect(await outcome(pool)).toContain(`POST /a?b=c receiver.test:${port}`);
    expect(proxy.requests).toEqual([`POST http://receiver.test:${port}/a?b=c`]);
  });

  it('is checked like the server behind it: the certificate is that of the server', async () => {
    const [port, proxy] = [await https(), await startForwardProxy()];
    expect(await outcome(poolTo(`https://receiver.test:${port}`, { url: proxy.url }, {}))).toMatch(
      /^tls: .*unknown authority/,
    );
    expect(await outcome(poolTo(`https://receiver.test:${port}`, { url: proxy.url }, { ca: authority }))).toMatch(
      /^tls: .*another name/,
    );
  });

  it.each([
    ['http://receiver.test', '127.0.0.1', false],
    ['https://receiver.test', '127.0.0.1', false],
    ['https://127.0.0.1', '127.0.0.1', false],
    ['http://receiver.test', 'localhost', 'localhost'],
    ['https://receiver.test', 'localhost', 'localhost'],
  ])('with TLS is named only by its host name: to %s through %s', async (origin, host, expected) => {
    const port = origin.startsWith('https:') ? await https() : await http();
    const proxy = await startForwardProxy({ tls: keyPair('server') });
    const url = proxy.url.replace('127.0.0.1', host);
    expect(await outcome(poolTo(`${origin}:${port}`, { url }))).toContain('POST /a?b=c');
    expect(proxy.names).toEqual([expected]);
  });

  it.each(['http', 'https'])('that requires authentication is reported, for %s', async (scheme) => {
    const port = scheme === 'http' ? await http() : await https();
    const proxy = await startForwardProxy({ authorization: credentials });
    const failed = await outcome(poolTo(`${scheme}://receiver.test:${port}`, { url: proxy.url }));
    expect(failed).toBe('auth: the proxy requires authentication (status 407): check the credentials of the proxy');
  });

  it('that requires authentication does not keep connections open with endless replies', async () => {
    const { port } = await startTcp((socket) => socket.write('HTTP/1.1 407 Who\r\nContent-Length: 9\r\n\r\nyou'));
    const pool = poolTo('http://receiver.test', { url: `http://127.0.0.1:${port}` });
    for (const _ of [1, 2, 3]) expect(await outcome(pool)).toMatch(/^auth: .*status 407/);
  });

  it.each([
    [403, /^auth: the proxy refused to connect/],
    [502, /^unreachable: the proxy could not connect/],
  ])('that refuses a tunnel with %d is reported', async (status, expected) => {
    const proxy = await startForwardProxy({ status });
    expect(await outcome(poolTo('https://receiver.test:1', { url: proxy.url }))).toMatch(expected);
  });

  it('that does not listen is unreachable, and one that hangs is left in time', async () => {
    const gone = { url: `http://127.0.0.1:${await freePort()}` };
    expect(await outcome(poolTo('https://receiver.test', gone))).toMatch(/^unreachable: the connection was refused/);
    const hanging = await startForwardProxy({ status: 'hang' });
    const pool = poolTo('https://receiver.test', hanging);
    expect(await outcome(pool, AbortSignal.timeout(300))).toMatch(/^timeout: /);
    // Otherwise the server of the test would never end.
    await pool.close();
  });

  it.each(['socks5://127.0.0.1:1', 'http://[', 'http://user:%zz@127.0.0.1:1'])('cannot be %s', async (url) => {
    const failed = await outcome(poolTo('https://receiver.test', { url }));
    expect(failed).toBe('auth: the address of the proxy is invalid: it must begin with http:// or https://');
  });
});

describe('a proxy of the environment', () => {
  it('gets https and http requests by the variable of their scheme, with the credentials in it', async () => {
    const [secure, plain] = [await startForwardProxy({ authorization: credentials }), await startForwardProxy()];
    vi.stubEnv('HTTPS_PROXY', secure.url.replace('//', '//warden:gr%C3%B6%C3%9Fe@'));
    vi.stubEnv('http_proxy', plain.url.replace('http://', ''));
    const [port, other] = [await https(), await http()];
    expect(await outcome(poolTo(`https://receiver.test:${port}`, 'environment'))).toContain('POST /a?b=c');
    expect(await outcome(poolTo(`http://receiver.test:${other}`, 'environment'))).toContain('POST /a?b=c');
    expect(secure.requests).toEqual([`CONNECT receiver.test:${port}`]);
    expect(plain.requests).toEqual([`POST http://receiver.test:${other}/a?b=c`]);
  });

  it('for http only gets no https request, and does not break one with an invalid address', async () => {
    const plain = await startForwardProxy();
    for (const address of [plain.url, 'socks5://127.0.0.1:1']) {
      vi.stubEnv('HTTP_PROXY', address);
      expect(await outcome(poolTo(`https://receiver.test:${await https()}`, 'environment'))).toMatch(
        /^unreachable: the host name/,
      );
    }
    expect(plain.requests).toEqual([]);
  });

  it('gets no request to loopback, to a host in NO_PROXY, or of a pool without a proxy', async () => {
    const proxy = await startForwardProxy();
    vi.stubEnv('HTTPS_PROXY', proxy.url);
    vi.stubEnv('NO_PROXY', 'other.test,.receiver.test');
    const port = await https();
    for (const host of ['localhost', '127.0.0.1']) {
      expect(await outcome(poolTo(`https://${host}:${port}`, 'environment', { ca: authority }))).toContain('POST');
    }
    expect(await outcome(poolTo(`https://a.receiver.test:${port}`, 'environment'))).toMatch(
      /^unreachable: the host name/,
    );
    expect(await outcome(poolTo(`https://receiver.test:${port}`, undefined))).toMatch(/^unreachable: the host name/);
    expect(proxy.requests).toEqual([]);
  });
});
