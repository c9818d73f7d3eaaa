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

describe('what holds a decision', () => {
  it.each([
    ['nothing', {}, undefined],
    ['the cooldown', { attempts: ago(59) }, { reason: 'cooldown', until: now + 1000 }],
    ['no cooldown that is over', { attempts: ago(60) }, undefined],
    ['no cooldown elsewhere', { attempts: elsewhere.slice(0, 1).map((one) => ({ ...one, at: now })) }, undefined],
    ['the budget of the node', { attempts: ago(100, 200) }, { reason: 'node_budget', until: now + 400_000 }],
    ['the budget of the cluster', { attempts: elsewhere }, { reason: 'cluster_budget', until: now + 300_000 }],
    ['no budget of those that observe', { shadowAttempts: ago(10, 20, 30) }, undefined],
  ])('%s', (_, state: Partial<GuardState>, expected) => {
    expect(hold(state)).toEqual(expected);
  });

  it('those that observe go by what they would have spent', () => {
    const observing = decisionOf({ mode: 'observe' });
    expect(hold({ shadowAttempts: ago(59) }, observing)).toMatchObject({ reason: 'cooldown' });
    expect(hold({ attempts: ago(59) }, observing)).toBeUndefined();
    expect(attemptsForMode(observing, { ...initialState(), shadowAttempts: elsewhere })).toBe(elsewhere);
  });

  it('a gate waits for relief on its node', () => {
    const reliefChecks = [{ key: 'other', policy: 'runaway', node: 'n1', before: {}, outcomeAt: undefined }];
    expect(hold({ reliefChecks })).toEqual({ reason: 'relief', until: undefined });
    expect(hold({ reliefChecks: reliefChecks.map((one) => ({ ...one, node: 'n2' })) })).toBeUndefined();
    expect(hold({ reliefChecks: reliefChecks.map((one) => ({ ...one, key: decision.key })) })).toBeUndefined();
    expect(hold({ reliefChecks }, decisionOf({ policy: 'gone' }))).toBeUndefined();
    expect(hold({ reliefChecks }, decisionOf({ mode: 'observe' }))).toBeUndefined();
  });

  it('as many tries of one query as may be, within the period', () => {
    const attempts = [700, 800, 899].map((one) => attemptAt(now - one * 1000, { node: 'n2' }));
    expect(hold({ attempts })).toEqual({ reason: 'same_query', until: undefined });
    const old = { ...initialState(), attempts: attempts.map((one) => ({ ...one, at: one.at - 1000 })) };
    expect(isSameQueryLimitReached(decision, old, stepContextOf(settings, at(0)))).toBe(false);
  });

  it('of those tries its own is none', () => {
    const attempts = [1, 2, 3].map((index) => attemptAt(now - index, { node: 'n2', key: `${index}` }));
    const { key } = decision;
    const own = attempts.map((one, index) => (index === 0 ? { ...one, key } : one));
    const tried = (all: typeof attempts) =>
      isSameQueryLimitReached(decision, { ...initialState(), attempts: all }, stepContextOf(settings, at(0)));
    expect([tried(attempts), tried(own)]).toEqual([true, false]);
  });

  it('an operator is held by nothing', () => {
    const byHand = decisionOf({ manual: { by: 'me', reason: 'slow', whilePaused: false } });
    const reliefChecks = [{ key: 'other', policy: 'runaway', node: 'n1', before: {}, outcomeAt: undefined }];
    expect(hold({ reliefChecks, attempts: ago(1, 2, 3) }, byHand)).toBeUndefined();
    expect(hold({ reliefChecks, attempts: ago(1, 2, 3) })).toBeDefined();
  });
});
