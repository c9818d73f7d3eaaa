import { createServer } from 'node:http';
import { connect } from 'node:net';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import type { OutgoingReply } from '../../src/kernel/listener.ts';
import { bind, listenerLimits } from '../../src/runtime/listener.ts';
import { fixedReply, pieces, sendRaw, serve, served } from '../support/served-listener.ts';

async function* breaking(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('before');
  throw new Error('planned');
}

describe('reply to a client', () => {
  it.each<[string, OutgoingReply['body'], string]>([
    ['text', 'é!', 'é!'],
    ['bytes', Buffer.from('bytes'), 'bytes'],
    ['pieces', [Buffer.from('a'), Buffer.from('b')], 'ab'],
    ['nothing', undefined, ''],
  ])('contains the whole body, with its length: %s', async (_, body, expected) => {
    const { url } = await serve(fixedReply({ headers: { 'x-a': 'b' }, ...(body === undefined ? {} : { body }) }));
    const reply = await request(url);
    expect(await reply.body.text()).toBe(expected);
    expect(reply.headers).toMatchObject({ 'content-length': String(Buffer.byteLength(expected)), 'x-a': 'b' });
  });

  it('sends a stream in chunks', async () => {
    const { url } = await serve(fixedReply({ body: pieces('a', 'b', 'c') }));
    const reply = await request(url);
    expect(reply.headers['transfer-encoding']).toBe('chunked');
    expect(await reply.body.text()).toBe('abc');
  });

  it('to HEAD has the length and no body, and does not start a stream', async () => {
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

  it('contains a large body completely', async () => {
    const body = Array.from({ length: 200 }, () => Buffer.alloc(64 * 1024, 'x'));
    const { url } = await serve(fixedReply({ body }));
    const reply = await request(url);
    expect((await reply.body.arrayBuffer()).byteLength).toBe(200 * 64 * 1024);
  });

  it('ends with a reset after the chunks that a stream returned before it failed', async () => {
    const { port } = await serve(fixedReply({ body: breaking() }));
    const end = await sendRaw(port, 'GET / HTTP/1.1\r\nHost: h\r\n\r\n');
    expect(end.text).toContain('before');
    expect(end.text).not.toContain('\r\n0\r\n');
    expect(end.error).toBe('ECONNRESET');
  });

  it('ends with a reset if the client stops reading', async () => {
    const limits = { ...listenerLimits, stall: 50 };
    const body = Buffer.alloc(64 * 1024 * 1024);
    const left = Promise.withResolvers<void>();
    const handler = async ({ disconnected }: { readonly disconnected: AbortSignal }) => {
      disconnected.addEventListener('abort', () => left.resolve());
      return { status: 200, body };
    };
    const { port } = served(await bind(createServer(), { host: '127.0.0.1', port: 0, handler, limits }));
    const lazy = connect(port, '127.0.0.1', () => lazy.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n'));
    lazy.on('error', () => {});
    lazy.pause();
    await left.promise;
    lazy.destroy();
  });
});
