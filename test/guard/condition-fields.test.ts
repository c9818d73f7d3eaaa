import { expect, it } from 'vitest';
import { patternsField } from '../../src/guard/condition-fields.ts';
import { issuesOf } from './issues.ts';

it.each([
  ['adhoc_*', [{ kind: 'glob', text: 'adhoc_*' }]],
  [
    ['a', 're:^b+$'],
    [
      { kind: 'glob', text: 'a' },
      { kind: 'regex', text: '^b+$' },
    ],
  ],
])('condition fields › %j are patterns', (given, patterns) => {
  expect(patternsField('name').parse(given)).toEqual(patterns);
});

it.each([
  ['nightly-*', ['']],
  [
    ['ok', 'nightly-*', 'also_ok', 're:b'],
    ['1', '3'],
  ],
  [[], ['']],
  [7, ['']],
  [null, ['']],
  [['ok', 7], ['']],
  [{ is: 'adhoc_*' }, ['']],
])('condition fields › %j are rejected, with the path', (given, paths) => {
  const found = issuesOf(patternsField('name'), given);
  expect(found.map((complaint) => complaint.split(': ', 1)[0])).toEqual(paths);
  expect(found.join()).not.toContain('nightly');
});

it('condition fields › names the expected subject in its error', () => {
  expect(patternsField('text').safeParse('nightly-*').success).toBe(true);
  expect(patternsField('node').safeParse('nightly-*').success).toBe(true);
});
