import { describe, expect, it } from 'vitest';
import { distinct, keyOf } from '../../src/collect/distinct.ts';

describe('distinct', () => {
  it('keeps the first row of each key, in order', () => {
    const rows = ['b1', 'a1', 'b2', 'a2', 'c1'];
    expect([...distinct(rows, (row) => row.slice(0, 1))]).toEqual(['b1', 'a1', 'c1']);
  });

  it('keeps every row without a key', () => {
    expect([...distinct([1, 1, 2], () => '')]).toEqual([1, 1, 2]);
  });

  it('takes rows as they come', () => {
    const [first] = distinct(endless(), String);
    expect(first).toBe(0);
  });
});

describe('keyOf', () => {
  it('tells words apart however they are cut', () => {
    const keys = [keyOf('a', 'bc'), keyOf('ab', 'c'), keyOf('abc', ''), keyOf('', 'abc'), keyOf('abc')];
    expect(new Set(keys).size).toBe(keys.length);
  });
});

function* endless(): Generator<number> {
  for (let at = 0; ; at += 1) yield at;
}
