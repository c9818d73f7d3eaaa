import { describe, expect, it, onTestFinished } from 'vitest';
import type { HttpRequest } from '../../src/kernel/http.ts';
import { BodyRoom } from '../../src/runtime/body-room.ts';
import { Lane } from '../../src/runtime/lane.ts';
import { OneAddress } from '../../src/runtime/one-address.ts';
import { eventually, say, sayLast, startTcp, startTwo, type Talk } from '../support/tcp-server.ts';
import { turning } from './names.ts';

const get: HttpRequest = { method: 'GET', path: '/', headers: {}, maxBytes: 10_000 };
const once = { once: true } as const;
const patiently = (): AbortSignal => AbortSignal.timeout(30_000);

/** A lane to a name that has these addresses; it is closed after the test. */
function laneTo(port: number, ...addresses: readonly string[]): Lane {
  const address = new OneAddress(turning(...addresses));
  const lane = new Lane({ origin: `http://graph.test:${port}`, tls: {}, address, room: new BodyRoom() });
  onTestFinished(() => lane.dispatcher.destroy());
  return lane;
}

/** What comes of a request: the body, or the reason with whether nothing left. */
async function outcome(lane: Lane, more: Partial<HttpRequest> = {}, signal = patiently()): Promise<string> {
  const reply = await lane.carry({ ...get, ...more }, signal);
  if (reply.ok) return Buffer.from(reply.value.body).toString('utf8');
  return `${reply.error.unsent === true ? 'unsent' : 'lost'}: ${reply.error.message}`;
}

describe('a lane', () => {
  it('tells who answered, keeps its connection and knows whether it has one', async () => {
    const { port, accepted } = await startTcp(say('ok'));
    const lane = laneTo(port, '127.0.0.1');
    expect(lane.isOpen()).toBe(false);
    const reply = await lane.carry(get, patiently());
    expect(reply).toMatchObject({ ok: true, value: { status: 200, peer: `127.0.0.1:${port}` } });
    expect([lane.isOpen(), lane.connector.open()]).toEqual([true, 1]);
    expect([await outcome(lane), accepted()]).toEqual(['ok', 1]);
  });

  it('tells who answered also where that one has hung up', async () => {
    const { port, open } = await startTcp(sayLast('ok'));
    const lane = laneTo(port, '127.0.0.1');
    expect(await lane.carry(get, patiently())).toMatchObject({ value: { peer: `127.0.0.1:${port}` } });
    await eventually(() => open() === 0 && lane.connector.open() === 0);
    expect(lane.isOpen()).toBe(false);
  });
});

describe('lanes that share an address', () => {
  it('refuse a connection that leads elsewhere, whatever was dialled', async () => {
    const [one, two] = await startTwo(say('ok'));
    const address = new OneAddress(turning());
    const [first, second] = ['127.0.0.1', '127.0.0.2'].map((host) => {
      const lane = new Lane({ origin: `http://${host}:${one.port}`, tls: {}, address, room: new BodyRoom() });
      onTestFinished(() => lane.dispatcher.destroy());
      return lane;
    });
    if (first === undefined || second === undefined) throw new Error('there are two');
    expect(await outcome(first)).toBe('ok');
    expect(await outcome(second)).toBe('unsent: the connection leads to another address');
    expect(two.requests).toEqual([]);
  });
});

describe('what may go to one peer only', () => {
  it('goes there over a kept connection', async () => {
    const { port } = await startTcp(say('ok'));
    const lane = laneTo(port, '127.0.0.1');
    await outcome(lane);
    expect(await outcome(lane, { only: { peer: `127.0.0.1:${port}` } })).toBe('ok');
  });

  it('goes there over a new connection, whatever the name resolves to first', async () => {
    const [one, two] = await startTwo(say('ok'));
    for (let turn = 0; turn < 6; turn += 1) {
      const lane = laneTo(one.port, '127.0.0.1', '127.0.0.2');
      expect(await outcome(lane, { ...once, only: { peer: `127.0.0.2:${one.port}` } })).toBe('ok');
    }
    expect([one.accepted(), two.requests.length]).toEqual([0, 6]);
  });

  it.each(['', '127.0.0.1', '127.0.0.2:1', 'graph.test:80'])('goes nowhere where that is %j', async (peer) => {
    const { port, requests } = await startTcp(say('ok'));
    const [kept, fresh] = [laneTo(port, '127.0.0.1'), laneTo(port, '127.0.0.1')];
    await outcome(kept);
    const elsewhere = 'unsent: the connection leads to another address';
    for (const lane of [kept, fresh]) expect(await outcome(lane, { ...once, only: { peer } })).toBe(elsewhere);
    expect(requests).toHaveLength(1);
  });

  it('cannot be sent to an address that the name does not have', async () => {
    const [one, two] = await startTwo(say('ok'));
    const lane = laneTo(one.port, '127.0.0.1');
    const only = { peer: `127.0.0.2:${one.port}` };
    expect(await outcome(lane, { ...once, only })).toBe('unsent: the connection leads to another address');
    expect([one.accepted(), two.accepted()]).toEqual([0, 0]);
  });

  it('is checked against who is there indeed, where the url names no name', async () => {
    const { port, requests } = await startTcp(say('ok'));
    const address = new OneAddress(turning());
    const lane = new Lane({ origin: `http://127.0.0.1:${port}`, tls: {}, address, room: new BodyRoom() });
    onTestFinished(() => lane.dispatcher.destroy());
    expect(await outcome(lane, { ...once, only: { peer: `127.0.0.2:${port}` } })).toMatch(/^unsent/);
    expect(requests).toEqual([]);
    await eventually(() => lane.connector.open() === 0);
    expect(await outcome(lane, { ...once, only: { peer: `127.0.0.1:${port}` } })).toBe('ok');
  });
});

const silence: Talk = () => undefined;

/** Nobody waits for an answer out of silence once the request has arrived. */
function patientlyBut(talk: Talk, hasArrived: () => boolean): AbortSignal {
  if (talk !== silence) return patiently();
  const cut = new AbortController();
  void eventually(hasArrived).then(() => cut.abort());
  return cut.signal;
}

describe('what may be sent once only', () => {
  const troubles: readonly (readonly [string, Talk])[] = [
    ['a reset', (socket) => socket.resetAndDestroy()],
    ['an end', (socket) => socket.end()],
    ['a reset within the head', (socket) => socket.write('HTTP/1.1 200 OK\r\n', () => socket.resetAndDestroy())],
    ['an end within the body', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{')],
    ['a redirect', (socket) => socket.end('HTTP/1.1 307 T\r\nlocation: /again\r\ncontent-length: 0\r\n\r\n')],
    ['something that is not HTTP', (socket) => socket.end('SSH-2.0-OpenSSH\r\n')],
    ['silence', silence],
  ];

  it.each(troubles)('is sent once and lost where it meets %s', async (_what, talk) => {
    const { port, requests } = await startTcp(talk);
    const lane = laneTo(port, '127.0.0.1');
    const met = outcome(
      lane,
      once,
      patientlyBut(talk, () => requests.length === 1),
    );
    expect(await met).toMatch(/^lost/);
    expect(requests).toEqual(['GET / HTTP/1.1']);
  });

  it.each(troubles)('is sent once and lost where a kept connection meets it with %s', async (_what, talk) => {
    const server = await startTcp((socket, place) => (place.request > 1 ? talk : say('ok'))(socket, place));
    const lane = laneTo(server.port, '127.0.0.1');
    expect(await outcome(lane)).toBe('ok');
    const met = outcome(
      lane,
      { ...once, path: '/two' },
      patientlyBut(talk, () => server.requests.length === 2),
    );
    expect(await met).toMatch(/^lost/);
    expect([server.requests, server.accepted()]).toEqual([['GET / HTTP/1.1', 'GET /two HTTP/1.1'], 1]);
  });

  it('is sent again otherwise, where a kept connection turns out to be closed', async () => {
    const server = await startTcp((socket, place) =>
      (place.request > 1 ? troubles[0]?.[1] : say('ok'))?.(socket, place),
    );
    const lane = laneTo(server.port, '127.0.0.1');
    expect([await outcome(lane), await outcome(lane)]).toEqual(['ok', 'ok']);
    expect(server.accepted()).toBe(2);
  });

  it('gets a new connection where the kept one has gone in time', async () => {
    const server = await startTcp(sayLast('ok'));
    const lane = laneTo(server.port, '127.0.0.1');
    await outcome(lane);
    await eventually(() => lane.connector.open() === 0);
    expect([await outcome(lane, once), server.accepted()]).toEqual(['ok', 2]);
  });

  it('gets no second connection, even if something below wanted one', async () => {
    const server = await startTcp((socket) => socket.resetAndDestroy());
    const lane = laneTo(server.port, '127.0.0.1');
    const order = outcome(lane, once);
    const again = lane.dispatcher.request({ method: 'GET', path: '/again' });
    expect(await order).toMatch(/^lost/);
    await expect(again).rejects.toMatchObject({ code: 'CLOSED_MEANWHILE' });
    expect([server.requests, server.accepted()]).toEqual([['GET / HTTP/1.1'], 1]);
  });

  it('has not left where there is no connection at all', async () => {
    const { port } = await startTcp(say('ok'), '127.0.0.2');
    expect(await outcome(laneTo(port, '127.0.0.3'), once)).toBe('unsent: the connection was refused');
  });
});
