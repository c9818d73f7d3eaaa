import { execFileSync, spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { createServer as createPlainServer } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { TlsMaterial } from '../../src/kernel/http.ts';
import { openHttpPool } from '../../src/runtime/http-pool.ts';
import { listening } from '../support/static-server.ts';
import { startTcp } from '../support/tcp-server.ts';
import { authority, keyPair, tlsFolder } from '../support/tls.ts';
import { findTool, requireTool } from '../support/tools.ts';

async function outcome(port: number, tls: TlsMaterial, host = '127.0.0.1'): Promise<string> {
  const pool = openHttpPool({ origin: `https://${host}:${port}`, sockets: 2, tls });
  const request = { method: 'GET', path: '/', headers: {}, maxBytes: 100_000 } as const;
  const reply = await pool.request(request, AbortSignal.timeout(30_000));
  await pool.close();
  return reply.ok ? Buffer.from(reply.value.body).toString('utf8') : `${reply.error.reason}: ${reply.error.message}`;
}

/** A server that wants a client certificate of the authority and sends proper alerts, as Node's own does not. */
async function insistent(): Promise<number> {
  const files = ['-cert', 'server.pem', '-key', 'server.key', '-CAfile', 'ca.pem'];
  const options = ['s_server', '-accept', '127.0.0.1:0', '-Verify', '1', '-verify_return_error', '-www'];
  const server = spawn(requireTool('openssl'), [...options, ...files], { cwd: tlsFolder });
  onTestFinished(() => void server.kill());
  let said = '';
  for await (const chunk of server.stdout) {
    said += String(chunk);
    const port = /ACCEPT 127\.0\.0\.1:(\d+)/.exec(said)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error(`openssl s_server ended: ${said}`);
}

async function secure(options: ServerOptions): Promise<number> {
  return await listening(createServer(options, (_request, response) => response.end('hello')));
}

describe('a connection with TLS', () => {
  it('trusts the configured authority, under either name of the server', async () => {
    const port = await secure(keyPair('server'));
    expect(await outcome(port, { ca: authority })).toBe('hello');
    expect(await outcome(port, { ca: authority }, 'localhost')).toBe('hello');
  });

  it.each([
    ['an unknown authority', 'other', { ca: authority }, 'self-signed'],
    ['an authority that is not configured', 'server', {}, 'unknown authority'],
    ['a certificate that has expired', 'expired', { ca: authority }, 'expired'],
    ['a certificate for another name', 'elsewhere', { ca: authority }, 'another name'],
  ] as const)('does not trust %s', async (_what, name, tls, sentence) => {
    expect(await outcome(await secure(keyPair(name)), tls)).toMatch(new RegExp(`^tls: .*${sentence}`));
  });

  it.each(['other', 'expired', 'elsewhere'] as const)(
    'accepts the certificate %s if verification is disabled',
    async (name) => {
      const tls = { ca: authority, insecureSkipVerify: true };
      expect(await outcome(await secure(keyPair(name)), tls)).toBe('hello');
    },
  );

  it('checks the certificate against the configured name instead of the host of the URL', async () => {
    const port = await secure(keyPair('elsewhere'));
    const tls = { ca: authority, serverName: 'elsewhere.test' };
    expect(await outcome(port, tls)).toBe('hello');
    expect(await outcome(port, tls, 'localhost')).toBe('hello');
    const wrong = { ca: authority, serverName: 'wrong.test' };
    expect(await outcome(await secure(keyPair('server')), wrong, 'localhost')).toMatch(/^tls: .*another name/);
  });

  it.runIf(findTool('openssl'))('presents its client certificate to a server that requires one', async () => {
    const port = await insistent();
    const wanted = { ca: authority, ...keyPair('client') };
    expect(await outcome(port, wanted, '127.0.0.1')).toContain('Protocol');
    expect(await outcome(port, { ca: authority })).toMatch(/^tls: .*CERTIFICATE_REQUIRED/);
    expect(await outcome(port, { ca: authority, ...keyPair('other') })).toMatch(/^tls: .*ALERT/);
  });

  it('is not opened to a server that chooses the numbers of the key exchange', async () => {
    const options = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', '-', '-subj', '/CN=rsa'];
    const pem = execFileSync(requireTool('openssl'), options, { stdio: 'pipe' }).toString();
    const chooses = {
      key: pem,
      cert: pem,
      dhparam: 'auto',
      maxVersion: 'TLSv1.2',
      ciphers: 'DHE-RSA-AES256-GCM-SHA384',
    } as const;
    const tls = { insecureSkipVerify: true };
    expect(await outcome(await secure(chooses), tls)).toMatch(/^tls: .*HANDSHAKE_FAILURE/);
    const port = await secure({ ...chooses, ciphers: `${chooses.ciphers}:ECDHE-RSA-AES256-GCM-SHA384` });
    expect(await outcome(port, tls)).toBe('hello');
  });

  it('fails with the reason tls without a common version, without TLS on the server, and with invalid TLS files', async () => {
    const old = await secure({ ...keyPair('server'), maxVersion: 'TLSv1.1', minVersion: 'TLSv1' });
    expect(await outcome(old, { ca: authority })).toMatch(/^tls: /);
    const plain = await listening(createPlainServer((_request, response) => response.end('hello')));
    expect(await outcome(plain, { ca: authority })).toMatch(/^tls: /);
    const port = await secure(keyPair('server'));
    expect(await outcome(port, { ca: authority, cert: 'no pem', key: 'canary' })).toMatch(/^tls: (?!.*canary)/);
  });
});

it('a reply with too many headers creates no stack trace for each header above the limit', async () => {
  const { stackTraceLimit } = Error;
  const limits: number[] = [];
  const spy = vi.spyOn(Socket.prototype, 'destroy').mockImplementation(function (this: Socket, error) {
    if (error !== undefined && 'code' in error && error.code === 'UND_ERR_HEADERS_OVERFLOW')
      limits.push(Error.stackTraceLimit);
    Duplex.prototype.destroy.call(this, error);
    return this;
  });
  onTestFinished(() => spy.mockRestore());
  const head = `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}\r\n`;
  const { port } = await startTcp((socket) => socket.end(head));
  const pool = openHttpPool({ origin: `http://127.0.0.1:${port}`, sockets: 2 });
  const request = { method: 'GET', path: '/', headers: {}, maxBytes: 100_000 } as const;
  const reply = await pool.request(request, AbortSignal.timeout(30_000));
  await pool.close();
  expect(reply).toMatchObject({ ok: false, error: { reason: 'too_large' } });
  expect(limits).toContain(0);
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
});

describe('a connection to a server with a known certificate', () => {
  it('succeeds with any issuer and names, also for a second connection', async () => {
    for (const name of ['other', 'elsewhere'] as const) {
      const port = await secure(keyPair(name));
      const { fingerprint256: fingerprint } = new X509Certificate(keyPair(name).cert);
      expect(await outcome(port, { fingerprint })).toBe('hello');
      expect(await outcome(port, { fingerprint })).toBe('hello');
    }
  });

  it('is closed before a request is sent if the server has another certificate', async () => {
    let requests = 0;
    const port = await listening(createServer(keyPair('server'), () => (requests += 1)));
    const { fingerprint256: fingerprint } = new X509Certificate(keyPair('other').cert);
    expect(await outcome(port, { fingerprint })).toBe('tls: the certificate of the server is not the expected one');
    expect(requests).toBe(0);
  });
});
