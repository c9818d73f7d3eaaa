import type { Millis } from '../../kernel/time.ts';
import type { Pressure } from '../gates.ts';
import type { BreakerSettings, GateClause } from '../policy.ts';
import { type Attempt, triesOf } from './attempts.ts';
import type { Target } from './decision.ts';

/** What made the guard give up, until an operator says otherwise. Times are on the monotonic clock. */
export interface Breakers {
  /** Keys of those that are open. */
  readonly open: ReadonlySet<string>;
  /** When they were last closed: what was before counts no more. */
  readonly closedAt: ReadonlyMap<string, Millis>;
  /** Aborts in a row without relief, by policy. */
  readonly reliefless: ReadonlyMap<string, number>;
}

/** A gated policy waits to see whether the pressure falls. */
export interface AwaitedRelief {
  readonly key: string;
  readonly policy: string;
  readonly node: string;
  /** By source, at the intent. */
  readonly before: Readonly<Record<string, number>>;
  /** Undefined until the outcome is known. */
  readonly outcomeAt: Millis | undefined;
}

/** All are closed. */
export const closedBreakers: Breakers = { open: new Set(), closedAt: new Map(), reliefless: new Map() };

/** The key of the breaker of one query of the cluster. */
export function queryBreaker({ graph, query }: Pick<Target, 'graph' | 'query'>): string {
  return `same_query ${graph} ${query}`;
}

/** The key of the breaker of one policy. */
export function policyBreaker(policy: string): string {
  return `no_relief ${policy}`;
}

/** How many attempts at one query count at present, `key` left out. */
export function countedTries(
  { closedAt }: Breakers,
  attempts: readonly Attempt[],
  {
    target,
    key,
    since,
  }: { readonly target: Pick<Target, 'graph' | 'query'>; readonly key?: string; readonly since: Millis },
): number {
  const from = Math.max(since, closedAt.get(queryBreaker(target)) ?? Number.NEGATIVE_INFINITY);
  return triesOf(
    attempts.filter((one) => one.key !== key),
    target,
    from,
  );
}

/** Opens a breaker. */
export function opened(breakers: Breakers, key: string): Breakers {
  return { ...breakers, open: new Set(breakers.open).add(key) };
}

/** An operator closes a breaker: counting begins anew. */
export function closed(breakers: Breakers, key: string, now: Millis): Breakers {
  const open = new Set(breakers.open);
  open.delete(key);
  const reliefless = new Map(breakers.reliefless);
  for (const policy of reliefless.keys()) if (policyBreaker(policy) === key) reliefless.delete(policy);
  return { open, closedAt: new Map(breakers.closedAt).set(key, now), reliefless };
}

/** One more abort of a gated policy, with relief or without. */
export function relieved(
  breakers: Breakers,
  policy: string,
  { isRelieved, settings }: { readonly isRelieved: boolean; readonly settings: BreakerSettings },
): Breakers {
  const count = isRelieved ? 0 : relieflessOf(breakers, policy) + 1;
  const next = { ...breakers, reliefless: new Map(breakers.reliefless).set(policy, count) };
  return count >= settings.noRelief.aborts ? opened(next, policyBreaker(policy)) : next;
}

/** How many aborts of a policy in a row have been without relief. */
export function relieflessOf({ reliefless }: Breakers, policy: string): number {
  return reliefless.get(policy) ?? 0;
}

/** The latest of what clauses of a gate look at on a node, by source. */
export function pressuresOf(
  clauses: readonly GateClause[],
  node: string,
  readings: ReadonlyMap<string, Pressure>,
): Readonly<Record<string, number>> {
  const sources = [...new Set(clauses.map(({ source }) => source))];
  const values = sources.map((source) => [source, readings.get(readingKey(node, source))?.value] as const);
  return Object.fromEntries(values.flatMap(([source, value]) => (value === undefined ? [] : [[source, value]])));
}

/** Where the latest reading of a node's source is found. */
export function readingKey(node: string, source: string): string {
  return `${node} ${source}`;
}

/** Whether a reading tells of relief: undefined where it is of something else, or too early to tell. */
export function hasFallen(
  { node, before, outcomeAt }: AwaitedRelief,
  { node: from, source, value, at, interval }: Pressure,
): boolean | undefined {
  const earlier = before[source];
  if (from !== node || value === undefined || earlier === undefined || outcomeAt === undefined) return undefined;
  return at >= outcomeAt + interval ? value < earlier : undefined;
}
