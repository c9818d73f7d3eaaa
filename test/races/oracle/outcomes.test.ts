import { expect, it } from 'vitest';
import { judge } from '../../../races/oracle/judge.ts';
import { endsOf } from '../../../races/oracle/outcomes.ts';
import type { RaceLog } from '../../../races/world/log.ts';
import type { Outcome } from '../../../src/guard/decision/decision.ts';
import { abortOf, queryOf, trialOf } from '../logs.ts';

const zombie = { queries: [queryOf({ isZombie: true, isAborted: false, endedAt: 90_000 })] };
const gone = { queries: [queryOf({ isAborted: false, endedAt: 44_000 })], aborts: [abortOf({ hit: undefined })] };

it.each<[Outcome, Partial<RaceLog>, boolean]>([
  ['confirmed', {}, true],
  ['vanished', {}, false],
  ['still_running', zombie, true],
  ['confirmed', zombie, false],
  ['finished_first', gone, true],
  ['confirmed', gone, false],
])('holds %s against the truth', (outcome, log, isRight) => {
  const outcomes = [{ key: 'k', outcome, at: 79_000 }];
  const ends = endsOf(trialOf({ ...log, outcomes }));
  expect(ends).toMatchObject({ all: 1, told: 1 });
  expect(ends.findings.map(({ kind }) => kind)).toEqual(isRight ? [] : ['wrong outcome']);
});

it.each<[string, RaceLog['outcomes']]>([
  ['late', [{ key: 'k', outcome: 'confirmed', at: 80_001 }]],
  ['unknown', [{ key: 'k', outcome: 'unknown', at: 79_000 }]],
  ['never told', []],
])('counts what is %s as not told', (_, outcomes) => {
  expect(endsOf(trialOf({ outcomes }))).toMatchObject({ all: 1, told: 0, findings: [] });
});

it('leaves out what was not over when the run was', () => {
  expect(endsOf(trialOf({}, { length: 80_000 }))).toMatchObject({ all: 0, told: 0 });
});

it('is asked of healthy runs alone, as the reaction is', () => {
  const timely = { aborts: [abortOf({ sentAt: 41_060 })], queries: [queryOf({ endedAt: 41_070 })] };
  expect(judge(trialOf(timely))).toMatchObject({ victims: 1, aborted: 1, ends: 1, foreseen: [60], unforeseen: [] });
  expect(judge(trialOf(timely, { kind: 'pauses' }))).toMatchObject({ victims: 1, aborted: 1, ends: 0, foreseen: [] });
  expect(judge(trialOf())).toMatchObject({ victims: 1, aborted: 0, missed: [expect.stringContaining('at 41000')] });
});
