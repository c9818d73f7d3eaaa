import { describe, expect, it } from 'vitest';
import { compositeKey, distinctBy } from '../../src/collect/keyed-rows.ts';

describe('distinct', () => {
  it('keeps the first row of each key, in order', () => {
    const rows = ['b1', 'a1', 'b2', 'a2', 'c1'];
    expect([...distinctBy(rows, (row) => row.slice(0, 1))]).toEqual(['b1', 'a1', 'c1']);
  });

  it('keeps every row without a key', () => {
    expect([...distinctBy([1, 1, 2], () => '')]).toEqual([1, 1, 2]);
  });

  it('reads rows lazily', () => {
    const [first] = distinctBy(endless(), String);
    expect(first).toBe(0);
  });
});

describe('compositeKey', () => {
  it('returns different keys for words that are split differently', () => {
    const keys = [
      compositeKey('a', 'bc'),
      compositeKey('ab', 'c'),
      compositeKey('abc', ''),
      compositeKey('', 'abc'),
      compositeKey('abc'),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});

function* endless(): Generator<number> {
  for (let at = 0; ; at += 1) yield at;
}
