import { expect, it } from 'vitest';
import { groupByReason, isOverLimit, nameFamilies, seriesDropReasons } from '../../src/model/series-drop.ts';

it('series drop › adds up drops by reason and family, the family with the most series first', () => {
  const drops = [
    { reason: 'duplicate', family: 'a', series: 1 },
    { reason: 'series_per_family', family: 'a', series: 2 },
    { reason: 'series_per_family', family: 'b', series: 3 },
    { reason: 'series_per_family', family: 'a', series: 2 },
  ] as const;
  expect(groupByReason(drops)).toEqual([
    { reason: 'duplicate', series: 1, families: ['a'] },
    { reason: 'series_per_family', series: 7, families: ['a', 'b'] },
  ]);
  expect(groupByReason([])).toEqual([]);
});

it('series drop › distinguishes the limits of the configuration from other reasons', () => {
  expect(seriesDropReasons.filter((reason) => isOverLimit({ reason }))).toEqual([
    'series_per_family',
    'series_per_collector',
    'series_per_page',
  ]);
});

it('series drop › names five families, and counts the others', () => {
  expect(nameFamilies({ families: ['a', 'b'] })).toBe('a, b');
  expect(nameFamilies({ families: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] })).toBe('a, b, c, d, e and 2 more');
  expect(nameFamilies({ families: [''] })).toBe('');
});
