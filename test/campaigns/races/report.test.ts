import { expect, it } from 'vitest';
import { findingKinds } from '../../../campaigns/races/findings.ts';
import type { RunResult } from '../../../campaigns/races/oracle/evaluate.ts';
import { missedTargets, summarize, summaryLines } from '../../../campaigns/races/report.ts';

const verdict: RunResult = {
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
  reported: 3,
};
const idle: RunResult = {
  ...verdict,
  seed: 2,
  kind: 'pauses',
  victims: 0,
  aborted: 0,
  foreseen: [],
  ends: 0,
  reported: 0,
};

it('adds up the results', () => {
  const tally = summarize([verdict, idle]);
  expect(tally).toMatchObject({ runs: 2, aborts: 6, withVictims: 1, victims: 2, aborted: 2, ends: 3, reported: 3 });
  expect(tally.foreseen).toEqual({ count: 2, p50: 10, p99: 30, most: 30 });
  expect(tally.byKind.find(({ kind }) => kind === 'healthy')).toMatchObject({
    runs: 1,
    aborts: 3,
    victims: 2,
    aborted: 2,
  });
  expect(missedTargets(tally)).toEqual([]);
  expect(summaryLines(tally)).toContain('findings: none');
});

it.each<[string, readonly RunResult[]]>([
  ['too tame', [verdict, idle, idle, idle]],
  ['too idle', [{ ...verdict, victims: 20, aborted: 18 }]],
  ['without outcome', [{ ...verdict, reported: 2 }]],
  ['too slow', [{ ...verdict, foreseen: [251] }]],
])('is %s', (kind, verdicts) => {
  expect(missedTargets(summarize(verdicts)).map((one) => one.kind)).toEqual([kind]);
});

it.each(findingKinds)('counts what is %s', (kind) => {
  const tally = summarize([{ ...verdict, findings: [{ kind, about: 'x' }] }]);
  expect(tally.found).toEqual([{ seed: 1, kind, about: 'x' }]);
  expect(summaryLines(tally)).toContain(`findings: ${kind}: 1`);
});
