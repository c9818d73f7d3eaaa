import type { AbortView, BreakerView, GuardView } from '../../../src/model/guard.ts';
import type { Situation } from '../../../src/model/situation.ts';
import { minute, situationWith, wall } from './rule-fixtures.ts';

/** An abort that the policy `runaway` took up a moment ago, with changes. */
export function abort(more: Partial<AbortView> = {}): AbortView {
  return {
    key: '["m1","16777217.RESTPP_1_1.1790052000000.N","a"]',
    node: 'm1',
    id: '16777217.RESTPP_1_1.1790052000000.N',
    graph: 'fraud',
    query: 'ring_scan',
    policy: 'runaway',
    notify: [],
    age: 12 * minute + 3200,
    grantedTimeout: 120 * minute,
    at: wall,
    ...more,
  };
}

/** The breaker of a query, with changes. */
export function breaker(more: Partial<BreakerView> = {}): BreakerView {
  const what = { reason: 'same_query', graph: 'fraud', query: 'ring_scan', policy: '' } as const;
  return { key: 'same_query fraud ring_scan', ...what, since: wall, ...more };
}

/** A guard that knows this and nothing else. */
export function guardWith(more: Partial<GuardView> = {}): GuardView {
  return { aborts: [], breakers: [], nodesWithoutData: [], ...more };
}

/** The situation of a cluster with such a guard. */
export function guarded(more: Partial<GuardView> = {}): Situation {
  return situationWith({}, { guard: guardWith(more) });
}
