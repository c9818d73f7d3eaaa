import { describe, expect, it } from 'vitest';
import { BodyBufferPool, maxReceivedBytes } from '../../src/runtime/body-buffer.ts';

const piece = 64 * 1024;

/** A body of `pieces` pieces, each of which says which one it is, and what it is part of. */
function bodyOf(room: BodyBufferPool, pieces: number, mark: number) {
  const body = room.startBody(100_000_000);
  for (let at = 0; at < pieces; at += 1) {
    const bytes = new Uint8Array(piece).fill(mark);
    bytes[0] = at % 256;
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
  it.each([0, 1, 2, 15, 16, 17, 40, 100])('of %i pieces is all of them in their order', (pieces) => {
    const { body } = bodyOf(new BodyBufferPool(), pieces, 7);
    expect(body.length).toBe(pieces * piece);
    expect(order(body)).toEqual(Array.from({ length: pieces }, (_, at) => at));
    expect(marks(body)).toEqual(pieces === 0 ? [] : [7]);
  });

  it('gives back memory only where it is long', () => {
    expect(bodyOf(new BodyBufferPool(), 15, 1).release).toBeUndefined();
    expect(bodyOf(new BodyBufferPool(), 16, 1).release).toBeTypeOf('function');
  });
});

describe('the memory of long bodies', () => {
  it('is refused beyond what one node may use, until another body ends', () => {
    const room = new BodyBufferPool();
    const half = new Uint8Array(maxReceivedBytes / 2);
    const [first, second, third] = [room.startBody(1e8), room.startBody(1e8), room.startBody(1e8)];
    expect([first.add(half), second.add(half), third.add(half)]).toEqual([true, true, false]);
    third.end();
    first.end();
    expect(room.startBody(1e8).add(half)).toBe(true);
    expect(second.finish().body).toHaveLength(half.length);
  });

  it('is used again when it was given back, and has about the size that is needed', () => {
    const room = new BodyBufferPool();
    bodyOf(room, 100, 1).release?.();
    const second = bodyOf(room, 100, 2);
    second.release?.();
    const third = bodyOf(room, 102, 3);
    expect(third.body.buffer).toBe(second.body.buffer);
    expect(third.body.buffer.byteLength).toBeLessThan(1.2 * third.body.length);
    expect(order(third.body)).toHaveLength(102);
    expect(marks(third.body)).toEqual([3]);
  });

  it('stays as it is until it is given back', () => {
    const room = new BodyBufferPool();
    const first = bodyOf(room, 50, 1);
    const second = bodyOf(room, 50, 2);
    expect([marks(first.body), marks(second.body)]).toEqual([[1], [2]]);
    first.release?.();
    expect([marks(bodyOf(room, 60, 3).body), marks(second.body)]).toEqual([[3], [2]]);
  });

  it('is freed when one body was much longer than the next', () => {
    const room = new BodyBufferPool();
    bodyOf(room, 400, 1).release?.();
    bodyOf(room, 400, 1).release?.();
    bodyOf(room, 20, 2).release?.();
    expect(bodyOf(room, 20, 3).body.buffer.byteLength).toBeLessThan(30 * piece);
  });
});
