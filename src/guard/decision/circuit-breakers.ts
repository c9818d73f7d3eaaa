import type { Millis } from '../../kernel/time.ts';
import type { Pressure } from '../gates.ts';
import type { BreakerSettings, GateClause, Policy } from '../policy.ts';
import { type AbortAttempt, countAttempts } from './budgets.ts';
import type { AbortTarget } from './decision.ts';

/** Circuit breakers of a cluster. Times are on the monotonic clock. */
export interface CircuitBreakers {
  /** Keys of the open circuit breakers. An open breaker stays open until an operator resets it. */
  readonly open: ReadonlySet<string>;
  /** Time of the last reset, by key. Earlier attempts do not count. */
  readonly closedAt: ReadonlyMap<string, Millis>;
  /** Aborts in a row without relief, by policy. */
  readonly abortsWithoutRelief: ReadonlyMap<string, number>;
}

/** Check of whether the pressure falls after an abort of a policy with a gate. */
export interface ReliefCheck {
  readonly key: string;
  readonly policy: string;
  readonly node: string;
  /** Pressure at the time of the intent, by source. */
  readonly before: Readonly<Record<string, number>>;
  /** Undefined until the outcome is known. */
  readonly outcomeAt: Millis | undefined;
}

/** Initial state: all circuit breakers are closed. */
export const initialCircuitBreakers: CircuitBreakers = {
  open: new Set(),
  closedAt: new Map(),
  abortsWithoutRelief: new Map(),
};

/** Key of the circuit breaker of a cluster whose abort credential was refused. */
export const credentialBreakerKey = 'credential';

/** Returns the key of the circuit breaker of one query of the cluster. */
export function queryBreakerKey({ graph, query }: Pick<AbortTarget, 'graph' | 'query'>): string {
  return `same_query ${graph} ${query}`;
}

/** Returns the key of the circuit breaker of one policy. */
export function policyBreakerKey(policy: string): string {
  return `no_relief ${policy}`;
}

/** Returns the number of recent attempts at one query, without the attempt `key`. */
export function countRecentAttempts(
  { closedAt }: CircuitBreakers,
  attempts: readonly AbortAttempt[],
  {
    target,
    key,
    since,
  }: { readonly target: Pick<AbortTarget, 'graph' | 'query'>; readonly key?: string; readonly since: Millis },
): number {
  const from = Math.max(since, closedAt.get(queryBreakerKey(target)) ?? Number.NEGATIVE_INFINITY);
  return countAttempts(
    attempts.filter((one) => one.key !== key),
    target,
    from,
  );
}

/** Opens a circuit breaker until an operator resets it. */
export function openBreaker(breakers: CircuitBreakers, key: string): CircuitBreakers {
  return { ...breakers, open: new Set(breakers.open).add(key) };
}

/** Closes a circuit breaker; its count restarts. */
export function resetBreaker(breakers: CircuitBreakers, key: string, now: Millis): CircuitBreakers {
  const open = new Set(breakers.open);
  open.delete(key);
  const counts = new Map(breakers.abortsWithoutRelief);
  for (const policy of counts.keys()) if (policyBreakerKey(policy) === key) counts.delete(policy);
  return { open, closedAt: new Map(breakers.closedAt).set(key, now), abortsWithoutRelief: counts };
}

/** Records whether an abort of a policy with a gate brought relief, and opens the breaker after too many without. */
export function recordRelief(
  breakers: CircuitBreakers,
  policy: string,
  { isRelieved, settings }: { readonly isRelieved: boolean; readonly settings: BreakerSettings },
): CircuitBreakers {
  const count = isRelieved ? 0 : abortsWithoutRelief(breakers, policy) + 1;
  const next = { ...breakers, abortsWithoutRelief: new Map(breakers.abortsWithoutRelief).set(policy, count) };
  return count >= settings.noRelief.aborts ? openBreaker(next, policyBreakerKey(policy)) : next;
}

/** Returns the number of consecutive aborts of a policy without relief. */
export function abortsWithoutRelief(breakers: CircuitBreakers, policy: string): number {
  return breakers.abortsWithoutRelief.get(policy) ?? 0;
}

/**
 * Returns the checks that can end under these policies: the gate of the policy still has a source of the check. A check
 * without one would delay the policy on its node for ever.
 */
export function currentReliefChecks(
  checks: readonly ReliefCheck[],
  policies: readonly Pick<Policy, 'name' | 'gate'>[],
): readonly ReliefCheck[] {
  return checks.filter(({ policy, before }) => {
    const clauses = policies.find(({ name }) => name === policy)?.gate?.clauses ?? [];
    return clauses.some(({ source }) => before[source] !== undefined);
  });
}

/** Returns the latest values of the pressure sources of a gate on a node, by source. */
export function latestPressures(
  clauses: readonly GateClause[],
  node: string,
  pressures: ReadonlyMap<string, Pressure>,
): Readonly<Record<string, number>> {
  const sources = [...new Set(clauses.map(({ source }) => source))];
  const values = sources.map((source) => [source, pressures.get(pressureKey(node, source))?.value] as const);
  return Object.fromEntries(values.flatMap(([source, value]) => (value === undefined ? [] : [[source, value]])));
}

/** Returns the key of the latest value of a source of a node. */
export function pressureKey(node: string, source: string): string {
  return `${node} ${source}`;
}

/** Returns whether a value shows relief: undefined if it is of another source or node, or was collected too early. */
export function hasPressureFallen(
  { node, before, outcomeAt }: ReliefCheck,
  { node: from, source, value, collectedAt, interval }: Pressure,
): boolean | undefined {
  const earlier = before[source];
  if (from !== node || value === undefined || earlier === undefined || outcomeAt === undefined) return undefined;
  return collectedAt >= outcomeAt + interval ? value < earlier : undefined;
}
