import { Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { HttpRequest } from '../../src/kernel/http.ts';
import { BodyBuffers } from '../../src/runtime/body-buffer.ts';
import { PinnedConnection } from '../../src/runtime/http-pool.ts';
import { PinnedAddress } from '../../src/runtime/pinned-address.ts';
import { MemoryBudget } from '../../src/runtime/reply-memory.ts';
import { eventually, type Responder, respond, respondAndClose, startTcp, startTcpPair } from '../support/tcp-server.ts';
import { rotatingAddresses } from './rotating-names.ts';

const get: HttpRequest = { method: 'GET', path: '/', headers: {}, maxBytes: 10_000 };
const patiently = (): AbortSignal => AbortSignal.timeout(30_000);

/** Returns a connection to a name that has these addresses; it is closed after the test. */
function connectionTo(port: number, ...addresses: readonly string[]): PinnedConnection {
  const address = new PinnedAddress(rotatingAddresses(...addresses));
  const connection = new PinnedConnection({
    origin: `http://graph.test:${port}`,
    tls: {},
    address,
    buffers: new BodyBuffers(new MemoryBudget(), { origin: '', isForGuard: true }),
  });
  onTestFinished(() => connection.dispatcher.destroy());
  return connection;
}

function textOf(reply: Awaited<ReturnType<PinnedConnection['send']>>): string {
  if (reply.ok) return Buffer.from(reply.value.body).toString('utf8');
  return `${reply.error.unsent === true ? 'unsent' : 'lost'}: ${reply.error.message}`;
}

/** Returns the body of a request, or its failure with `unsent` if no byte was sent. */
async function outcome(connection: PinnedConnection): Promise<string> {
  return textOf(await connection.send(get, patiently()));
}

/** The same for a request that is bound to a connection: the current one, unless another is given. */
async function boundOutcome(
  connection: PinnedConnection,
  { id = connection.id, mayWrite = (): boolean => true, signal = patiently() } = {},
): Promise<string> {
  const request = { ...get, path: '/two', bound: { connection: id, mayWrite } };
  return textOf(await connection.sendBound(request, mayWrite, signal));
}

describe('a pinned connection', () => {
  it('reports the peer, keeps its socket and reports whether a socket is open', async () => {
    const { port, accepted } = await startTcp(respond('ok'));
    const connection = connectionTo(port, '127.0.0.1');
    expect(connection.isOpen()).toBe(false);
    const reply = await connection.send(get, patiently());
    expect(reply).toMatchObject({ ok: true, value: { status: 200, peer: `127.0.0.1:${port}` } });
    expect([connection.isOpen(), connection.connector.open()]).toEqual([true, 1]);
    expect([await outcome(connection), accepted()]).toEqual(['ok', 1]);
  });

  it('reports the peer even if the peer has closed the socket', async () => {
    const { port, open } = await startTcp(respondAndClose('ok'));
    const connection = connectionTo(port, '127.0.0.1');
    expect(await connection.send(get, patiently())).toMatchObject({ value: { peer: `127.0.0.1:${port}` } });
    await eventually(() => open() === 0 && connection.connector.open() === 0);
    expect(connection.isOpen()).toBe(false);
  });
});

describe('pinned connections that share an address', () => {
  it('reject a socket to another address, for every dialled host', async () => {
    const [one, two] = await startTcpPair(respond('ok'));
    const address = new PinnedAddress(rotatingAddresses());
    const [first, second] = ['127.0.0.1', '127.0.0.2'].map((host) => {
      const connection = new PinnedConnection({
        origin: `http://${host}:${one.port}`,
        tls: {},
        address,
        buffers: new BodyBuffers(new MemoryBudget(), { origin: '', isForGuard: true }),
      });
      onTestFinished(() => connection.dispatcher.destroy());
      return connection;
    });
    if (first === undefined || second === undefined) throw new Error('there are two');
    expect(await outcome(first)).toBe('ok');
    expect(await outcome(second)).toBe('lost: the connection reached an unexpected address');
    expect(two.requests).toEqual([]);
  });
});

const silence: Responder = () => undefined;

/** Aborts the wait for a silent server once the request has arrived. */
function patientlyBut(responder: Responder, hasArrived: () => boolean): AbortSignal {
  if (responder !== silence) return patiently();
  const cut = new AbortController();
  void eventually(hasArrived).then(() => cut.abort());
  return cut.signal;
}

describe('a request that is bound to a connection', () => {
  const faults: readonly (readonly [string, Responder])[] = [
    ['a reset', (socket) => socket.resetAndDestroy()],
    ['an end', (socket) => socket.end()],
    ['a reset within the head', (socket) => socket.write('HTTP/1.1 200 OK\r\n', () => socket.resetAndDestroy())],
    ['an end within the body', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{')],
    ['a redirect', (socket) => socket.end('HTTP/1.1 307 T\r\nlocation: /again\r\ncontent-length: 0\r\n\r\n')],
    ['something that is not HTTP', (socket) => socket.end('SSH-2.0-OpenSSH\r\n')],
    ['silence', silence],
  ];

  it.each(faults)('is sent once and lost if the reply on a kept connection is %s', async (_what, responder) => {
    const server = await startTcp((socket, place) => (place.request > 1 ? responder : respond('ok'))(socket, place));
    const connection = connectionTo(server.port, '127.0.0.1');
    expect(await outcome(connection)).toBe('ok');
    const signal = patientlyBut(responder, () => server.requests.length === 2);
    const met = boundOutcome(connection, { signal });
    expect(await met).toMatch(/^lost/);
    expect([server.requests, server.accepted()]).toEqual([['GET / HTTP/1.1', 'GET /two HTTP/1.1'], 1]);
  });

  it('is repeated on another connection only if it is not bound to one', async () => {
    const server = await startTcp((socket, place) =>
      (place.request > 1 ? faults[0]?.[1] : respond('ok'))?.(socket, place),
    );
    const connection = connectionTo(server.port, '127.0.0.1');
    expect([await outcome(connection), await outcome(connection)]).toEqual(['ok', 'ok']);
    expect(server.accepted()).toBe(2);
  });

  it('is not sent if the connection was closed, or replaced by another one', async () => {
    const server = await startTcp(respondAndClose('ok'));
    const connection = connectionTo(server.port, '127.0.0.1');
    await outcome(connection);
    const first = connection.id;
    await eventually(() => connection.connector.open() === 0);
    expect(await boundOutcome(connection)).toBe(
      'unsent: the connection on which the process list was received is closed',
    );
    await outcome(connection);
    expect(connection.id).not.toBe(first);
    expect(await boundOutcome(connection, { id: first })).toBe(
      'unsent: the connection on which the process list was received is closed',
    );
    expect(server.requests).toEqual(['GET / HTTP/1.1', 'GET / HTTP/1.1']);
  });

  it('is written in the event loop turn of its permission, and not without permission', async () => {
    const server = await startTcp(respond('ok'));
    const connection = connectionTo(server.port, '127.0.0.1');
    await outcome(connection);
    expect(await boundOutcome(connection, { mayWrite: () => false })).toMatch(/^unsent/);
    expect(server.requests).toEqual(['GET / HTTP/1.1']);
    await outcome(connection);
    const write = vi.spyOn(Socket.prototype, '_write');
    onTestFinished(() => write.mockRestore());
    const laterTurn = vi.fn();
    const mayWrite = (): boolean => {
      queueMicrotask(laterTurn);
      return true;
    };
    expect(await boundOutcome(connection, { mayWrite })).toBe('ok');
    const [written = Infinity] = write.mock.invocationCallOrder;
    expect(written).toBeLessThan(laterTurn.mock.invocationCallOrder[0] ?? 0);
    expect(server.requests).toHaveLength(3);
  });

  it('waits for its connection while another request uses it', async () => {
    const first = Promise.withResolvers<void>();
    const server = await startTcp((socket, place) =>
      place.request === 2 ? first.promise.then(() => respond('list')(socket, place)) : respond('ok')(socket, place),
    );
    const connection = connectionTo(server.port, '127.0.0.1');
    await outcome(connection);
    const list = outcome(connection);
    await eventually(() => server.requests.length === 2);
    const bound = boundOutcome(connection);
    first.resolve();
    expect(await Promise.all([list, bound])).toEqual(['list', 'ok']);
    expect(server.accepted()).toBe(1);
  });

  it('gets no second connection, even if a lower layer requests one', async () => {
    const server = await startTcp((socket, place) =>
      place.request > 1 ? socket.resetAndDestroy() : respond('ok')(socket, place),
    );
    const connection = connectionTo(server.port, '127.0.0.1');
    await outcome(connection);
    let again: Promise<unknown> = Promise.resolve();
    const mayWrite = (): boolean => {
      again = expect(connection.dispatcher.request({ method: 'GET', path: '/again' })).rejects.toMatchObject({
        code: 'CLOSED_BEFORE_REQUEST',
      });
      return true;
    };
    expect(await boundOutcome(connection, { mayWrite })).toMatch(/^lost/);
    await again;
    expect([server.requests, server.accepted()]).toEqual([['GET / HTTP/1.1', 'GET /two HTTP/1.1'], 1]);
  });
});
