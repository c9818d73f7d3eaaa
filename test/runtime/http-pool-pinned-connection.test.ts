import { describe, expect, it, onTestFinished } from 'vitest';
import type { HttpRequest } from '../../src/kernel/http.ts';
import { BodyBufferPool } from '../../src/runtime/body-buffer.ts';
import { PinnedConnection } from '../../src/runtime/http-pool.ts';
import { PinnedAddress } from '../../src/runtime/pinned-address.ts';
import { eventually, say, sayLast, startTcp, startTwo, type Talk } from '../support/tcp-server.ts';
import { rotatingAddresses } from './rotating-names.ts';

const get: HttpRequest = { method: 'GET', path: '/', headers: {}, maxBytes: 10_000 };
const once = { sendOnce: true } as const;
const patiently = (): AbortSignal => AbortSignal.timeout(30_000);

/** Returns a connection to a name that has these addresses; it is closed after the test. */
function connectionTo(port: number, ...addresses: readonly string[]): PinnedConnection {
  const address = new PinnedAddress(rotatingAddresses(...addresses));
  const connection = new PinnedConnection({
    origin: `http://graph.test:${port}`,
    tls: {},
    address,
    buffers: new BodyBufferPool(),
  });
  onTestFinished(() => connection.dispatcher.destroy());
  return connection;
}

/** Returns the body of a request, or its failure with `unsent` if no byte was sent. */
async function outcome(
  connection: PinnedConnection,
  more: Partial<HttpRequest> = {},
  signal = patiently(),
): Promise<string> {
  const reply = await connection.send({ ...get, ...more }, signal);
  if (reply.ok) return Buffer.from(reply.value.body).toString('utf8');
  return `${reply.error.unsent === true ? 'unsent' : 'lost'}: ${reply.error.message}`;
}

describe('a pinned connection', () => {
  it('reports the peer, keeps its socket and knows whether a socket is open', async () => {
    const { port, accepted } = await startTcp(say('ok'));
    const connection = connectionTo(port, '127.0.0.1');
    expect(connection.isOpen()).toBe(false);
    const reply = await connection.send(get, patiently());
    expect(reply).toMatchObject({ ok: true, value: { status: 200, peer: `127.0.0.1:${port}` } });
    expect([connection.isOpen(), connection.connector.open()]).toEqual([true, 1]);
    expect([await outcome(connection), accepted()]).toEqual(['ok', 1]);
  });

  it('reports the peer even if the peer has closed the socket', async () => {
    const { port, open } = await startTcp(sayLast('ok'));
    const connection = connectionTo(port, '127.0.0.1');
    expect(await connection.send(get, patiently())).toMatchObject({ value: { peer: `127.0.0.1:${port}` } });
    await eventually(() => open() === 0 && connection.connector.open() === 0);
    expect(connection.isOpen()).toBe(false);
  });
});

describe('pinned connections that share an address', () => {
  it('reject a socket to another address, whatever host was dialled', async () => {
    const [one, two] = await startTwo(say('ok'));
    const address = new PinnedAddress(rotatingAddresses());
    const [first, second] = ['127.0.0.1', '127.0.0.2'].map((host) => {
      const connection = new PinnedConnection({
        origin: `http://${host}:${one.port}`,
        tls: {},
        address,
        buffers: new BodyBufferPool(),
      });
      onTestFinished(() => connection.dispatcher.destroy());
      return connection;
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
    const connection = connectionTo(port, '127.0.0.1');
    await outcome(connection);
    expect(await outcome(connection, { restrictTo: { peer: `127.0.0.1:${port}` } })).toBe('ok');
  });

  it('goes there over a new connection, whatever the name resolves to first', async () => {
    const [one, two] = await startTwo(say('ok'));
    for (let turn = 0; turn < 6; turn += 1) {
      const connection = connectionTo(one.port, '127.0.0.1', '127.0.0.2');
      expect(await outcome(connection, { ...once, restrictTo: { peer: `127.0.0.2:${one.port}` } })).toBe('ok');
    }
    expect([one.accepted(), two.requests.length]).toEqual([0, 6]);
  });

  it.each(['', '127.0.0.1', '127.0.0.2:1', 'graph.test:80'])('goes nowhere where that is %j', async (peer) => {
    const { port, requests } = await startTcp(say('ok'));
    const [kept, fresh] = [connectionTo(port, '127.0.0.1'), connectionTo(port, '127.0.0.1')];
    await outcome(kept);
    const elsewhere = 'unsent: the connection leads to another address';
    for (const connection of [kept, fresh])
      expect(await outcome(connection, { ...once, restrictTo: { peer } })).toBe(elsewhere);
    expect(requests).toHaveLength(1);
  });

  it('cannot be sent to an address that the name does not have', async () => {
    const [one, two] = await startTwo(say('ok'));
    const connection = connectionTo(one.port, '127.0.0.1');
    const restrictTo = { peer: `127.0.0.2:${one.port}` };
    expect(await outcome(connection, { ...once, restrictTo })).toBe('unsent: the connection leads to another address');
    expect([one.accepted(), two.accepted()]).toEqual([0, 0]);
  });

  it('is checked against who is there indeed, where the url names no name', async () => {
    const { port, requests } = await startTcp(say('ok'));
    const address = new PinnedAddress(rotatingAddresses());
    const connection = new PinnedConnection({
      origin: `http://127.0.0.1:${port}`,
      tls: {},
      address,
      buffers: new BodyBufferPool(),
    });
    onTestFinished(() => connection.dispatcher.destroy());
    expect(await outcome(connection, { ...once, restrictTo: { peer: `127.0.0.2:${port}` } })).toMatch(/^unsent/);
    expect(requests).toEqual([]);
    await eventually(() => connection.connector.open() === 0);
    expect(await outcome(connection, { ...once, restrictTo: { peer: `127.0.0.1:${port}` } })).toBe('ok');
  });
});

const silence: Talk = () => undefined;

/** Aborts the wait for a silent server once the request has arrived. */
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
    const connection = connectionTo(port, '127.0.0.1');
    const met = outcome(
      connection,
      once,
      patientlyBut(talk, () => requests.length === 1),
    );
    expect(await met).toMatch(/^lost/);
    expect(requests).toEqual(['GET / HTTP/1.1']);
  });

  it.each(troubles)('is sent once and lost where a kept connection meets it with %s', async (_what, talk) => {
    const server = await startTcp((socket, place) => (place.request > 1 ? talk : say('ok'))(socket, place));
    const connection = connectionTo(server.port, '127.0.0.1');
    expect(await outcome(connection)).toBe('ok');
    const met = outcome(
      connection,
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
    const connection = connectionTo(server.port, '127.0.0.1');
    expect([await outcome(connection), await outcome(connection)]).toEqual(['ok', 'ok']);
    expect(server.accepted()).toBe(2);
  });

  it('gets a new connection where the kept one has gone in time', async () => {
    const server = await startTcp(sayLast('ok'));
    const connection = connectionTo(server.port, '127.0.0.1');
    await outcome(connection);
    await eventually(() => connection.connector.open() === 0);
    expect([await outcome(connection, once), server.accepted()]).toEqual(['ok', 2]);
  });

  it('gets no second connection, even if something below wanted one', async () => {
    const server = await startTcp((socket) => socket.resetAndDestroy());
    const connection = connectionTo(server.port, '127.0.0.1');
    const order = outcome(connection, once);
    const again = connection.dispatcher.request({ method: 'GET', path: '/again' });
    expect(await order).toMatch(/^lost/);
    await expect(again).rejects.toMatchObject({ code: 'CLOSED_MEANWHILE' });
    expect([server.requests, server.accepted()]).toEqual([['GET / HTTP/1.1'], 1]);
  });

  it('has not left where there is no connection at all', async () => {
    const { port } = await startTcp(say('ok'), '127.0.0.2');
    expect(await outcome(connectionTo(port, '127.0.0.3'), once)).toBe('unsent: the connection was refused');
  });
});
