import { describe, expect, it } from 'vitest';
import { count, day, gibibytes, list, sentence, short } from '../../../../src/app/api/landing/words.ts';

it.each([
  [0, 'node', '0 nodes'],
  [1, 'node', '1 node'],
  [2, 'query', '2 queries'],
  [299, 'day', '299 days'],
  [100_000, 'unsynced entry', '100,000 unsynced entries'],
])('%i %s', (amount, thing, text) => {
  expect(count(amount, thing)).toBe(text);
});

describe('a list', () => {
  it.each([
    [[], ''],
    [['m1'], 'm1'],
    [['m1', 'm2'], 'm1 and m2'],
    [['m1', 'm2', 'm3'], 'm1, m2 and m3'],
    [['m1', 'm2', 'm3', 'm4', 'm5'], 'm1, m2, m3 and 2 more'],
  ])('of %j', (items, text) => {
    expect(list(items, 3)).toBe(text);
  });

  it('holds no name that fills the page', () => {
    expect(list(['x'.repeat(10_000)])).toHaveLength(101);
  });
});

it('gibibytes', () => {
  expect(gibibytes(57_553_000_000)).toBe('53.6 GiB');
});

describe('a date', () => {
  const wall = Date.UTC(2026, 8, 22, 4, 53, 20);
  it('is said in UTC', () => {
    expect(day(wall)).toBe('2026-09-22');
  });

  it.each([
    [Number.POSITIVE_INFINITY, '9999-12-31'],
    [1e300, '9999-12-31'],
    [-1e300, '1970-01-01'],
    [Number.NaN, '1970-01-01'],
  ])('that no calendar holds (%d) is the nearest one', (strange, text) => {
    expect(day(strange)).toBe(text);
  });
});

it.each([
  ['m1 is down', 'm1 is down.'],
  ['Is it?', 'Is it?'],
  ['It is.', 'It is.'],
  ['cut…', 'cut…'],
])('the sentence of %j', (text, whole) => {
  expect(sentence(text)).toBe(whole);
});

it('a long text is cut', () => {
  expect(short('x'.repeat(300))).toHaveLength(300);
  expect(short('x'.repeat(301))).toBe(`${'x'.repeat(300)}…`);
});
