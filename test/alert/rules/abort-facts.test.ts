import { describe, expect, it } from 'vitest';
import { abortFactsOf, abortLabels, abortLabelsOf, isGuardRestored } from '../../../src/alert/rules/abort-facts.ts';
import type { AbortOutcome } from '../../../src/model/guard.ts';
import { abort, guarded } from './guard-fixtures.ts';
import { minute, situationWith, wall } from './rule-fixtures.ts';

const outcomes: readonly AbortOutcome[] = [
  'confirmed',
  'still_running',
  'unknown',
  'finished_first',
  'not_aborted',
  'vanished',
  'refused',
  'withdrawn',
];

describe('facts of an abort', () => {
  it('is identified by its request ID and its time', () => {
    const labels = abortLabelsOf(abort());
    expect(Object.keys(labels)).toEqual(abortLabels);
    expect(labels).toMatchObject({
      request_id: '16777217.RESTPP_1_1.1790052000000.N',
      intent_at: '2026-09-22T04:53:20.000Z',
    });
    const others = [abort({ id: '2.RESTPP_1_1.1790052000000.N' }), abort({ at: wall + 1 }), abort({ node: 'm2' })];
    expect(new Set([abort(), ...others].map((one) => JSON.stringify(abortLabelsOf(one)))).size).toBe(4);
  });

  it('keeps its labels when its outcome is known', () => {
    expect(abortLabelsOf(abort({ outcome: 'confirmed', endedAt: wall + 5 }))).toEqual(abortLabelsOf(abort()));
  });

  it('states the time, the age, the granted timeout and the policy', () => {
    expect(abortFactsOf(abort())).toMatchObject({
      age: '12m 3s',
      granted: 'a timeout of 2h',
      when: '2026-09-22 04:53:20 UTC',
      decider: 'the policy runaway',
    });
    const { grantedTimeout: _, ...unlimited } = abort();
    expect(abortFactsOf(unlimited).granted).toBe('an unknown timeout');
  });

  it('states the operator and the reason of a manual abort', () => {
    const manual = { by: 'ada', reason: 'it blocks the load' };
    expect(abortFactsOf(abort({ policy: '', manual })).decider).toBe('the operator ada («it blocks the load»)');
  });

  it('is in progress before its outcome is known', () => {
    expect(abortFactsOf(abort())).toMatchObject({
      state: 'is being aborted',
      outcome: 'The result is not known yet',
    });
  });

  it.each(outcomes)('%s has a separate text', (outcome) => {
    const others = outcomes
      .filter((one) => one !== outcome)
      .map((one) => abortFactsOf(abort({ outcome: one })).outcome);
    expect(others).not.toContain(abortFactsOf(abort({ outcome })).outcome);
    expect(abortFactsOf(abort({ outcome })).outcome).not.toMatch(/\.$/);
  });

  it('reports success only for a confirmed abort of a query that is no longer listed', () => {
    const claimed = outcomes.filter((outcome) => abortFactsOf(abort({ outcome })).state === 'was aborted');
    expect(claimed).toEqual(['confirmed']);
  });
});

describe('the setting that would have prevented an abort', () => {
  it('is a timeout in ms that is at most the age of the query', () => {
    expect(abortFactsOf(abort()).prevention).toContain('GSQL-TIMEOUT: 723000 (in ms)');
    expect(abortFactsOf(abort({ age: 300 })).prevention).toContain('GSQL-TIMEOUT: 1000 (in ms)');
  });

  it('is a shorter queue if the policy has a gate', () => {
    expect(abortFactsOf(abort({ gated: true })).prevention).toMatch(/maxConcurrentQueries, or maxDelayQueueSize/);
    expect(abortFactsOf(abort({ gated: true })).prevention).not.toContain('GSQL-TIMEOUT');
  });

  it('is not a timeout if the server did not enforce the granted one', () => {
    const overdue = abortFactsOf(abort({ grantedTimeout: 10 * minute })).prevention;
    expect(overdue).toMatch(/^No timeout/);
    expect(overdue).not.toContain('GSQL-TIMEOUT');
  });
});

it('isGuardRestored is false before the guard restores its aborts', () => {
  expect([guarded({ isRestored: false }), guarded(), situationWith({})].map(isGuardRestored)).toEqual([
    false,
    true,
    true,
  ]);
});
