import type { Millis } from '../../kernel/time.ts';
import type { Budget, BudgetSettings } from '../policy.ts';
import type { AbortTarget, Decision } from './decision.ts';

/** One intent that spent budget, whatever came of it. Times are on the monotonic clock. */
export interface Attempt {
  readonly key: string;
  readonly policy: string;
  readonly node: string;
  readonly graph: string;
  readonly query: string;
  /** Latest time at which the server can have received the request: when it answered, or else when the request was sent. */
  readonly at: Millis;
  /** It was not sent: no query has suffered from it. */
  readonly isWithdrawn: boolean;
}

/** The budgets of all policies together. */
export type BudgetName = 'node' | 'cluster';

/** Longer than any budget, rest and breaker looks back is of no use. */
export function recentAttempts(attempts: readonly Attempt[], longest: Millis, now: Millis): readonly Attempt[] {
  return attempts.every(({ at }) => now - at < longest) ? attempts : attempts.filter(({ at }) => now - at < longest);
}

/** A decision's intent as what it spends. */
export function createAttempt(
  { key, policy, target }: Pick<Decision, 'key' | 'policy' | 'target'>,
  at: Millis,
): Attempt {
  const { node, graph, query } = target;
  return { key, policy, node, graph, query, at, isWithdrawn: false };
}

/** Returns the attempts with another time of one: budgets and cooldowns count from there. */
export function withAttemptTime(attempts: readonly Attempt[], key: string, at: Millis): readonly Attempt[] {
  return attempts.map((one) => (one.key === key ? { ...one, at } : one));
}

/** The attempt never left: it spends nothing. */
export function withoutAttempt(attempts: readonly Attempt[], key: string): readonly Attempt[] {
  return attempts.filter((one) => one.key !== key);
}

/** The attempt was not sent. It stays spent. */
export function withWithdrawn(attempts: readonly Attempt[], key: string): readonly Attempt[] {
  return attempts.map((one) => (one.key === key ? { ...one, isWithdrawn: true } : one));
}

/** How much room a budget has; never below 0 where nothing but this guard spends. */
export function remainingBudget({ max, within }: Budget, attempts: readonly Attempt[], now: Millis): number {
  return max - attempts.filter(({ at }) => now - at < within).length;
}

/** The budget that has no room for another attempt on a node; of an attempt that is in it already, if there is too little. */
export function exhaustedBudget(
  settings: BudgetSettings,
  attempts: readonly Attempt[],
  { node, key, now }: { readonly node: string; readonly key: string; readonly now: Millis },
): BudgetName | undefined {
  const others = attempts.filter((one) => one.key !== key);
  const onNode = others.filter((one) => one.node === node);
  const { perNode, perCluster } = settings;
  if (remainingBudget(perNode, onNode, now) < 1) return 'node';
  return remainingBudget(perCluster, others, now) < 1 ? 'cluster' : undefined;
}

/** When a budget has room again, if nothing else is spent. */
export function budgetAvailableAt({ max, within }: Budget, attempts: readonly Attempt[]): Millis {
  const latest = attempts.map(({ at }) => at).toSorted((one, other) => other - one)[max - 1];
  return latest === undefined ? Number.NEGATIVE_INFINITY : latest + within;
}

/** Until when a policy rests on a node after its latest attempt there. */
export function cooldownUntil(
  attempts: readonly Attempt[],
  { policy, node, key }: { readonly policy: string; readonly node: string; readonly key: string },
  cooldown: Millis,
): Millis {
  const own = attempts.filter((one) => one.policy === policy && one.node === node && one.key !== key);
  return Math.max(...own.map(({ at }) => at + cooldown));
}

/** Attempts to abort one query since a time. */
export function countAttempts(
  attempts: readonly Attempt[],
  { graph, query }: Pick<AbortTarget, 'graph' | 'query'>,
  since: Millis,
): number {
  return attempts.filter((one) => one.graph === graph && one.query === query && !one.isWithdrawn && one.at > since)
    .length;
}
