import { describe, expect, it } from 'vitest';
import { targetReference } from '../../../src/guard/decision/decision.ts';
import { finishDecision, withdrawDecision } from '../../../src/guard/decision/outcomes.ts';
import { initialState, withDecision } from '../../../src/guard/decision/state.ts';
import { at, epoch } from '../observations.ts';
import { attemptAt, decisionOf } from './decisions.ts';

const decision = decisionOf({ phase: 'verifying' });
const { key } = decision;
const reliefChecks = [{ key, policy: 'runaway', node: 'n1', before: { queue_depth: 30 }, outcomeAt: undefined }];
const before = {
  ...withDecision(initialState(), key, decision),
  reliefChecks,
  attempts: [attemptAt(0, { key })],
  excludedKeys: new Set([key]),
};

describe('end of a decision', () => {
  it.each([
    ['confirmed', 1, false],
    ['vanished', 1, false],
    ['still_running', 1, true],
    ['unknown', 1, false],
    ['finished_first', 0, false],
    ['not_aborted', 0, false],
    ['refused', 0, false],
  ] as const)('with the outcome %s leaves %d relief checks', (outcome, count, pages) => {
    const { state, outputs } = finishDecision(before, decision, { outcome, now: at(0) });
    expect(outputs).toEqual([{ kind: 'outcome', ...targetReference(decision), outcome, pages, at: epoch }]);
    expect(state.reliefChecks.map(({ outcomeAt }) => outcomeAt)).toEqual(
      Array.from({ length: count }, () => at(0).mono),
    );
    expect(state.decisions.size).toBe(0);
  });

  it('does not change the relief of other decisions', () => {
    const other = { key: 'other', policy: 'runaway', node: 'n1', before: {}, outcomeAt: undefined };
    const state = { ...before, reliefChecks: [other] };
    expect(finishDecision(state, decision, { outcome: 'refused', now: at(0) }).state.reliefChecks).toEqual([other]);
  });

  it('leaves a withdrawn intent spent and excluded', () => {
    const { state, outputs } = withdrawDecision(before, decision, { skipReason: 'paused', now: at(0) });
    expect(outputs).toMatchObject([{ outcome: 'withdrawn', skipReason: 'paused', pages: false }]);
    expect(state.attempts).toMatchObject([{ key, isWithdrawn: true }]);
    expect([...state.excludedKeys]).toEqual([key]);
    expect(state.reliefChecks).toEqual([]);
  });
});
