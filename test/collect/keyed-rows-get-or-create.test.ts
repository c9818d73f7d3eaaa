import { describe, expect, it } from 'vitest';
import { getOrCreate } from '../../src/collect/keyed-rows.ts';

describe('getOrCreate', () => {
  it('creates a value for a new key, and returns it for the same key afterwards', () => {
    const map = new Map<string, string[]>();
    const first = getOrCreate(map, 'a', () => ['made']);
    expect(first).toEqual(['made']);
    expect(getOrCreate(map, 'a', () => ['made again'])).toBe(first);
    expect([...map]).toEqual([['a', ['made']]]);
  });

  it('keeps keys apart', () => {
    const map = new Map<string, { count: number }>();
    for (const key of ['a', 'b', 'a']) getOrCreate(map, key, () => ({ count: 0 })).count += 1;
    expect(Object.fromEntries(map)).toEqual({ a: { count: 2 }, b: { count: 1 } });
  });
});
