import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import type { IncomingRequest } from '../../src/kernel/listener.ts';
import { fixedReply, pieces, sendRaw, serve } from '../support/served-listener.ts';

describe('request of a handler', () => {
  it('has path and query, joined headers in lower case, and the address of the client', async () => {
    let seen: IncomingRequest | undefined;
    const { port } = await serve(async (incoming) => {
      seen = incoming;
      return { status: 204 };
    });
    await sendRaw(
      port,
      'GET /a%20b/c?x=1&x=%C3%A9 HTTP/1.1\r\nHost: h\r\nX-Many: 1\r\nX-MANY: 2\r\nConnection: close\r\n\r\n',
    );
    expect(seen).toMatchObject({ method: 'GET', path: '/a b/c', remoteAddress: '127.0.0.1' });
    expect(seen?.query.getAll('x')).toEqual(['1', 'é']);
    expect(seen?.headers).toMatchObject({ host: 'h', 'x-many': '1, 2' });
    expect(seen?.user).toBeUndefined();
  });

  it('returns a body up to the limit, and rejects a larger one with or without Content-Length', async () => {
    const { url } = await serve(async (incoming) => ({ status: 200, body: await incoming.text(10) }));
    const small = await request(url, { method: 'POST', body: '0123456789' });
    expect(await small.body.text()).toBe('0123456789');
    const announced = await request(url, { method: 'POST', body: '0123456789+' });
    expect(announced.statusCode).toBe(413);
    expect(await announced.body.json()).toEqual({ status: 413, title: 'The body is larger than 10 bytes.' });
    const chunked = await request(url, { method: 'POST', body: Readable.from(pieces('01234', '56789', '+')) });
    expect(chunked.statusCode).toBe(413);
    await chunked.body.dump();
  });

  it('reports that the client has disconnected', async () => {
    const arrived = Promise.withResolvers<IncomingRequest>();
    const { port } = await serve((incoming) => {
      arrived.resolve(incoming);
      return new Promise(() => {});
    });
    const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n'));
    const { disconnected } = await arrived.promise;
    expect(disconnected.aborted).toBe(false);
    const left = new Promise((resolve) => disconnected.addEventListener('abort', resolve));
    socket.destroy();
    await left;
  });

  it('does not report a disconnect of a client that has its answer', async () => {
    const arrived = Promise.withResolvers<IncomingRequest>();
    const { port } = await serve(async (incoming) => {
      arrived.resolve(incoming);
      return { status: 200, body: 'all of it' };
    });
    await sendRaw(port, 'GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    expect((await arrived.promise).disconnected.aborted).toBe(false);
  });
});

it('the listener rejects an invalid target without calling the handler', async () => {
  const { port } = await serve(fixedReply({}));
  const broken = await sendRaw(port, 'GET /%zz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
  expect(broken.text).toMatch(/^HTTP\/1.1 400 .*percent-encoded/s);
  const absolute = await sendRaw(port, 'GET http://h/ HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
  expect(absolute.text).toMatch(/^HTTP\/1.1 400 .*not a path/s);
});
