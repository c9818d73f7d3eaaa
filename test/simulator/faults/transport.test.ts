import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { OutgoingReply } from '../../../src/kernel/listener.ts';
import {
  gzipBomb,
  hangBeforeBody,
  hangBeforeHeaders,
  hangWithinBody,
  hugeBody,
  resetMidBody,
  slowDrip,
} from '../../../src/simulator/faults/transport.ts';
import { FakeClock } from '../../support/clock.ts';
import { faultContextOf, healthyReply } from './fault-context.ts';

function stream({ body }: OutgoingReply): AsyncIterator<Uint8Array> {
  if (typeof body !== 'object' || !(Symbol.asyncIterator in body)) throw new Error('not a stream');
  return body[Symbol.asyncIterator]();
}

const half = Buffer.from(healthyReply.body).subarray(0, Math.ceil(healthyReply.body.length / 2));

describe('resetMidBody', () => {
  it('resets the connection after half of the body', async () => {
    const pieces = stream(resetMidBody(faultContextOf()));
    expect(await pieces.next()).toEqual({ done: false, value: half });
    await expect(pieces.next()).rejects.toThrow('closes the connection');
  });
});

async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  await new FakeClock().settle();
  return (await Promise.race([promise, Promise.resolve(pending)])) === pending;
}

describe('hanging replies', () => {
  it.each([
    [
      'headers',
      'nothing at all',
      async (disconnected: AbortSignal) => hangBeforeHeaders(faultContextOf({ disconnected })),
    ],
    [
      'body',
      'only headers',
      (disconnected: AbortSignal) => stream(hangBeforeBody(faultContextOf({ disconnected }))).next(),
    ],
    [
      'the end',
      'half of the body',
      async (disconnected: AbortSignal) => {
        const pieces = stream(hangWithinBody(faultContextOf({ disconnected })));
        expect((await pieces.next()).value).toEqual(half);
        return pieces.next();
      },
    ],
  ])('hang before %s (%s) until the client disconnects', async (_, __, open) => {
    const gone = new AbortController();
    const answer = open(gone.signal);
    expect(await isPending(answer)).toBe(true);
    gone.abort();
    expect(await isPending(answer)).toBe(false);
  });
});

describe('slowDrip', () => {
  it('sends one byte every 250 ms', async () => {
    const clock = new FakeClock();
    const pieces = stream(slowDrip(faultContextOf({ clock })));
    expect((await pieces.next()).value).toEqual(Uint8Array.of(0x7b));
    const second = pieces.next();
    await clock.advance(249);
    expect(clock.sleeping).toBe(1);
    await clock.advance(1);
    expect((await second).value).toEqual(Uint8Array.of(0x22));
  });

  it('stops when the client disconnects', async () => {
    const pieces = stream(slowDrip(faultContextOf({ disconnected: AbortSignal.abort() })));
    await pieces.next();
    expect((await pieces.next()).done).toBe(true);
  });
});

describe('hugeBody', () => {
  it('sends 100 MB from one buffer', async () => {
    const pieces = stream(hugeBody(faultContextOf()));
    await pieces.next();
    const first = await pieces.next();
    let total = 0;
    let again = first;
    for (; again.done !== true; again = await pieces.next()) {
      expect(again.value).toBe(first.value);
      total += again.value.length;
    }
    expect(total).toBe(100 * 1024 * 1024);
  });
});

describe('gzipBomb', () => {
  it('is small, and decompresses to a large body', async () => {
    const reply = gzipBomb(faultContextOf());
    expect(reply.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-type': 'application/json' });
    const pieces = stream(reply);
    const [header, block] = [await pieces.next(), await pieces.next()];
    let blocks = 1;
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
      if (next.value === block.value) blocks += 1;
    }
    expect(blocks).toBe(1024);
    expect(block.value.length * blocks).toBeLessThan(3 * 1024 * 1024);
    const two = Buffer.concat([header.value, block.value, block.value]);
    const unpacked = gunzipSync(two, { finishFlush: 2 });
    expect(unpacked.length).toBe(2 * 1024 * 1024);
  });
});

describe('every fault', () => {
  it('keeps status and headers of the healthy reply', () => {
    for (const spoil of [resetMidBody, hangBeforeBody, hangWithinBody, slowDrip, hugeBody, gzipBomb]) {
      const { status, headers } = spoil(faultContextOf());
      expect([status, headers?.['content-type']]).toEqual([200, 'application/json']);
    }
  });
});
