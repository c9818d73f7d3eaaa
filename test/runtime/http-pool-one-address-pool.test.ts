import { createServer as createSecureServer } from 'node:https';
import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HttpPool, HttpRequest, TlsMaterial } from '../../src/kernel/http.ts';
import { openHttpPool, openPinnedPool } from '../../src/runtime/http-pool.ts';
import { listening } from '../support/static-server.ts';
import { eventually, say, sayLast, startTcp, startTwo } from '../support/tcp-server.ts';
import { authority, keyPair } from '../support/tls.ts';
import { rotatingAddresses } from './rotating-names.ts';

const get: HttpRequest = { method: 'GET', path: '/', headers: {}, maxBytes: 10_000 };
const abort = { path: '/abort', once: true, urgent: true } as const;

/** For what ends by itself, on a machine with other work too. */
const soonEnough = (): AbortSignal => AbortSignal.timeout(30_000);

/** A pool of two to a machine with several addresses; it is closed after the test. */
function poolTo(port: number, ...addresses: readonly string[]): HttpPool {
  const pool = openPinnedPool({ origin: `http://graph.test:${port}`, sockets: 2 }, rotatingAddresses(...addresses));
  onTestFinished(() => pool.close());
  return pool;
}

async function outcome(pool: HttpPool, more: Partial<HttpRequest> = {}, until = soonEnough()): Promise<string> {
  const reply = await pool.request({ ...get, ...more }, until);
  if (!reply.ok) return `${reply.error.unsent === true ? 'unsent ' : ''}${reply.error.reason}`;
  return `${reply.value.peer?.split(':')[0]} ${Buffer.from(reply.value.body).toString('utf8')}`;
}

describe('a pool to one address', () => {
  it('leads all its connections there, also those that are opened at the same time', async () => {
    const [one, two] = await startTwo((socket, place) => {
      if (place.request === 1 && socket.localAddress !== undefined) setTimeout(() => say('ok')(socket, place), 20);
    });
    const pool = poolTo(one.port, '127.0.0.1', '127.0.0.2');
    const answers = await Promise.all([outcome(pool), outcome(pool, abort)]);
    expect(new Set(answers)).toEqual(new Set(['127.0.0.1 ok']));
    expect([one.accepted(), two.accepted(), pool.sockets()]).toEqual([2, 0, 2]);
  });

  it('may switch to another address when no connection is open, but not for a request that is restricted to one peer', async () => {
    const [one, two] = await startTwo(sayLast('ok'));
    const pool = poolTo(one.port, '127.0.0.1', '127.0.0.2');
    const peers = [];
    for (let turn = 0; turn < 4; turn += 1) {
      peers.push(await outcome(pool));
      await eventually(() => pool.sockets() === 0);
    }
    expect(new Set(peers)).toEqual(new Set(['127.0.0.1 ok', '127.0.0.2 ok']));
    for (const peer of ['127.0.0.1', '127.0.0.2']) {
      for (let turn = 0; turn < 3; turn += 1) {
        expect(await outcome(pool, { ...abort, restrictTo: { peer: `${peer}:${one.port}` } })).toBe(`${peer} ok`);
        await eventually(() => pool.sockets() === 0);
      }
    }
    expect([...one.requests, ...two.requests].filter((line) => line.startsWith('GET /abort'))).toHaveLength(6);
  });

  it('takes a kept connection before a new one', async () => {
    const { port, accepted } = await startTcp(say('ok'));
    const pool = poolTo(port, '127.0.0.1');
    for (let turn = 0; turn < 5; turn += 1) expect(await outcome(pool)).toBe('127.0.0.1 ok');
    expect(await outcome(pool, abort)).toBe('127.0.0.1 ok');
    expect(accepted()).toBe(1);
  });

  it('has a place for an abort while lists hang, however many', async () => {
    const server = await startTcp((socket, place) => {
      if (server.requests.at(-1)?.includes('/abort') === true) say('ok')(socket, place);
    });
    const pool = poolTo(server.port, '127.0.0.1');
    const cut = new AbortController();
    const lists = Array.from({ length: 10 }, () => outcome(pool, {}, cut.signal));
    await eventually(() => server.requests.length === 1);
    for (let turn = 0; turn < 3; turn += 1) expect(await outcome(pool, abort)).toBe('127.0.0.1 ok');
    expect(pool.sockets()).toBe(2);
    cut.abort();
    expect(new Set(await Promise.all(lists))).toEqual(new Set(['timeout', 'unsent timeout']));
  });

  it('has not sent what found no place in time, or was given up before', async () => {
    const { port, requests } = await startTcp(() => undefined);
    const pool = poolTo(port, '127.0.0.1');
    const cut = new AbortController();
    const hanging = [outcome(pool, abort, cut.signal), outcome(pool, abort, cut.signal)];
    await eventually(() => requests.length === 2);
    expect(await outcome(pool, abort, AbortSignal.timeout(50))).toBe('unsent timeout');
    const reply = await pool.request({ ...get, ...abort }, AbortSignal.abort());
    expect(reply).toMatchObject({ ok: false, error: { unsent: true } });
    cut.abort();
    expect([await Promise.all(hanging), requests.length]).toEqual([['timeout', 'timeout'], 2]);
  });

  it('gives up what would leave too late, and nothing else', async () => {
    const answers = Promise.withResolvers<void>();
    const { port, requests } = await startTcp((socket, place) => answers.promise.then(() => say('ok')(socket, place)));
    const pool = poolTo(port, '127.0.0.1');
    const inTime = { ...abort, leaveWithin: 30_000 };
    const first = [outcome(pool, inTime), outcome(pool, abort)];
    await eventually(() => requests.length === 2);
    expect(await outcome(pool, { ...abort, connectTimeout: 50 })).toBe('unsent timeout');
    answers.resolve();
    expect(await Promise.all(first)).toEqual(['127.0.0.1 ok', '127.0.0.1 ok']);
    expect([await outcome(pool, inTime), requests.length]).toEqual(['127.0.0.1 ok', 3]);
  });

  it('ends with what is under way when it is closed', async () => {
    const { port, requests } = await startTcp(() => undefined);
    const pool = poolTo(port, '127.0.0.1');
    const running = outcome(pool, abort);
    await eventually(() => requests.length === 1);
    await pool.close();
    expect([await running, await outcome(pool, abort)]).toEqual(['unreachable', 'unsent unreachable']);
    await eventually(() => pool.sockets() === 0);
  });

  it('is opened on request; any other pool rejects a request that is restricted to a peer', async () => {
    const { port, requests } = await startTcp(say('ok'));
    const origin = `http://localhost:${port}`;
    const [plain, one] = [{}, { oneAddress: true }].map((more) => openHttpPool({ origin, sockets: 2, ...more }));
    onTestFinished(async () => {
      await Promise.all([plain?.close(), one?.close()]);
    });
    const restrictTo = { peer: `127.0.0.1:${port}` };
    const ask = async (pool?: HttpPool): Promise<unknown> => pool?.request({ ...get, restrictTo }, soonEnough());
    expect(await ask(one)).toMatchObject({ ok: true, value: { peer: restrictTo.peer } });
    expect(await ask(plain)).toMatchObject({ ok: false, error: { reason: 'unreachable', unsent: true } });
    expect(requests).toHaveLength(1);
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

describe('with TLS', () => {
  it('never sends what was given up while it was connecting', async () => {
    const { port, open, requests } = await behindDoor();
    const pool = secureTo(port, { ca: authority });
    expect(await outcome(pool, abort, AbortSignal.timeout(100))).toBe('unsent timeout');
    expect(await outcome(pool, { ...abort, connectTimeout: 100 })).toBe('unsent timeout');
    open();
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(requests()).toBe(0);
    expect([await outcome(pool), await outcome(pool, abort), requests()]).toEqual(['127.0.0.1 ok', '127.0.0.1 ok', 2]);
  });

  it('goes on after material with which no connection can begin', async () => {
    const { port, open } = await behindDoor();
    const broken = secureTo(port, { ca: authority, cert: 'no certificate', key: 'no key' });
    for (let turn = 0; turn < 2; turn += 1) expect(await outcome(broken, abort)).toMatch(/^unsent /);
    open();
  });
});
