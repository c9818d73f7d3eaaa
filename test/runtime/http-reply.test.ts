import { once } from 'node:events';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { BodyBuffers } from '../../src/runtime/body-buffer.ts';
import type { IncomingBody, ReplyHead } from '../../src/runtime/http-exchange.ts';
import { RequestProgress, receiveReply } from '../../src/runtime/http-reply.ts';
import { MemoryBudget } from '../../src/runtime/reply-memory.ts';
import { neverAborted } from '../support/client.ts';

const limit = 1000;
const mebibyte = 1_048_576;
/** One body of a collector may have 8 MiB, and all together as well. */
const budget = new MemoryBudget(128 * mebibyte);
const room = new BodyBuffers(budget, { origin: 'http://m1', isForGuard: false });
const until = (signal: AbortSignal) => ({ signal, progress: new RequestProgress() });
const forever = until(neverAborted());

/** Body of which the chunks are there, or arrive as they are requested. */
class FakeBody implements IncomingBody {
  readonly #chunks: AsyncIterator<Uint8Array>;
  isDiscarded = false;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  async next(): Promise<Uint8Array | undefined> {
    return (await this.#chunks.next()).value;
  }

  discard(): void {
    this.isDiscarded = true;
  }
}

/** Reply whose headers have arrived. */
function replyOf(
  body: Iterable<Uint8Array | string> | AsyncIterable<Uint8Array>,
  more: Partial<ReplyHead> = {},
): ReplyHead & { readonly body: FakeBody } {
  return {
    statusCode: 200,
    headers: {},
    ...more,
    body: new FakeBody(Symbol.iterator in body ? buffersOf(body) : body),
  };
}

async function* buffersOf(chunks: Iterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

async function* neverEnding(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield Buffer.concat(chunks);
  await new Promise(() => undefined);
}

async function textOf(reply: ReplyHead): Promise<string> {
  const result = await receiveReply(reply, limit, room, forever);
  return result.ok ? Buffer.from(result.value.body).toString('utf8') : result.error.reason;
}

describe('receive', () => {
  it('joins the pieces of a body', async () => {
    const result = await receiveReply(
      replyOf(['{"a":', '1}'], { headers: { 'x-one': ['a', 'b'] } }),
      limit,
      room,
      forever,
    );
    expect(result).toEqual({
      ok: true,
      value: { status: 200, headers: { 'x-one': 'a, b' }, body: Buffer.from('{"a":1}') },
    });
  });

  it.each([
    ['gzip', gzipSync('hello')],
    ['x-gzip', gzipSync('hello')],
    ['GZIP', gzipSync('hello')],
    ['deflate', deflateSync('hello')],
    ['identity', Buffer.from('hello')],
  ])('decodes %s', async (encoding, bytes) => {
    expect(await textOf(replyOf([bytes], { headers: { 'content-encoding': encoding } }))).toBe('hello');
  });

  it.each([
    ['gzip', Buffer.from('no gzip at all')],
    ['gzip', gzipSync('hello'.repeat(50)).subarray(0, 20)],
    ['deflate', Buffer.from('no deflate at all')],
    ['zstd', Buffer.from('whatever')],
    ['gzip, gzip', gzipSync(gzipSync('hello'))],
  ])('has the reason body for an invalid or truncated %s body (case %$)', async (encoding, bytes) => {
    expect(await textOf(replyOf([bytes], { headers: { 'content-encoding': encoding } }))).toBe('body');
  });

  it('does not wait for bytes after the compressed data', async () => {
    const reply = replyOf(neverEnding(deflateSync('hello'), Buffer.from('0123456789')), {
      headers: { 'content-encoding': 'deflate' },
    });
    expect(await textOf(reply)).toBe('hello');
    expect(reply.body.isDiscarded).toBe(true);
  });

  it('accepts as many bytes as allowed and not one more', async () => {
    expect(await textOf(replyOf(['x'.repeat(limit)]))).toHaveLength(limit);
    expect(await textOf(replyOf(['x'.repeat(limit + 1)]))).toBe('too_large');
    expect(await textOf(replyOf(['x'.repeat(limit), 'y']))).toBe('too_large');
  });

  it('counts each of many small pieces as a larger one, because it costs time', async () => {
    const small = (count: number) => replyOf(Array.from({ length: count }, () => 'x'));
    expect(await receiveReply(small(1000), 100_000, room, forever)).toMatchObject({ ok: true });
    const refused = await receiveReply(small(3000), 100_000, room, forever);
    expect(refused).toMatchObject({ ok: false, error: { reason: 'too_large', limit: 'bytes' } });
  });

  it('limits the decompressed size', async () => {
    const bomb = gzipSync('\0'.repeat(limit + 1));
    expect(bomb.length).toBeLessThan(limit);
    expect(await textOf(replyOf([bomb], { headers: { 'content-encoding': 'gzip' } }))).toBe('too_large');
  });

  it('limits the compressed size', async () => {
    const empty = gzipSync('');
    const members = Array.from({ length: Math.ceil(limit / empty.length) + 1 }, () => empty);
    expect(await textOf(replyOf(members, { headers: { 'content-encoding': 'gzip' } }))).toBe('too_large');
  });

  it('reads only the beginning of the body of an error', async () => {
    const long = replyOf(['x'.repeat(60_000), 'y'.repeat(60_000)], { statusCode: 502 });
    const result = await receiveReply(long, 1_000_000, room, forever);
    expect(result.ok && result.value.body.length).toBeLessThanOrEqual(65_536);
    expect(long.body.isDiscarded).toBe(true);
  });

  it('rejects a body with a Content-Length above the limit before it is read', async () => {
    const reply = replyOf(['unread'], { headers: { 'content-length': String(limit + 1) } });
    expect(await textOf(reply)).toBe('too_large');
    expect(reply.body.isDiscarded).toBe(true);
  });

  it.each([300, 301, 302, 303, 307, 308])('follows no redirect: %i', async (statusCode) => {
    const headers = { location: 'http://elsewhere.test/?canary' };
    const result = await receiveReply(replyOf(['moved'], { statusCode, headers }), limit, room, forever);
    expect(result).toMatchObject({ ok: false, error: { reason: 'unreachable', status: statusCode } });
    expect(JSON.stringify(result)).not.toContain('canary');
  });

  it('treats 304 like any other status', async () => {
    const result = await receiveReply(replyOf([], { statusCode: 304 }), limit, room, forever);
    expect(result).toMatchObject({ ok: true, value: { status: 304 } });
  });

  it('reports an error status even if the body cannot be read', async () => {
    const cut = await receiveReply(replyOf(broken(), { statusCode: 403 }), limit, room, forever);
    expect(cut).toMatchObject({ ok: true, value: { status: 403, body: Buffer.from('{') } });
    const long = await receiveReply(replyOf(['x'.repeat(5 * limit)], { statusCode: 502 }), limit, room, forever);
    expect(long).toMatchObject({ ok: true, value: { status: 502 } });
    const headers = { 'content-length': String(5 * limit) };
    const announced = await receiveReply(replyOf(['x'], { statusCode: 500, headers }), limit, room, forever);
    expect(announced).toMatchObject({ ok: true, value: { status: 500 } });
  });

  it('has the reason unreachable for a body that ends early, and timeout for an aborted one', async () => {
    expect(await textOf(replyOf(broken()))).toBe('unreachable');
    const stop = new AbortController();
    async function* hanging(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{');
      if (!stop.signal.aborted) await once(stop.signal, 'abort');
      throw new Error('aborted');
    }
    const result = receiveReply(replyOf(hanging()), limit, room, until(stop.signal));
    stop.abort();
    expect(await result).toMatchObject({ ok: false, error: { reason: 'timeout' } });
  });
});

/** A body of this many mebibytes, which counts the pieces that were read. */
function longBody(size: number) {
  const sent = { pieces: 0 };
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < 4 * size; at += 1) {
      sent.pieces += 1;
      yield Buffer.alloc(mebibyte / 4, 120);
    }
  }
  return { sent, answer: () => replyOf(pieces()) };
}

describe('a long reply', () => {
  it('has memory of the budget until it is released', async () => {
    const result = await receiveReply(longBody(3).answer(), 4 * mebibyte, room, forever);
    expect(budget.use.reserved).toBe(4 * mebibyte);
    if (result.ok) result.value.release?.();
    expect(budget.use.reserved).toBe(0);
  });

  it('reserves no more than it declares', async () => {
    const declared = { headers: { 'content-length': String(3 * mebibyte) } };
    const result = await receiveReply({ ...longBody(3).answer(), ...declared }, 4 * mebibyte, room, forever);
    expect(budget.use.reserved).toBe(3 * mebibyte);
    if (result.ok) result.value.release?.();
  });

  it('is never larger than the part of the budget that one reply may have', async () => {
    const result = await receiveReply(longBody(9).answer(), 32 * mebibyte, room, forever);
    expect(result).toMatchObject({ ok: false, error: { reason: 'too_large', limit: 'bytes' } });
    expect(budget.use.reserved).toBe(0);
  });

  it('returns its memory if it ends early', async () => {
    async function* pieces(): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(2 * mebibyte);
      expect(budget.use.reserved).toBe(4 * mebibyte);
      throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    }
    expect(await receiveReply(replyOf(pieces()), 4 * mebibyte, room, forever)).toMatchObject({ ok: false });
    expect(budget.use.reserved).toBe(0);
  });

  it('is not read while it waits for memory, and fails with its own limit if it waits too long', async () => {
    const first = await receiveReply(longBody(2).answer(), 4 * mebibyte, room, forever);
    const stop = new AbortController();
    const { sent, answer } = longBody(4);
    const [given, next] = [
      receiveReply(answer(), 4 * mebibyte, room, until(stop.signal)),
      receiveReply(longBody(2).answer(), 4 * mebibyte, room, forever),
    ];
    const { waits } = budget.use;
    while (budget.use.waits < waits + 2) await new Promise((resolve) => setImmediate(resolve));
    expect(sent.pieces).toBeLessThan(16);
    stop.abort();
    expect(await given).toMatchObject({ ok: false, error: { reason: 'too_large', limit: 'memory' } });
    if (first.ok) first.value.release?.();
    const second = await next;
    expect(second).toMatchObject({ ok: true });
    if (second.ok) second.value.release?.();
    expect(budget.use.reserved).toBe(0);
  });
});

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{');
  throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
}
