import type { Millis } from '../../kernel/time.ts';
import type { Pressure } from '../gates.ts';
import type { BreakerSettings, GateClause } from '../policy.ts';
import { type Attempt, countAttempts } from './budgets.ts';
import type { AbortTarget } from './decision.ts';

/** What made the guard give up, until an operator says otherwise. Times are on the monotonic clock. */
export interface CircuitBreakers {
  /** Keys of those that are open. */
  readonly open: ReadonlySet<string>;
  /** When they were last closed: what was before counts no more. */
  readonly closedAt: ReadonlyMap<string, Millis>;
  /** Aborts in a row without relief, by policy. */
  readonly abortsWithoutRelief: ReadonlyMap<string, number>;
}

/** A gated policy waits to see whether the pressure falls. */
export interface ReliefCheck {
  readonly key: string;
  readonly policy: string;
  readonly node: string;
  /** By source, at the intent. */
  readonly before: Readonly<Record<string, number>>;
  /** Undefined until the outcome is known. */
  readonly outcomeAt: Millis | undefined;
}

/** All are closed. */
export const initialCircuitBreakers: CircuitBreakers = {
  open: new Set(),
  closedAt: new Map(),
  abortsWithoutRelief: new Map(),
};

/** Key of the circuit breaker of a cluster whose abort credential was refused. */
export const credentialBreakerKey = 'credential';

/** The key of the breaker of one query of the cluster. */
export function queryBreakerKey({ graph, query }: Pick<AbortTarget, 'graph' | 'query'>): string {
  return `same_query ${graph} ${query}`;
}

/** The key of the breaker of one policy. */
export function policyBreakerKey(policy: string): string {
  return `no_relief ${policy}`;
}

/** Returns the number of recent attempts at one query, without the attempt `key`. */
export function countRecentAttempts(
  { closedAt }: CircuitBreakers,
  attempts: readonly Attempt[],
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

/** Opens a breaker. */
export function openBreaker(breakers: CircuitBreakers, key: string): CircuitBreakers {
  return { ...breakers, open: new Set(breakers.open).add(key) };
}

/** Closes a breaker for an operator; its count restarts. */
export function resetBreaker(breakers: CircuitBreakers, key: string, now: Millis): CircuitBreakers {
  const open = new Set(breakers.open);
  open.delete(key);
  const counts = new Map(breakers.abortsWithoutRelief);
  for (const policy of counts.keys()) if (policyBreakerKey(policy) === key) counts.delete(policy);
  return { open, closedAt: new Map(breakers.closedAt).set(key, now), abortsWithoutRelief: counts };
}

/** One more abort of a gated policy, with relief or without. */
export function recordRelief(
  breakers: CircuitBreakers,
  policy: string,
  { isRelieved, settings }: { readonly isRelieved: boolean; readonly settings: BreakerSettings },
): CircuitBreakers {
  const count = isRelieved ? 0 : abortsWithoutRelief(breakers, policy) + 1;
  const next = { ...breakers, abortsWithoutRelief: new Map(breakers.abortsWithoutRelief).set(policy, count) };
  return count >= settings.noRelief.aborts ? openBreaker(next, policyBreakerKey(policy)) : next;
}

/** How many aborts of a policy in a row have been without relief. */
export function abortsWithoutRelief(breakers: CircuitBreakers, policy: string): number {
  return breakers.abortsWithoutRelief.get(policy) ?? 0;
}

/** The latest of what clauses of a gate look at on a node, by source. */
export function latestPressures(
  clauses: readonly GateClause[],
  node: string,
  readings: ReadonlyMap<string, Pressure>,
): Readonly<Record<string, number>> {
  const sources = [...new Set(clauses.map(({ source }) => source))];
  const values = sources.map((source) => [source, readings.get(pressureKey(node, source))?.value] as const);
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
