import { expect, it } from 'vitest';
import { checkOverdue } from '../../../src/alert/rules/check-overdue.ts';
import { findings, situationWith, view, wall } from './rule-fixtures.ts';

const day = 86_400_000;

function ranAgo(days: number, message = '') {
  const run = view('consistency', '', { lastSuccess: wall - days * day, message });
  return situationWith({}, { collectors: [run, view('services')] });
}

it.each([
  [7.9, 0],
  [8, 0],
  [8.1, 1],
])('check_overdue › %d days after the last run: %d findings', (days, count) => {
  expect(findings(checkOverdue, ranAgo(days))).toHaveLength(count);
});

it('check_overdue › states the reason, and counts from the start of the process without a run', () => {
  expect(findings(checkOverdue, ranAgo(9, 'no answer'))).toEqual([
    { labels: {}, facts: { age: '9d', reason: 'no answer' } },
  ]);
  const { lastSuccess: _, ...never } = view('consistency', '', { dueSince: wall - 9 * day });
  expect(findings(checkOverdue, situationWith({}, { collectors: [never] }))[0]?.facts.reason).toBe('it was not run');
});

it('check_overdue › does not fire for a check that is not configured', () => {
  expect(findings(checkOverdue, situationWith({}, { collectors: [view('services', '', { lastSuccess: 0 })] }))).toEqual(
    [],
  );
});
