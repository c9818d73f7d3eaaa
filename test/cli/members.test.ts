import { describe, expect, it } from 'vitest';
import { membersOf, readPage, textOf } from '../../src/cli/members.ts';

it.each([
  [{ a: 1 }, { a: 1 }],
  [null, {}],
  [undefined, {}],
  ['text', {}],
  [7, {}],
])('the members of %j are %j', (value, members) => {
  expect(membersOf(value)).toEqual(members);
});

it('a member that is no text is an empty one', () => {
  expect(['a', 'b', 'c'].map((name) => textOf({ a: 'x', b: 7 }, name))).toEqual(['x', '', '']);
});

function even(item: unknown): number | undefined {
  return typeof item === 'number' && item % 2 === 0 ? item : undefined;
}

describe('a page', () => {
  it('is read item by item', () => {
    expect(readPage({ items: [2, 4], total: 9, limit: 2 }, even)).toEqual({ items: [2, 4], total: 9 });
    expect(readPage({ items: [], total: 0 }, even)).toEqual({ items: [], total: 0 });
  });

  it.each([
    [null],
    [{}],
    [{ items: 'many', total: 1 }],
    [{ items: [], total: '0' }],
    [{ items: [], total: Number.NaN }],
    [{ items: [2, 3], total: 2 }],
  ])('is not %j', (answer) => {
    expect(readPage(answer, even)).toBeUndefined();
  });
});
