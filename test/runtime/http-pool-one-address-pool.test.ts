import { createServer as createSecureServer } from 'node:https';
import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HttpPool, HttpRequest, TlsMaterial } from '../../src/kernel/http.ts';
import { openHttpPool, openPinnedPool } from '../../src/runtime/http-pool.ts';
import { listening } from '../support/static-server.ts';
import { eventually, respond, respondAndClose, startTcp, startTcpPair } from '../support/tcp-server.ts';
import { authority, keyPair } from '../support/tls.ts';
import { rotatingAddresses } from './rotating-names.ts';

const get: HttpRequest = { method: 'GET', path: '/', headers: {}, maxBytes: 10_000 };

/** For what ends by itself, on a machine with other work too. */
const soonEnough = (): AbortSignal => AbortSignal.timeout(30_000);

/** A pool of two to a machine with several addresses; it is closed after the test. */
function poolTo(port: number, ...addresses: readonly string[]): HttpPool {
  const pool = openPinnedPool({ origin: `http://graph.test:${port}`, sockets: 2 }, rotatingAddresses(...addresses));
  onTestFinished(() => pool.close());
  return pool;
}

/** Returns the connection of a list that was received just now. */
async function listedOver(pool: HttpPool): Promise<string> {
  const reply = await pool.request(get, soonEnough());
  return (reply.ok && reply.value.connection) || expect.fail('no list');
}

/** An abort over a connection. */
function abortOver(connection: string): Partial<HttpRequest> {
  return { path: '/abort', bound: { connection, mayWrite: () => true } };
}

async function outcome(pool: HttpPool, more: Partial<HttpRequest> = {}, until = soonEnough()): Promise<string> {
  const reply = await pool.request({ ...get, ...more }, until);
  if (!reply.ok) return `${reply.error.unsent === true ? 'unsent ' : ''}${reply.error.reason}`;
  return `${reply.value.peer?.split(':')[0]} ${Buffer.from(reply.value.body).toString('utf8')}`;
}

describe('a pool to one address', () => {
  it('may switch to another address when no connection is open', async () => {
    const [one] = await startTcpPair(respondAndClose('ok'));
    const pool = poolTo(one.port, '127.0.0.1', '127.0.0.2');
    const peers = [];
    for (let turn = 0; turn < 4; turn += 1) {
      peers.push(await outcome(pool));
      await eventually(() => pool.sockets() === 0);
    }
    expect(new Set(peers)).toEqual(new Set(['127.0.0.1 ok', '127.0.0.2 ok']));
  });

  it('keeps its connections, and lists alternate between them', async () => {
    const { port, accepted } = await startTcp(respond('ok'));
    const pool = poolTo(port, '127.0.0.1');
    for (let turn = 0; turn < 5; turn += 1) expect(await outcome(pool)).toBe('127.0.0.1 ok');
    expect(await outcome(pool, abortOver(await listedOver(pool)))).toBe('127.0.0.1 ok');
    expect(accepted()).toBe(2);
  });

  it('sends an abort over the connection of its list while the next list hangs', async () => {
    const server = await startTcp((socket, place) => {
      if (server.requests.length !== 2) respond('ok')(socket, place);
    });
    const pool = poolTo(server.port, '127.0.0.1');
    const connection = await listedOver(pool);
    const cut = new AbortController();
    const hanging = outcome(pool, {}, cut.signal);
    await eventually(() => server.requests.length === 2);
    expect(await outcome(pool, abortOver(connection))).toBe('127.0.0.1 ok');
    cut.abort();
    expect(await hanging).toBe('timeout');
  });

  it('sends lists over the other connection while an abort has no answer, to the same address', async () => {
    const [one, two] = await startTcpPair((socket, place) => {
      if (one.requests.at(-1)?.includes('/abort') !== true) respond('ok')(socket, place);
    });
    const pool = poolTo(one.port, '127.0.0.1', '127.0.0.2');
    const connection = await listedOver(pool);
    const cut = new AbortController();
    const hanging = outcome(pool, abortOver(connection), cut.signal);
    await eventually(() => one.requests.length + two.requests.length === 2);
    for (let turn = 0; turn < 5; turn += 1) expect(await listedOver(pool)).not.toBe(connection);
    expect(Math.min(one.accepted(), two.accepted())).toBe(0);
    cut.abort();
    expect(await hanging).toBe('timeout');
  });

  it('sends no abort while another one has no answer', async () => {
    const server = await startTcp((socket, place) => {
      if (server.requests.at(-1)?.includes('/abort') !== true) respond('ok')(socket, place);
    });
    const pool = poolTo(server.port, '127.0.0.1');
    const cut = new AbortController();
    const first = outcome(pool, abortOver(await listedOver(pool)), cut.signal);
    await eventually(() => server.requests.length === 2);
    const second = await listedOver(pool);
    expect(await outcome(pool, abortOver(second), AbortSignal.timeout(50))).toBe('unsent timeout');
    cut.abort();
    expect([await first, server.requests.length]).toEqual(['timeout', 3]);
  });

  it('does not send an abort that was cancelled before, or whose connection is unknown', async () => {
    const { port, requests } = await startTcp(respond('ok'));
    const pool = poolTo(port, '127.0.0.1');
    const connection = await listedOver(pool);
    const reply = await pool.request({ ...get, ...abortOver(connection) }, AbortSignal.abort());
    expect(reply).toMatchObject({ ok: false, error: { unsent: true } });
    expect(await outcome(pool, abortOver('another'))).toBe('unsent unreachable');
    expect(requests).toHaveLength(1);
  });

  it('names no connection for aborts if the server closes it after the list', async () => {
    const { port } = await startTcp(respondAndClose('ok'));
    const reply = await poolTo(port, '127.0.0.1').request(get, soonEnough());
    expect(reply).toMatchObject({ ok: true, value: { peer: `127.0.0.1:${port}` } });
    expect(reply.ok && reply.value).not.toHaveProperty('connection');
  });

  it('ends requests in flight when it is closed', async () => {
    const { port, requests } = await startTcp((socket, place) => place.request === 1 && respond('ok')(socket, place));
    const pool = poolTo(port, '127.0.0.1');
    const connection = await listedOver(pool);
    const running = outcome(pool, abortOver(connection));
    await eventually(() => requests.length === 2);
    await pool.close();
    expect([await running, await outcome(pool, abortOver(connection))]).toEqual(['unreachable', 'unsent unreachable']);
    await eventually(() => pool.sockets() === 0);
  });

  it('is opened on request; any other pool rejects an abort', async () => {
    const { port, requests } = await startTcp(respond('ok'));
    const origin = `http://localhost:${port}`;
    const [plain, one] = [{}, { oneAddress: true }].map((more) => openHttpPool({ origin, sockets: 2, ...more }));
    onTestFinished(async () => {
      await Promise.all([plain?.close(), one?.close()]);
    });
    if (plain === undefined || one === undefined) expect.fail();
    expect(await outcome(one, abortOver(await listedOver(one)))).toBe('127.0.0.1 ok');
    expect(await outcome(plain, abortOver('c1'))).toBe('unsent unreachable');
    expect(requests).toHaveLength(2);
  });
});

describe('a pool behind a load balancer that balances connections', () => {
  it('sends each abort to the machine of its list, or not at all', async () => {
    const servers = await Promise.all(
      ['one', 'two'].map((name) =>
        startTcp((socket, place) => (place.request % 4 === 3 ? respondAndClose(name) : respond(name))(socket, place)),
      ),
    );
    let accepted = 0;
    const balancer = createServer((near) => {
      const target = servers[accepted % 2];
      accepted += 1;
      const far = connect(target?.port ?? 0, '127.0.0.1').on('error', () => near.destroy());
      near.on('error', () => undefined).on('close', () => far.destroy());
      far.on('close', () => near.destroy());
      near.pipe(far).pipe(near);
    });
    await new Promise<void>((resolve) => balancer.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void balancer.close());
    const address = balancer.address();
    const pool = poolTo(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1');
    const seen: string[] = [];
    for (let turn = 0; turn < 60; turn += 1) {
      const list = await pool.request(get, soonEnough());
      if (!list.ok) expect.fail(list.error.message);
      if (turn % 3 === 0) await eventually(() => pool.sockets() > 0 || turn % 4 !== 3);
      const abort = await outcome(pool, abortOver(list.value.connection ?? ''));
      const machine = Buffer.from(list.value.body).toString('utf8');
      seen.push(abort.startsWith('unsent') ? 'unsent' : abort === `127.0.0.1 ${machine}` ? 'same' : `astray ${abort}`);
    }
    expect(new Set(seen)).toEqual(new Set(['same', 'unsent']));
    expect(servers.every(({ requests }) => requests.length > 20)).toBe(true);
  });
});

/** A server behind a door that stays shut until it is opened. */
async function behindDoor(): Promise<{ port: number; open: () => void; requests: () => number }> {
  let requests = 0;
  const server = createSecureServer(keyPair('server'), (_request, response) => {
    requests += 1;
    response.end('ok');
  });
  const target = await listening(server);
  const opened = Promise.withResolvers<void>();
  const door = createServer((near: Socket) => {
    near.pause().on('error', () => undefined);
    void opened.promise.then(() => {
      const far = connect(target, '127.0.0.1').on('error', () => undefined);
      near.on('close', () => far.destroy());
      return near.pipe(far).pipe(near);
    });
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void door.close());
  const address = door.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return { port, open: () => opened.resolve(), requests: () => requests };
}

function secureTo(port: number, tls: TlsMaterial): HttpPool {
  const pool = openPinnedPool({ origin: `https://localhost:${port}`, sockets: 2, tls }, rotatingAddresses('127.0.0.1'));
  onTestFinished(() => pool.close());
  return pool;
}

describe('a pool to one address with TLS', () => {
  it('never sends a request that was aborted while it was connecting', async () => {
    const { port, open, requests } = await behindDoor();
    const pool = secureTo(port, { ca: authority });
    expect(await outcome(pool, {}, AbortSignal.timeout(100))).toBe('timeout');
    open();
    const connection = await listedOver(pool);
    expect([await outcome(pool, abortOver(connection)), requests()]).toEqual(['127.0.0.1 ok', 2]);
  });

  it('recovers from TLS material that cannot be used', async () => {
    const { port, open } = await behindDoor();
    const broken = secureTo(port, { ca: authority, cert: 'no certificate', key: 'no key' });
    for (let turn = 0; turn < 2; turn += 1) expect(await outcome(broken)).toMatch(/^(tls|unreachable)/);
    open();
  });
});
