import { describe, expect, it } from 'vitest';
import { StableList } from '../../src/model/stable-list.ts';

interface Item {
  readonly id: string;
}

function items(ids: string): readonly Item[] {
  return ids.split('').map((id) => ({ id }));
}

function collected(before: readonly Item[], added: readonly Item[]): readonly Item[] {
  const list = new StableList(before, (one, other) => one.id === other.id);
  for (const item of added) list.add(item);
  expect(list.length).toBe(added.length);
  return list.items;
}

describe('a list that hardly ever changes', () => {
  it('is the previous list if no item differs', () => {
    const before = items('abc');
    expect(collected(before, before)).toBe(before);
    expect(collected(before, items('abc'))).toBe(before);
    expect(collected([], [])).toEqual([]);
  });

  it.each(['', 'a', 'ab', 'abcd', 'bc', 'xbc', 'axc', 'abx', 'cba', 'aabc'])(
    'is %s after an addition, and the other list is unchanged',
    (ids) => {
      const before = items('abc');
      const now = collected(before, items(ids));
      expect(now.map(({ id }) => id).join('')).toBe(ids);
      expect(before.map(({ id }) => id).join('')).toBe('abc');
    },
  );

  it('keeps the previous items in their positions', () => {
    const before = items('abc');
    const now = collected(before, items('axc'));
    expect([now[0] === before[0], now[1] === before[1], now[2] === before[2]]).toEqual([true, false, true]);
  });

  it('works without a comparison function', () => {
    const list = new StableList<string>();
    list.add('a');
    expect(list.items).toEqual(['a']);
  });
});
