import { describe, expect, it } from 'vitest';
import { inventoryChanges, largestNames } from '../../src/collect/inventory.ts';
import type { InventoryItem } from '../../src/model/inventory.ts';

const item = (name: string, ...parts: readonly string[]): InventoryItem => ({ name, parts });

function changes(before: readonly InventoryItem[], after: readonly InventoryItem[]): readonly string[] {
  return [...inventoryChanges('endpoint', before, after)].map(({ object, change, name, detail }) =>
    [object, change, name, detail].filter((text) => text !== '').join(' '),
  );
}

describe('the changes between two lists', () => {
  it('are added, removed and changed entries', () => {
    const before = [item('a'), item('b', 'depth INT64', 'limit INT64'), item('c', 'x')];
    const after = [item('b', 'depth INT32', 'limit INT64'), item('c', 'x'), item('d')];
    expect(changes(before, after)).toEqual([
      'endpoint changed b -depth INT64, +depth INT32',
      'endpoint added d',
      'endpoint removed a',
    ]);
  });

  it('are empty between equal lists, in any order', () => {
    const list = [item('a', '1', '2'), item('b')];
    expect(changes(list, list.toReversed())).toEqual([]);
    expect(changes([], [])).toEqual([]);
  });

  it('name an item that lost or got all its parts', () => {
    expect(changes([item('a', '1')], [item('a')])).toEqual(['endpoint changed a -1']);
    expect(changes([item('a')], [item('a', '1')])).toEqual(['endpoint changed a +1']);
  });

  it('state that a configuration changed, without its content', () => {
    const configured = (configuration: string, part = 'x') => ({ ...item('a', part), configuration });
    expect(changes([configured('1')], [configured('1')])).toEqual([]);
    expect(changes([configured('1')], [configured('2')])).toEqual(['endpoint changed a configuration']);
    expect(changes([configured('1')], [configured('2', 'y')])).toEqual(['endpoint changed a -x, +y, configuration']);
  });

  it.each(['__proto__', 'constructor', '', '"\n<b>'])('survive the name %j', (name) => {
    expect(changes([], [item(name)])).toHaveLength(1);
    expect(changes([item(name, name)], [item(name)])).toHaveLength(1);
  });
});

describe('the largest names', () => {
  const counts = new Map([
    ['b', 2],
    ['a', 2],
    ['c', 9],
  ]);

  it('are those with the largest counts, then those first in the alphabet', () => {
    expect([...largestNames(counts, 2)]).toEqual(['c', 'a']);
  });

  it('are all names below the limit', () => {
    expect([...largestNames(counts, 3)].toSorted()).toEqual(['a', 'b', 'c']);
    expect(largestNames(new Map(), 3).size).toBe(0);
  });
});
