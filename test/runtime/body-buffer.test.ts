import { describe, expect, it } from 'vitest';
import { BodyBuffers } from '../../src/runtime/body-buffer.ts';
import { MemoryBudget } from '../../src/runtime/reply-memory.ts';

const piece = 64 * 1024;
const largest = 32 * 1_048_576;

/** The buffers of one pool, of which the largest body has 32 MiB. */
function setUp() {
  const budget = new MemoryBudget(16 * largest);
  return { budget, buffers: new BodyBuffers(budget, { origin: 'http://m1', isForGuard: false }) };
}

/** A body of `pieces` pieces, each of which says which one it is, and what it is part of. */
async function bodyOf(buffers: BodyBuffers, pieces: number, mark: number, limit = largest) {
  const body = buffers.startBody(limit);
  for (let at = 0; at < pieces; at += 1) {
    const bytes = new Uint8Array(piece).fill(mark);
    bytes[0] = at % 256;
    if (body.needsMemory(bytes)) expect(await body.reserve()).toBe(true);
    body.add(bytes);
  }
  return body.finish();
}

/** The marks that are found in the middle and at the end of each piece. */
function marks(body: Uint8Array): readonly number[] {
  return [
    ...new Set(order(body).flatMap((_, at) => [body[(at + 0.5) * piece] ?? -1, body[(at + 1) * piece - 1] ?? -1])),
  ];
}

function order(body: Uint8Array): readonly number[] {
  return Array.from({ length: body.length / piece }, (_, at) => body[at * piece] ?? -1);
}

describe('a body', () => {
  it.each([0, 1, 2, 15, 16, 17, 40, 100])('of %i pieces is their concatenation', async (pieces) => {
    const { body } = await bodyOf(setUp().buffers, pieces, 7);
    expect(body.length).toBe(pieces * piece);
    expect(order(body)).toEqual(Array.from({ length: pieces }, (_, at) => at));
    expect(marks(body)).toEqual(pieces === 0 ? [] : [7]);
  });

  it('reserves memory of the budget only if it is long, until it is released', async () => {
    const { budget, buffers } = setUp();
    expect((await bodyOf(buffers, 15, 1)).release).toBeUndefined();
    expect(budget.use.reserved).toBe(0);
    const { release } = await bodyOf(buffers, 16, 1, 2 * 1_048_576);
    expect(budget.use.reserved).toBe(2 * 1_048_576);
    release?.();
    release?.();
    expect(budget.use.reserved).toBe(0);
  });

  it('frees its chunks after the copy, if they are not used elsewhere', async () => {
    const { buffers } = setUp();
    for (const ownsChunks of [true, false]) {
      const chunks = Array.from({ length: 20 }, (_, at) => new Uint8Array(piece).fill(at));
      const shared = new Uint8Array(2 * piece).subarray(piece);
      const body = buffers.startBody(largest, ownsChunks);
      for (const chunk of [...chunks, shared]) {
        if (body.needsMemory(chunk)) await body.reserve();
        body.add(chunk);
      }
      expect(chunks.filter(({ length }) => length > 0)).toHaveLength(ownsChunks ? 0 : 20);
      expect(shared).toHaveLength(piece);
      const whole = body.finish();
      expect(order(whole.body)).toEqual([...Array.from({ length: 20 }, (_, at) => at), 0]);
      whole.release?.();
    }
  });

  it('waits for the long body of the same pool, until it is discarded', async () => {
    const { budget, buffers } = setUp();
    const { release } = await bodyOf(buffers, 16, 1);
    const [second, third] = [buffers.startBody(largest), buffers.startBody(largest)];
    const waiting = [second.reserve(), third.reserve()];
    expect([second.isWaiting, third.isWaiting]).toEqual([true, true]);
    second.discard();
    expect(await waiting[0]).toBe(false);
    release?.();
    expect(await waiting[1]).toBe(true);
    expect([second.isWaiting, third.isWaiting]).toEqual([true, false]);
    third.discard();
    expect(budget.use).toMatchObject({ reserved: 0, waits: 2 });
  });

  it('returns memory that is granted when it is discarded', async () => {
    const { budget, buffers } = setUp();
    const body = buffers.startBody(largest);
    const granted = body.reserve();
    expect(budget.use.reserved).toBe(largest);
    body.discard();
    expect(await granted).toBe(false);
    expect(budget.use.reserved).toBe(0);
  });
});

describe('the buffers of long bodies', () => {
  it('are reused after their release, and returned to the system by the C library when they are freed', async () => {
    const { buffers } = setUp();
    (await bodyOf(buffers, 100, 1)).release?.();
    const second = await bodyOf(buffers, 100, 2);
    const { buffer } = second.body;
    second.release?.();
    const third = await bodyOf(buffers, 102, 3);
    expect(third.body.buffer).toBe(buffer);
    expect(third.body.buffer.byteLength).toBeGreaterThan(32 * 1_048_576);
    expect(order(third.body)).toHaveLength(102);
    expect(marks(third.body)).toEqual([3]);
  });

  it('grow if a body is longer than the previous one', async () => {
    const { buffers } = setUp();
    (await bodyOf(buffers, 20, 1)).release?.();
    const { body } = await bodyOf(buffers, 40, 2);
    expect([order(body).length, marks(body)]).toEqual([40, [2]]);
  });

  it('are freed at once after a body of more than half of the largest size', async () => {
    const { buffers } = setUp();
    const long = await bodyOf(buffers, 400, 1);
    long.release?.();
    expect(long.body).toHaveLength(0);
  });
});
