import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/simulator/seeded-random.ts';
import { newChildContext, newRootContext, wallTimeOf } from '../../src/trace/span-context.ts';

describe('a span context', () => {
  it('has unique hexadecimal ids', () => {
    const random = seededRandom(1);
    const roots = Array.from({ length: 1000 }, () => newRootContext(random));
    for (const { traceId, spanId } of roots) {
      expect(traceId).toMatch(/^[0-9a-f]{32}$/);
      expect(spanId).toMatch(/^[0-9a-f]{16}$/);
    }
    expect(new Set(roots.map(({ traceId }) => traceId)).size).toBe(1000);
    expect(new Set(roots.map(({ spanId }) => spanId)).size).toBe(1000);
  });

  it.each([0, 1 - Number.EPSILON])('is valid with the random number %d', (value) => {
    const { traceId, spanId } = newRootContext({ next: () => value });
    expect([traceId.length, spanId.length]).toEqual([32, 16]);
    expect(traceId).not.toMatch(/^0+$/);
    expect(spanId).not.toMatch(/^0+$/);
  });

  it('of a child has the trace id of its parent and another span id', () => {
    const random = seededRandom(2);
    const root = newRootContext(random);
    const child = newChildContext(root, random);
    expect(child.traceId).toBe(root.traceId);
    expect(child.spanId).not.toBe(root.spanId);
  });
});

it('time in a trace uses the monotonic clock', () => {
  expect(wallTimeOf({ wall: 5000, mono: 100 }, { wall: 0, mono: 350.5 })).toBe(5250.5);
});
