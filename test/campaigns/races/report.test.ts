import { expect, it } from 'vitest';
import { findingKinds } from '../../../campaigns/races/findings.ts';
import type { RunResult } from '../../../campaigns/races/oracle/evaluate.ts';
import { missedTargets, summarize, summaryLines } from '../../../campaigns/races/report.ts';

const verdict: RunResult = {
  seed: 1,
  kind: 'healthy',
  findings: [],
  aborts: 3,
  misdirected: 0,
  victims: 2,
  aborted: 2,
  missed: [],
  confirmedBefore: [10, 30],
  confirmedAfter: [40],
  outcomes: 3,
  reported: 3,
  needlessPauses: 0,
};
const idle: RunResult = {
  ...verdict,
  seed: 2,
  kind: 'pauses',
  victims: 0,
  aborted: 0,
  confirmedBefore: [],
  outcomes: 0,
  reported: 0,
};

it('races report › adds up the results', () => {
  const tally = summarize([verdict, idle]);
  expect(tally).toMatchObject({ runs: 2, aborts: 6, withVictims: 1, victims: 2, aborted: 2, outcomes: 3, reported: 3 });
  expect(tally.confirmedBefore).toEqual({ count: 2, p50: 10, p99: 30, most: 30 });
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
  ['few victims', [verdict, idle, idle, idle]],
  ['missed victims', [{ ...verdict, victims: 20, aborted: 18 }]],
  ['without outcome', [{ ...verdict, reported: 2 }]],
  ['needless pause', [verdict, { ...verdict, needlessPauses: 2 }]],
  ['too slow', [{ ...verdict, confirmedBefore: [251] }]],
])('races report › is %s', (kind, verdicts) => {
  expect(missedTargets(summarize(verdicts)).map((one) => one.kind)).toEqual([kind]);
});

it.each(findingKinds)('races report › counts findings of the kind %s', (kind) => {
  const tally = summarize([{ ...verdict, findings: [{ kind, about: 'x' }] }]);
  expect(tally.found).toEqual([{ seed: 1, kind, about: 'x' }]);
  expect(summaryLines(tally)).toContain(`findings: ${kind}: 1`);
});
