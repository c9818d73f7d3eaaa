import { describe, expect, it } from 'vitest';
import { attemptsForMode, delayFor, isSameQueryLimitReached } from '../../../src/guard/decision/guard-conditions.ts';
import { type GuardState, initialState } from '../../../src/guard/decision/state.ts';
import { policyOf } from '../match-inputs.ts';
import { at } from '../observations.ts';
import { stepContextOf } from './contexts.ts';
import { attemptAt, decisionOf } from './decisions.ts';
import { settingsOf } from './guard-simulation.ts';

const settings = settingsOf([policyOf()], {
  budgets: { perNode: { max: 2, within: 600_000 }, perCluster: { max: 3, within: 600_000 } },
});
const now = at(0).mono;
const decision = decisionOf();

function hold(changes: Partial<GuardState>, given = decision) {
  return delayFor(given, { ...initialState(), ...changes }, stepContextOf(settings, at(0)));
}

/** Attempts some seconds ago, of other queries. */
function ago(...seconds: readonly number[]) {
  return seconds.map((one, index) => attemptAt(now - one * 1000, { key: `${index}`, query: `q${index}` }));
}

const elsewhere = ago(100, 200, 300).map((one) => ({ ...one, node: 'n2' }));

describe('decision delay', () => {
  it.each([
    ['does not exist without attempts', {}, undefined],
    ['lasts until the end of the cooldown', { attempts: ago(59) }, { reason: 'cooldown', until: now + 1000 }],
    ['ignores a cooldown that is over', { attempts: ago(60) }, undefined],
    [
      'ignores a cooldown on another node',
      { attempts: elsewhere.slice(0, 1).map((one) => ({ ...one, at: now })) },
      undefined,
    ],
    [
      'lasts until the budget of the node allows an abort',
      { attempts: ago(100, 200) },
      { reason: 'node_budget', until: now + 400_000 },
    ],
    [
      'lasts until the budget of the cluster allows an abort',
      { attempts: elsewhere },
      { reason: 'cluster_budget', until: now + 300_000 },
    ],
    ['ignores the budget of observing policies', { observeModeAttempts: ago(10, 20, 30) }, undefined],
  ])('%s', (_, state: Partial<GuardState>, expected) => {
    expect(hold(state)).toEqual(expected);
  });

  it('counts separate budgets for observing policies', () => {
    const observing = decisionOf({ mode: 'observe' });
    expect(hold({ observeModeAttempts: ago(59) }, observing)).toMatchObject({ reason: 'cooldown' });
    expect(hold({ attempts: ago(59) }, observing)).toBeUndefined();
    expect(attemptsForMode(observing, { ...initialState(), observeModeAttempts: elsewhere })).toBe(elsewhere);
  });

  it('of a policy with a gate lasts until the relief on its node is known', () => {
    const reliefChecks = [{ key: 'other', policy: 'runaway', node: 'n1', before: {}, outcomeAt: undefined }];
    expect(hold({ reliefChecks })).toEqual({ reason: 'relief', until: undefined });
    expect(hold({ reliefChecks: reliefChecks.map((one) => ({ ...one, node: 'n2' })) })).toBeUndefined();
    expect(hold({ reliefChecks: reliefChecks.map((one) => ({ ...one, key: decision.key })) })).toBeUndefined();
    expect(hold({ reliefChecks }, decisionOf({ policy: 'gone' }))).toBeUndefined();
    expect(hold({ reliefChecks }, decisionOf({ mode: 'observe' }))).toBeUndefined();
  });

  it('begins after the allowed number of aborts of the same query within the period', () => {
    const attempts = [700, 800, 899].map((one) => attemptAt(now - one * 1000, { node: 'n2' }));
    expect(hold({ attempts })).toEqual({ reason: 'same_query', until: undefined });
    const old = { ...initialState(), attempts: attempts.map((one) => ({ ...one, at: one.at - 1000 })) };
    expect(isSameQueryLimitReached(decision, old, stepContextOf(settings, at(0)))).toBe(false);
  });

  it('does not count the decision itself as an abort', () => {
    const attempts = [1, 2, 3].map((index) => attemptAt(now - index, { node: 'n2', key: `${index}` }));
    const { key } = decision;
    const own = attempts.map((one, index) => (index === 0 ? { ...one, key } : one));
    const tried = (all: typeof attempts) =>
      isSameQueryLimitReached(decision, { ...initialState(), attempts: all }, stepContextOf(settings, at(0)));
    expect([tried(attempts), tried(own)]).toEqual([true, false]);
  });

  it('does not apply to manual aborts', () => {
    const manual = decisionOf({ manual: { by: 'me', reason: 'slow', whilePaused: false } });
    const reliefChecks = [{ key: 'other', policy: 'runaway', node: 'n1', before: {}, outcomeAt: undefined }];
    expect(hold({ reliefChecks, attempts: ago(1, 2, 3) }, manual)).toBeUndefined();
    expect(hold({ reliefChecks, attempts: ago(1, 2, 3) })).toBeDefined();
  });
});
