import { expect, it } from 'vitest';
import { formatGibibytes, formatPercent } from '../../../src/alert/rules/text-format.ts';

it.each([
  [0, '0 %'],
  [0.054, '5.4 %'],
  [0.0999, '10.0 %'],
  [0.15, '15 %'],
  [1, '100 %'],
])('alert text format › %d is %s', (ratio, text) => {
  expect(formatPercent(ratio)).toBe(text);
});

it('alert text format › formats sizes in GiB', () => {
  expect(formatGibibytes(3.25 * 2 ** 30)).toBe('3.3 GiB');
});
