import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { Client } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { exchange, type IncomingBody, RequestWithheld } from '../../src/runtime/http-exchange.ts';
import { neverAborted } from '../support/client.ts';

const opened: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

/** Starts a server that calls `react` for each request, and returns a client of it. */
async function serve(
  react: (socket: Socket) => void,
): Promise<{ readonly client: Client; readonly sockets: Socket[] }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined).on('data', () => react(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const client = new Client(`http://127.0.0.1:${port}`, { bodyTimeout: 0, headersTimeout: 0 });
  opened.push(
    () => client.destroy(),
    async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  );
  return { client, sockets };
}

const get = { method: 'GET', path: '/' } as const;

async function textOf(body: IncomingBody): Promise<string> {
  const chunks: Uint8Array[] = [];
  for (let chunk = await body.next(); chunk !== undefined; chunk = await body.next()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('exchange', () => {
  it('returns status, headers and body', async () => {
    const { client } = await serve((socket) =>
      socket.write('HTTP/1.1 201 Created\r\nA: 1\r\nA: 2\r\nContent-Length: 5\r\n\r\nhello'),
    );
    const { statusCode, headers, body } = await exchange(client, get, { signal: neverAborted() });
    expect({ statusCode, headers }).toEqual({ statusCode: 201, headers: { a: ['1', '2'], 'content-length': '5' } });
    expect(await textOf(body)).toBe('hello');
  });

  it('ignores an informational response before the reply', async () => {
    const { client } = await serve((socket) =>
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
    );
    const { statusCode, body } = await exchange(client, get, { signal: neverAborted() });
    expect([statusCode, await textOf(body)]).toEqual([200, 'ok']);
  });

  it('joins the chunks that have arrived', async () => {
    const chunks = '1\r\nx\r\n'.repeat(5000);
    const { client } = await serve((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`),
    );
    const { body } = await exchange(client, get, { signal: neverAborted() });
    const pieces: number[] = [];
    for (let chunk = await body.next(); chunk !== undefined; chunk = await body.next()) pieces.push(chunk.length);
    expect(pieces.reduce((sum, length) => sum + length)).toBe(5000);
    expect(pieces.length).toBeLessThan(100);
  });

  it('keeps the connection for the next request after a complete body', async () => {
    const { client, sockets } = await serve((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    for (const _ of [1, 2, 3]) {
      const { body } = await exchange(client, get, { signal: neverAborted() });
      expect(await textOf(body)).toBe('ok');
      body.discard();
    }
    expect(sockets).toHaveLength(1);
  });

  it('applies backpressure to the server while the body is not read', async () => {
    const total = 64 * 1_048_576;
    let isDrained = true;
    const { client, sockets } = await serve((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${total}\r\n\r\n`);
      const piece = Buffer.alloc(65_536, 'x');
      const write = (): void => {
        while (socket.bytesWritten + socket.writableLength < total && isDrained) isDrained = socket.write(piece);
        isDrained = true;
      };
      socket.on('drain', write);
      write();
    });
    const stop = new AbortController();
    const { body } = await exchange(client, get, { signal: stop.signal });
    let last = -1;
    const written = (): number => sockets[0]?.bytesWritten ?? 0;
    while (last !== written()) {
      last = written();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(last).toBeLessThan(total);
    let received = 0;
    while (received < total / 2) received += (await body.next())?.length ?? total;
    expect(received).toBeLessThan(total);
    stop.abort();
    await expect(body.next()).rejects.toThrow('aborted');
  });

  it('returns the chunks before a connection failure, then the error', async () => {
    const { client } = await serve((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhell'));
    const { body } = await exchange(client, get, { signal: neverAborted() });
    expect(String(await body.next())).toBe('hell');
    await expect(body.next()).rejects.toThrow();
  });

  it('closes the connection of a body that is discarded', async () => {
    const { client, sockets } = await serve((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhell'),
    );
    const { body } = await exchange(client, get, { signal: neverAborted() });
    const [socket] = sockets;
    const closed = once(socket ?? client, 'close');
    body.discard();
    await closed;
    await expect(body.next()).rejects.toThrow('the rest of the body is not read');
  });

  it.each(['before', 'after'])('rejects if its signal aborts %s the request is written', async (when) => {
    const stop = new AbortController();
    if (when === 'before') stop.abort();
    let requests = 0;
    const { client } = await serve(() => {
      requests += 1;
      stop.abort();
    });
    await expect(exchange(client, get, { signal: stop.signal })).rejects.toThrow('aborted');
    expect(requests).toBe(when === 'before' ? 0 : 1);
  });

  it('does not write a request if the check before the write fails', async () => {
    let requests = 0;
    const { client } = await serve(() => {
      requests += 1;
    });
    const options = { signal: neverAborted(), mayWrite: () => false };
    await expect(exchange(client, get, options)).rejects.toThrow(RequestWithheld);
    expect(requests).toBe(0);
  });

  it('rejects a request that undici refuses', async () => {
    const { client } = await serve(() => undefined);
    await expect(exchange(client, { ...get, path: 'no slash' }, { signal: neverAborted() })).rejects.toThrow('path');
  });
});
