import { describe, expect, it } from 'vitest';
import { credentialBreakerKey, policyBreakerKey } from '../../../src/guard/decision/circuit-breakers.ts';
import { initialNodeView } from '../../../src/guard/decision/node-view.ts';
import { notReadyReasonsOf, type ReadinessContext } from '../../../src/guard/decision/readiness.ts';
import { type GuardState, initialState, withNodeView } from '../../../src/guard/decision/state.ts';
import type { Pressure } from '../../../src/guard/gates.ts';
import { guardSection } from '../../../src/guard/guard-section.ts';
import type { Gate } from '../../../src/guard/policy.ts';
import { bound } from '../match-inputs.ts';
import { attemptAt } from './decisions.ts';

const settings = guardSection.parse({
  mode: 'enforce',
  budgets: { per_node: { max: 1, within: '10m' }, per_cluster: { max: 2, within: '10m' } },
  policies: [{ name: 'runaway', mode: 'enforce', when: { age: '> 10s' } }],
});
const context: ReadinessContext = { settings, isPolled: true, interval: 5000, now: 100_000 };

function listedAt(at: number) {
  const instant = { mono: at, wall: at };
  const times = { started: instant, received: instant };
  return {
    times,
    address: '10.0.0.1:1',
    connection: 'c1',
    candidates: new Map(),
    ids: new Set<string>(),
    skippedEntries: 0,
  };
}

/** A state in which the policy can abort queries on `n1`. */
function readyState(): GuardState {
  const initial = initialState({ n1: 'RESTPP_1_1' });
  const restored = { ...initial, status: { ...initial.status, isRestored: true }, graphs: new Set(['fraud']) };
  return withNodeView(restored, 'n1', { ...initialNodeView(), list: listedAt(95_000) });
}

function reasonsOf(state: GuardState, changes: Partial<ReadinessContext> = {}) {
  return notReadyReasonsOf({ name: 'runaway' }, 'n1', state, { ...context, ...changes });
}

function withOpenBreaker(key: string): GuardState {
  const state = readyState();
  return { ...state, breakers: { ...state.breakers, open: new Set([key]) } };
}

function withStanding(changes: Partial<GuardState['status']>): GuardState {
  const state = readyState();
  return { ...state, status: { ...state.status, ...changes } };
}

/** Values of the node `n1`, by their keys. */
function pressures(...values: readonly Partial<Pressure>[]): readonly (readonly [string, Pressure])[] {
  return values.map((one) => {
    const recent = {
      node: 'n1',
      source: 'node_memory',
      value: 2,
      at: 0,
      collectedAt: 90_000,
      interval: 10_000,
    } as const;
    const pressure: Pressure = { ...recent, ...one };
    return [`${pressure.node} ${pressure.source}`, pressure] as const;
  });
}

describe('the readiness of a policy on a node', () => {
  it('has no reason if every requirement of an abort is met', () => {
    expect(reasonsOf(readyState())).toEqual([]);
  });

  it.each<[string, GuardState, Partial<ReadinessContext>?]>([
    ['state_not_loaded', withStanding({ isRestored: false })],
    ['paused', withStanding({ isPaused: true })],
    ['state_not_durable', withStanding({ isAuditable: false })],
    ['collector_off', readyState(), { isPolled: false }],
    [
      'list_failed',
      withNodeView(readyState(), 'n1', { ...initialNodeView(), list: listedAt(95_000), rejectedLists: 1 }),
    ],
    ['list_missing', withNodeView(readyState(), 'n1', { ...initialNodeView(), list: listedAt(86_000) })],
    ['list_missing', withNodeView(readyState(), 'n1', initialNodeView())],
    [
      'connection_closed',
      withNodeView(readyState(), 'n1', { ...initialNodeView(), list: { ...listedAt(95_000), connection: '' } }),
    ],
    ['not_covered', { ...readyState(), instances: initialState().instances }],
    ['other_cluster', { ...readyState(), sharedNodes: new Set(['n1']) }],
    ['graphs_unknown', { ...readyState(), graphs: new Set<string>() }],
    ['credential_missing', readyState(), { lacksCredentials: true }],
    ['credential_refused', withOpenBreaker(credentialBreakerKey)],
    ['breaker_open', withOpenBreaker(policyBreakerKey('runaway'))],
    ['node_budget', { ...readyState(), attempts: [attemptAt(90_000)] }],
    [
      'cluster_budget',
      { ...readyState(), attempts: [attemptAt(80_000, { node: 'n2' }), attemptAt(90_000, { node: 'n3' })] },
    ],
  ])('is missing for the reason %s (case %$)', (reason, state, changes) => {
    expect(reasonsOf(state, changes)).toEqual([reason]);
  });

  const clauses = (['node_memory', 'queue_depth'] as const).map((source) => ({ source, bound: bound('> 1'), for: 0 }));
  const check = { key: 'a', policy: 'runaway', node: 'n1', before: { node_memory: 2 }, outcomeAt: 0 };
  const queue = { source: 'queue_depth' } as const;

  it.each<[string, boolean, Gate['needs'], Partial<GuardState>]>([
    ['has no value', true, 'any', {}],
    ['has no value of another node', true, 'any', { pressures: new Map(pressures({ node: 'n2' })) }],
    ['has a value of one source', false, 'any', { pressures: new Map(pressures({})) }],
    ['has a value of one source and needs all', true, 'all', { pressures: new Map(pressures({})) }],
    ['has all values', false, 'all', { pressures: new Map(pressures({}, queue)) }],
    ['has values below its bounds', false, 'any', { pressures: new Map(pressures({ value: 0 })) }],
    ['has a failed value', true, 'any', { pressures: new Map(pressures({ value: undefined })) }],
    ['has an old value', true, 'any', { pressures: new Map(pressures({ collectedAt: 74_999 })) }],
    [
      'lacks the value that the last abort waits for',
      true,
      'any',
      { pressures: new Map(pressures(queue)), reliefChecks: [check] },
    ],
    [
      'has the value that the last abort waits for',
      false,
      'any',
      { pressures: new Map(pressures({})), reliefChecks: [check] },
    ],
  ])('knows if the gate of the policy %s: %s', (_, isUnknown, needs, changes) => {
    const policy = { name: 'runaway', gate: { needs, clauses } };
    const reasons = notReadyReasonsOf(policy, 'n1', { ...readyState(), ...changes }, context);
    expect(reasons).toEqual(isUnknown ? ['gate_unknown'] : []);
  });

  it('does not depend on the breaker of another policy', () => {
    expect(reasonsOf(withOpenBreaker(policyBreakerKey('other')))).toEqual([]);
  });

  it('reports every reason, the most important first', () => {
    const state = { ...withStanding({ isPaused: true }), attempts: [attemptAt(90_000)] };
    expect(reasonsOf(state, { isPolled: false })).toEqual(['paused', 'collector_off', 'node_budget']);
  });
});
