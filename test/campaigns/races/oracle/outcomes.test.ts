import { expect, it } from 'vitest';
import { evaluateRun } from '../../../../campaigns/races/oracle/evaluate.ts';
import { summarizeOutcomes } from '../../../../campaigns/races/oracle/outcomes.ts';
import type { SimulationLog } from '../../../../campaigns/races/simulation/log.ts';
import type { Outcome } from '../../../../src/guard/decision/decision.ts';
import { abortOf, queryOf, recordedRunOf } from '../logs.ts';

const unstoppable = { queries: [queryOf({ ignoresAborts: true, isAborted: false, endedAt: 90_000 })] };
const gone = {
  queries: [queryOf({ isAborted: false, endedAt: 44_000 })],
  aborts: [abortOf({ queryNumber: undefined })],
};

it.each<[Outcome, Partial<SimulationLog>, boolean]>([
  ['confirmed', {}, true],
  ['vanished', {}, false],
  ['still_running', unstoppable, true],
  ['confirmed', unstoppable, false],
  ['finished_first', gone, true],
  ['confirmed', gone, false],
])('outcome oracle › compares the outcome %s with the log (case %$)', (outcome, log, isRight) => {
  const outcomes = [{ key: 'k', outcome, at: 79_000 }];
  const ends = summarizeOutcomes(recordedRunOf({ ...log, outcomes }));
  expect(ends).toMatchObject({ all: 1, reported: 1 });
  expect(ends.findings.map(({ kind }) => kind)).toEqual(isRight ? [] : ['wrong outcome']);
});

it.each<[string, SimulationLog['outcomes']]>([
  ['late', [{ key: 'k', outcome: 'confirmed', at: 80_001 }]],
  ['unknown', [{ key: 'k', outcome: 'unknown', at: 79_000 }]],
  ['never reported', []],
])('outcome oracle › does not count an outcome as reported if it is %s', (_, outcomes) => {
  expect(summarizeOutcomes(recordedRunOf({ outcomes }))).toMatchObject({ all: 1, reported: 0, findings: [] });
});

it('outcome oracle › skips aborts whose deadline is after the end of the run', () => {
  expect(summarizeOutcomes(recordedRunOf({}, { length: 80_000 }))).toMatchObject({ all: 0, reported: 0 });
});

it('outcome oracle › summarizes outcomes and reaction times only for healthy runs', () => {
  const timely = { aborts: [abortOf({ sentAt: 41_060 })], queries: [queryOf({ endedAt: 41_070 })] };
  expect(evaluateRun(recordedRunOf(timely))).toMatchObject({
    victims: 1,
    aborted: 1,
    outcomes: 1,
    confirmedBefore: [60],
    confirmedAfter: [],
  });
  expect(evaluateRun(recordedRunOf(timely, { kind: 'pauses' }))).toMatchObject({
    victims: 1,
    aborted: 1,
    outcomes: 0,
    confirmedBefore: [],
  });
  expect(evaluateRun(recordedRunOf())).toMatchObject({
    victims: 1,
    aborted: 0,
    missed: [expect.stringContaining('at 41000')],
  });
});
