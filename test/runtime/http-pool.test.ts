import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { HttpPool, HttpRequest } from '../../src/kernel/http.ts';
import { openHttpPool } from '../../src/runtime/http-pool.ts';
import { listening, startStaticServer } from '../support/static-server.ts';
import { eventually } from '../support/tcp-server.ts';

const get: HttpRequest = { method: 'GET', path: '/?canary=1', headers: {}, maxBytes: 10_000 };

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** A server on bare TCP: `talk` gets every connection after its first bytes have come. */
async function tcp(
  talk: (socket: Socket, connections: number) => void,
): Promise<{ port: number; open: () => number; peak: () => number }> {
  const sockets = new Set<Socket>();
  let peak = 0;
  let connections = 0;
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    connections += 1;
    const mine = connections;
    peak = Math.max(peak, sockets.size);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', () => talk(socket, mine));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, open: () => sockets.size, peak: () => peak };
}

function poolTo(port: number, sockets = 4): HttpPool {
  const pool = openHttpPool({ origin: `http://127.0.0.1:${port}`, sockets });
  cleanups.push(() => pool.close());
  return pool;
}

async function outcome(pool: HttpPool, request: Partial<HttpRequest> = {}, deadline = 30_000): Promise<string> {
  const reply = await pool.request({ ...get, ...request }, AbortSignal.timeout(deadline));
  expect(JSON.stringify(reply.ok ? '' : reply.error)).not.toContain('canary');
  return reply.ok ? `${reply.value.status} ${Buffer.from(reply.value.body).toString('utf8')}` : reply.error.reason;
}

const head = (length: number): string => `HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n`;

describe('a request', () => {
  it('sends method, path, headers and body and returns the response', async () => {
    const server = await startStaticServer({
      'POST /a/b': { status: 201, headers: { 'X-One': '1' }, body: 'made' },
    });
    const pool = openHttpPool({ origin: server.url, sockets: 1 });
    cleanups.push(() => pool.close());
    const headers = { authorization: 'Bearer t', 'content-type': 'application/json' };
    const reply = await pool.request(
      { method: 'POST', path: '/a/b?c=d', headers, body: '{"e":1}', maxBytes: 100 },
      AbortSignal.timeout(30_000),
    );
    expect(reply).toMatchObject({ ok: true, value: { status: 201, headers: { 'x-one': '1' } } });
    expect(server.seen).toMatchObject([{ method: 'POST', url: '/a/b?c=d', headers, body: '{"e":1}' }]);
  });

  it('keeps its connection, and opens no more than it needs', async () => {
    const { port, peak } = await tcp((socket) => socket.write(`${head(2)}ok`));
    const pool = poolTo(port);
    for (let turn = 0; turn < 5; turn += 1) expect(await outcome(pool)).toBe('200 ok');
    // Sometimes undici is still tidying up after one answer when the next request comes.
    expect(Math.max(pool.sockets(), peak())).toBeLessThanOrEqual(2);
  });

  it('is repeated on a new connection if the kept one was closed', async () => {
    const { port } = await tcp((socket, connection) => {
      const seen = socket.bytesRead;
      // The second request of the first connection is met with a reset, as a restarted server would.
      if (connection === 1 && seen > 100) socket.resetAndDestroy();
      else socket.write(`${head(2)}ok`);
    });
    const pool = poolTo(port);
    expect(await outcome(pool)).toBe('200 ok');
    expect(await outcome(pool, { headers: { 'x-long': 'x'.repeat(100) } })).toBe('200 ok');
  });
});

describe('a failed request', () => {
  it('is unreachable if no server listens', async () => {
    const { port } = await tcp(() => undefined);
    await cleanups.pop()?.();
    expect(await outcome(poolTo(port))).toBe('unreachable');
  });

  it('is unreachable if the host is unknown', async () => {
    const pool = openHttpPool({ origin: 'http://no-such-host.invalid:1', sockets: 1 });
    cleanups.push(() => pool.close());
    expect(await outcome(pool)).toBe('unreachable');
  });

  it.each([
    ['a reset instead of an answer', (socket: Socket) => socket.resetAndDestroy(), 'unreachable'],
    ['an end instead of an answer', (socket: Socket) => socket.end(), 'unreachable'],
    [
      'a reset within the body',
      (socket: Socket) => socket.write(`${head(100)}{`, () => socket.resetAndDestroy()),
      'unreachable',
    ],
    ['an end within the body', (socket: Socket) => socket.end(`${head(100)}{`), 'unreachable'],
    ['something that is not HTTP', (socket: Socket) => socket.end('SSH-2.0-OpenSSH\r\n'), 'unreachable'],
    [
      'headers without end',
      (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`),
      'too_large',
    ],
    [
      'a redirect',
      (socket: Socket) => socket.end('HTTP/1.1 302 Found\r\nlocation: /?canary\r\ncontent-length: 0\r\n\r\n'),
      'unreachable',
    ],
    ['a length above the limit', (socket: Socket) => socket.write(`${head(100_000_000)}{`), 'too_large'],
  ])('has the reason $2 for $0', async (_what, talk, reason) => {
    const { port } = await tcp(talk);
    expect(await outcome(poolTo(port))).toBe(reason);
  });

  it.each([
    ['no answer at all', () => undefined],
    ['headers and then nothing', (socket: Socket) => socket.write(head(10))],
    ['a slow drip', (socket: Socket) => drip(socket)],
  ])('times out at the deadline with %s', async (_what, talk) => {
    const { port, open } = await tcp(talk);
    const pool = poolTo(port);
    expect(await outcome(pool, {}, 100)).toBe('timeout');
    await eventually(() => open() === 0 && pool.sockets() === 0);
  });

  it('is not sent if its signal has already aborted', async () => {
    const { port, peak } = await tcp(() => undefined);
    const reply = await poolTo(port).request(get, AbortSignal.abort());
    expect(reply).toMatchObject({ ok: false, error: { reason: 'timeout' } });
    expect(peak()).toBe(0);
  });

  it('is too large with a body of 100 MB without a length, and uses no more memory than the limit', async () => {
    const piece = Buffer.alloc(65_536);
    const { port, open } = await tcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      pump(socket, piece);
    });
    const before = process.memoryUsage.rss();
    expect(await outcome(poolTo(port), { maxBytes: 1_000_000 })).toBe('too_large');
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1_048_576);
    await eventually(() => open() === 0);
  });

  it('is too large with a gzip bomb, which is not decompressed completely', async () => {
    const bomb = gzipSync(Buffer.alloc(100_000_000));
    const server = await startStaticServer({ 'GET /': { headers: { 'content-encoding': 'gzip' }, body: bomb } });
    const pool = openHttpPool({ origin: server.url, sockets: 1 });
    cleanups.push(() => pool.close());
    const before = process.memoryUsage.rss();
    expect(await outcome(pool, { maxBytes: 200_000 })).toBe('too_large');
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1_048_576);
  });
});

describe('the limit of sockets', () => {
  it('holds with a thousand requests to a hanging server, which all end at their deadline', async () => {
    const { port, peak, open } = await tcp(() => undefined);
    const pool = poolTo(port);
    const began = performance.now();
    const outcomes = await Promise.all(Array.from({ length: 1000 }, () => outcome(pool, {}, 300)));
    expect(new Set(outcomes)).toEqual(new Set(['timeout']));
    // Four at a time they would take 75 s.
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(peak()).toBeLessThanOrEqual(4);
    await eventually(() => open() === 0 && pool.sockets() === 0);
  });

  it('reports how long a request waited for a connection, whether it was sent or not', async () => {
    const waiting: Socket[] = [];
    const { port } = await tcp((socket) => waiting.push(socket));
    const pool = poolTo(port, 1);
    const first = pool.request(get, AbortSignal.timeout(30_000));
    const second = pool.request(get, AbortSignal.timeout(30_000));
    const unsent = await pool.request(get, AbortSignal.timeout(50));
    expect(unsent).toMatchObject({ ok: false, error: { reason: 'timeout' } });
    expect(unsent.ok ? 0 : unsent.error.queued).toBeGreaterThanOrEqual(45);
    await eventually(() => waiting.length === 1);
    waiting[0]?.write(`${head(2)}ok`);
    const answered = await first;
    expect(answered).toMatchObject({ ok: true });
    expect(answered.ok && answered.value.queued).toBeUndefined();
    await eventually(() => waiting.length === 2);
    waiting[1]?.write(`${head(2)}ok`);
    const queued = await second;
    expect(queued.ok ? queued.value.queued : 0).toBeGreaterThanOrEqual(45);
  });

  it('serves a thousand requests through four connections', async () => {
    let connections = 0;
    const server = createHttpServer((_request, response) => response.end('ok'));
    server.on('connection', () => {
      connections += 1;
    });
    const pool = poolTo(await listening(server));
    const outcomes = await Promise.all(Array.from({ length: 1000 }, () => outcome(pool)));
    expect(new Set(outcomes)).toEqual(new Set(['200 ok']));
    expect(connections).toBe(4);
    expect(pool.sockets()).toBe(4);
  });
});

describe('recovery', () => {
  it('is complete with the first valid reply, after any fault', async () => {
    const faults: ((socket: Socket) => unknown)[] = [
      (socket) => socket.resetAndDestroy(),
      (socket) => socket.end(`${head(100)}{`),
      (socket) => socket.write(head(10)),
      (socket) => socket.write(`${head(100_000_000)}{`),
      (socket) => socket.end('garbage\r\n\r\n'),
    ];
    let fault: ((socket: Socket) => unknown) | undefined;
    const { port } = await tcp((socket) => (fault ?? ((fine) => fine.write(`${head(2)}ok`)))(socket));
    const pool = poolTo(port, 1);
    for (fault of faults) {
      expect(await outcome(pool, {}, 100)).not.toBe('200 ok');
      fault = undefined;
      expect(await outcome(pool)).toBe('200 ok');
    }
  });

  it('ends with close: requests in flight end, and new ones are rejected', async () => {
    const { port, open } = await tcp(() => undefined);
    const pool = poolTo(port);
    const running = outcome(pool);
    await eventually(() => open() === 1);
    await pool.close();
    expect(await running).toBe('unreachable');
    expect(await outcome(pool)).toBe('unreachable');
    await eventually(() => open() === 0);
    expect(pool.sockets()).toBe(0);
  });
});

function drip(socket: Socket): void {
  socket.write(head(1000));
  const timer = setInterval(() => socket.write('x'), 10);
  socket.on('close', () => clearInterval(timer));
}

function pump(socket: Socket, piece: Uint8Array): void {
  while (!socket.destroyed && socket.write(piece));
  if (!socket.destroyed) socket.once('drain', () => pump(socket, piece));
}
