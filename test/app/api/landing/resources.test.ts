import { expect, it } from 'vitest';
import { licenseInWords } from '../../../../src/app/api/landing/resources.ts';
import { license } from '../../../../src/collect/license.ts';
import { latest, lines, wall } from './landing-fixtures.ts';

const day = 86_400;

it.each([
  [299.5 * day, 'good: Ends on 2027-07-18, in 299 days'],
  [30 * day, 'good: Ends on 2026-10-22, in 30 days'],
  [29.9 * day, 'warning: Ends on 2026-10-22, in 29 days'],
  [7 * day, 'warning: Ends on 2026-09-29, in 7 days'],
  [1.5 * day, 'bad: Ends on 2026-09-23, in 1 day'],
  [0.5 * day, 'bad: Ends on 2026-09-22, within a day'],
  [0, 'bad: Expired on 2026-09-22'],
  [-40 * day, 'bad: Expired on 2026-08-13'],
  [1e300, 'good: Ends on 9999-12-31'],
])('%d s before its end', (left, expected) => {
  const facts = { expiresAtSeconds: wall / 1000 + left };
  expect(lines(licenseInWords(latest(license, { '': facts }), wall))).toEqual([expect.stringContaining(expected)]);
});

it('counts from now, not from when it was read', () => {
  const facts = { expiresAtSeconds: wall / 1000 + 1800 };
  expect(lines(licenseInWords(latest(license, { '': facts }), wall + 3_600_000))).toEqual([
    'bad: Expired on 2026-09-22',
  ]);
});

it('says when it is not known', () => {
  expect(lines(licenseInWords(latest(license, {}, { silent: [''] }), wall))).toHaveLength(1);
});
