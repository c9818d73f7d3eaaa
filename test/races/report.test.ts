import { expect, it } from 'vitest';
import { findingKinds } from '../../races/findings.ts';
import type { Verdict } from '../../races/oracle/judge.ts';
import { linesOf, shortcomings, tallyOf } from '../../races/report.ts';

const verdict: Verdict = {
  seed: 1,
  kind: 'healthy',
  findings: [],
  aborts: 3,
  astray: 0,
  victims: 2,
  aborted: 2,
  missed: [],
  foreseen: [10, 30],
  unforeseen: [40],
  ends: 3,
  told: 3,
};
const idle: Verdict = { ...verdict, seed: 2, kind: 'pauses', victims: 0, aborted: 0, foreseen: [], ends: 0, told: 0 };

it('adds up', () => {
  const tally = tallyOf([verdict, idle]);
  expect(tally).toMatchObject({ runs: 2, aborts: 6, telling: 1, victims: 2, aborted: 2, ends: 3, told: 3 });
  expect(tally.foreseen).toEqual({ count: 2, p50: 10, p99: 30, most: 30 });
  expect(tally.byKind.find(({ kind }) => kind === 'healthy')).toMatchObject({
    runs: 1,
    aborts: 3,
    victims: 2,
    aborted: 2,
  });
  expect(shortcomings(tally)).toEqual([]);
  expect(linesOf(tally)).toContain('findings: none');
});

it.each<[string, readonly Verdict[]]>([
  ['too tame', [verdict, idle, idle, idle]],
  ['too idle', [{ ...verdict, victims: 20, aborted: 18 }]],
  ['without outcome', [{ ...verdict, told: 2 }]],
  ['too slow', [{ ...verdict, foreseen: [251] }]],
])('is %s', (kind, verdicts) => {
  expect(shortcomings(tallyOf(verdicts)).map((one) => one.kind)).toEqual([kind]);
});

it.each(findingKinds)('counts what is %s', (kind) => {
  const tally = tallyOf([{ ...verdict, findings: [{ kind, about: 'x' }] }]);
  expect(tally.found).toEqual([{ seed: 1, kind, about: 'x' }]);
  expect(linesOf(tally)).toContain(`findings: ${kind}: 1`);
});
