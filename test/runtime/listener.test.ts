import { connect, type Socket } from 'node:net';
import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import type { IncomingRequest, Listening, OutgoingReply, RequestHandler } from '../../src/kernel/listener.ts';
import { listen } from '../../src/runtime/listener.ts';
import { recordingLogger } from '../support/logger.ts';

const open: Listening[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close(0)));
});

async function serve(handler: RequestHandler, log = recordingLogger()): Promise<Listening & { readonly url: string }> {
  const server = await listen({ host: '127.0.0.1', port: 0, handler, log });
  open.push(server);
  return { ...server, url: `http://127.0.0.1:${server.port}` };
}

function answering(reply: Partial<OutgoingReply>): RequestHandler {
  return async () => ({ status: 200, ...reply });
}

/** Sends raw bytes and gives everything that comes back until the connection ends, and how it ended. */
function raw(port: number, bytes: string): Promise<{ readonly text: string; readonly error?: string }> {
  return new Promise((resolve) => {
    let text = '';
    let error: string | undefined;
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', (cause: NodeJS.ErrnoException) => {
      error = cause.code ?? cause.message;
    });
    socket.on('close', () => resolve(error === undefined ? { text } : { text, error }));
  });
}

describe('what a handler is shown', () => {
  it('splits the target, lowers and joins headers, names the peer', async () => {
    let seen: IncomingRequest | undefined;
    const { port } = await serve(async (incoming) => {
      seen = incoming;
      return { status: 204 };
    });
    await raw(
      port,
      'GET /a%20b/c?x=1&x=%C3%A9 HTTP/1.1\r\nHost: h\r\nX-Many: 1\r\nX-MANY: 2\r\nConnection: close\r\n\r\n',
    );
    expect(seen).toMatchObject({ method: 'GET', path: '/a b/c', remoteAddress: '127.0.0.1' });
    expect(seen?.query.getAll('x')).toEqual(['1', 'é']);
    expect(seen?.headers).toMatchObject({ host: 'h', 'x-many': '1, 2' });
    expect(seen?.user).toBeUndefined();
  });

  it('reads a body up to the limit, and refuses a larger one whether its length is announced or not', async () => {
    const { url } = await serve(async (incoming) => ({ status: 200, body: await incoming.text(10) }));
    const small = await request(url, { method: 'POST', body: '0123456789' });
    expect(await small.body.text()).toBe('0123456789');
    const announced = await request(url, { method: 'POST', body: '0123456789+' });
    expect(announced.statusCode).toBe(413);
    expect(await announced.body.json()).toEqual({ status: 413, title: 'The body is larger than 10 bytes.' });
    const chunked = await request(url, { method: 'POST', body: pieces('01234', '56789', '+') });
    expect(chunked.statusCode).toBe(413);
    await chunked.body.dump();
  });

  it('answers a bad target itself', async () => {
    const { port } = await serve(answering({}));
    const broken = await raw(port, 'GET /%zz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    expect(broken.text).toMatch(/^HTTP\/1.1 400 [^]*percent-encoded/);
    const absolute = await raw(port, 'GET http://h/ HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    expect(absolute.text).toMatch(/^HTTP\/1.1 400 [^]*not a path/);
  });

  it('tells that the client has gone', async () => {
    const arrived = Promise.withResolvers<IncomingRequest>();
    const { port } = await serve((incoming) => {
      arrived.resolve(incoming);
      return new Promise(() => {});
    });
    const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n'));
    const { gone } = await arrived.promise;
    expect(gone.aborted).toBe(false);
    const left = new Promise((resolve) => gone.addEventListener('abort', resolve));
    socket.destroy();
    await left;
  });
});

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

describe('what a client gets', () => {
  it.each<[string, OutgoingReply['body'], string]>([
    ['text', 'é!', 'é!'],
    ['bytes', Buffer.from('bytes'), 'bytes'],
    ['pieces', [Buffer.from('a'), Buffer.from('b')], 'ab'],
    ['nothing', undefined, ''],
  ])('%s, with its length', async (_, body, expected) => {
    const { url } = await serve(answering({ headers: { 'x-a': 'b' }, ...(body === undefined ? {} : { body }) }));
    const reply = await request(url);
    expect(await reply.body.text()).toBe(expected);
    expect(reply.headers).toMatchObject({ 'content-length': String(Buffer.byteLength(expected)), 'x-a': 'b' });
  });

  it('a stream in chunks', async () => {
    const { url } = await serve(answering({ body: pieces('a', 'b', 'c') }));
    const reply = await request(url);
    expect(reply.headers['transfer-encoding']).toBe('chunked');
    expect(await reply.body.text()).toBe('abc');
  });

  it('no body to HEAD, but the length; a stream is not even begun', async () => {
    let begun = false;
    async function* never(): AsyncGenerator<Uint8Array> {
      begun = true;
      yield Buffer.from('x');
    }
    const { url } = await serve(async ({ path }) => ({ status: 200, body: path === '/stream' ? never() : 'body' }));
    const whole = await request(url, { method: 'HEAD' });
    expect(whole.headers['content-length']).toBe('4');
    expect(await whole.body.text()).toBe('');
    const streamed = await request(`${url}/stream`, { method: 'HEAD' });
    expect(await streamed.body.text()).toBe('');
    expect(begun).toBe(false);
  });

  it('a large answer whole', async () => {
    const body = Array.from({ length: 200 }, () => Buffer.alloc(64 * 1024, 'x'));
    const { url } = await serve(answering({ body }));
    const reply = await request(url);
    expect((await reply.body.arrayBuffer()).byteLength).toBe(200 * 64 * 1024);
  });

  it('a reset after the pieces that came before a stream threw', async () => {
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('before');
      throw new Error('planned');
    }
    const { port } = await serve(answering({ body: breaking() }));
    const end = await raw(port, 'GET / HTTP/1.1\r\nHost: h\r\n\r\n');
    expect(end.text).toContain('before');
    expect(end.text).not.toContain('\r\n0\r\n');
    expect(end.error).toBe('ECONNRESET');
  });

  it('a 500 without details when the handler rejects, which is logged', async () => {
    const log = recordingLogger();
    const { url } = await serve(() => Promise.reject(new Error('inside')), log);
    const reply = await request(url);
    expect(reply.statusCode).toBe(500);
    expect(await reply.body.text()).not.toContain('inside');
    expect(log.lines).toMatchObject([{ level: 'error', message: 'handling a request failed' }]);
  });

  it('a reset when the reply itself cannot be sent, which is logged', async () => {
    const log = recordingLogger();
    const { port } = await serve(answering({ headers: { 'bad name': 'x' } }), log);
    const end = await raw(port, 'GET / HTTP/1.1\r\nHost: h\r\n\r\n');
    expect(end.text).toBe('');
    expect(log.lines).toMatchObject([{ level: 'error', message: 'answering a request failed' }]);
  });

  it('431 for more header than 16 KiB', async () => {
    const { port } = await serve(answering({}));
    const end = await raw(port, `GET / HTTP/1.1\r\nHost: h\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`);
    expect(end.text).toMatch(/^HTTP\/1.1 431 /);
  });
});

describe('closing', () => {
  it('lets a running answer finish, says that it is the last, and refuses newcomers', async () => {
    const arrived = Promise.withResolvers<void>();
    const release = Promise.withResolvers<OutgoingReply>();
    const server = await serve(() => {
      arrived.resolve();
      return release.promise;
    });
    const running = request(server.url);
    await arrived.promise;
    const closed = server.close(10_000);
    await expect(request(server.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    release.resolve({ status: 200, body: 'done' });
    const reply = await running;
    expect(reply.headers.connection).toBe('close');
    expect(await reply.body.text()).toBe('done');
    await closed;
  });

  it('does not wait for idle connections, asked or silent', async () => {
    const server = await serve(answering({ body: 'x' }));
    const reply = await request(server.url);
    await reply.body.dump();
    const silent = connect(server.port, '127.0.0.1');
    const cut = new Promise((resolve) => silent.once('close', resolve));
    await new Promise((resolve) => silent.once('connect', resolve));
    silent.resume();
    await server.close(60_000);
    await cut;
  });

  it('cuts what outlasts the grace, and may be asked twice', async () => {
    const arrived = Promise.withResolvers<IncomingRequest>();
    const server = await serve((incoming) => {
      arrived.resolve(incoming);
      return new Promise(() => {});
    });
    const running = expect(request(server.url)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    const { gone } = await arrived.promise;
    const noticed = new Promise((resolve) => gone.addEventListener('abort', resolve));
    await Promise.all([server.close(20), server.close(60_000)]);
    await running;
    await noticed;
  });

  it('frees the port', async () => {
    const first = await serve(answering({}));
    await first.close(0);
    const second = await listen({ host: '127.0.0.1', port: first.port, handler: answering({}) });
    open.push(second);
    expect(second.port).toBe(first.port);
  });
});

it('rejects when the address is taken', async () => {
  const { port } = await serve(answering({}));
  await expect(listen({ host: '127.0.0.1', port, handler: answering({}) })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
});
