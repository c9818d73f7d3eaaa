import { expect, it } from 'vitest';
import { firstByName } from '../../src/model/inventory.ts';

const items = ['c', 'a', 'b'].map((name) => ({ name, parts: [] }));

it('firstByName keeps a list below the limit as it is', () => {
  expect(firstByName(items, 3)).toBe(items);
});

it('firstByName returns the same items for any order of the list', () => {
  for (const listed of [items, items.toReversed()]) {
    expect(firstByName(listed, 2).map(({ name }) => name)).toEqual(['a', 'b']);
  }
});
