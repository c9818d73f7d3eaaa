import type { Millis } from '../../kernel/time.ts';
import type { Budget, BudgetSettings } from '../policy.ts';
import { maxListAge } from '../process-list.ts';
import type { AbortTarget, Decision } from './decision.ts';

/** Intent that spent budget, whatever its outcome. Times are on the monotonic clock. */
export interface AbortAttempt {
  readonly key: string;
  readonly policy: string;
  readonly node: string;
  readonly graph: string;
  readonly query: string;
  /**
   * Latest time at which the server can have received the request: when it answered, or else when the request was
   * sent.
   */
  readonly at: Millis;
  /** Whether the intent was withdrawn, so that no abort request was sent. */
  readonly isWithdrawn: boolean;
}

/** Budget that all policies share. */
export type BudgetName = 'node' | 'cluster';

/** Drops the attempts that are older than `longest`, the longest period of a budget, cooldown or circuit breaker. */
export function recentAttempts(
  attempts: readonly AbortAttempt[],
  longest: Millis,
  now: Millis,
): readonly AbortAttempt[] {
  return attempts.every(({ at }) => now - at < longest) ? attempts : attempts.filter(({ at }) => now - at < longest);
}

/** Creates the attempt for the intent of a decision. */
export function createAttempt(
  { key, policy, target }: Pick<Decision, 'key' | 'policy' | 'target'>,
  at: Millis,
): AbortAttempt {
  const { node, graph, query } = target;
  return { key, policy, node, graph, query, at, isWithdrawn: false };
}

/** Returns the attempts with another time of one: budgets and cooldowns count from there. */
export function withAttemptTime(attempts: readonly AbortAttempt[], key: string, at: Millis): readonly AbortAttempt[] {
  return attempts.map((one) => (one.key === key ? { ...one, at } : one));
}

/**
 * Returns whether a request would be sent too late after its intent, although fresh lists arrived in between. Only the time of the
 * intent is stored: a guard that restores the budgets would count from too early a time.
 */
export function isIntentTooOld(attempts: readonly AbortAttempt[], key: string, now: Millis): boolean {
  const intent = attempts.find((one) => one.key === key);
  return intent !== undefined && now - intent.at > maxListAge;
}

/** Removes an attempt whose request was not sent, so that it spends no budget. */
export function withoutAttempt(attempts: readonly AbortAttempt[], key: string): readonly AbortAttempt[] {
  return attempts.filter((one) => one.key !== key);
}

/** Marks an attempt as withdrawn. It still spends budget. */
export function withWithdrawn(attempts: readonly AbortAttempt[], key: string): readonly AbortAttempt[] {
  return attempts.map((one) => (one.key === key ? { ...one, isWithdrawn: true } : one));
}

/** Budget of one node or of the cluster, with its remaining aborts. */
export interface RemainingBudget {
  /** `''` for the budget of the cluster. */
  readonly node: string;
  readonly budget: Budget;
  readonly left: number;
}

/** Returns the remaining aborts of a cluster, and of each of its nodes. */
export function remainingBudgets(
  { perCluster, perNode }: BudgetSettings,
  attempts: readonly AbortAttempt[],
  nodes: readonly string[],
  now: Millis,
): readonly RemainingBudget[] {
  const leftOf = (budget: Budget, own: readonly AbortAttempt[]): number =>
    Math.max(0, remainingBudget(budget, own, now));
  const cluster = { node: '', budget: perCluster, left: leftOf(perCluster, attempts) };
  const ofNode = (node: string): RemainingBudget => {
    const own = attempts.filter((one) => one.node === node);
    return { node, budget: perNode, left: leftOf(perNode, own) };
  };
  return [cluster, ...nodes.map(ofNode)];
}

/**
 * Returns the number of attempts that a budget still allows; negative if it is exceeded, as by an earlier
 * configuration.
 */
export function remainingBudget({ max, within }: Budget, attempts: readonly AbortAttempt[], now: Millis): number {
  return max - attempts.filter(({ at }) => now - at < within).length;
}

/** Returns the budget that does not allow an attempt on a node. The attempt `key` itself does not count. */
export function exhaustedBudget(
  settings: BudgetSettings,
  attempts: readonly AbortAttempt[],
  { node, key, now }: { readonly node: string; readonly key: string; readonly now: Millis },
): BudgetName | undefined {
  const others = attempts.filter((one) => one.key !== key);
  const onNode = others.filter((one) => one.node === node);
  const { perNode, perCluster } = settings;
  if (remainingBudget(perNode, onNode, now) < 1) return 'node';
  return remainingBudget(perCluster, others, now) < 1 ? 'cluster' : undefined;
}

/** Returns when a budget allows an attempt again, if there are no further attempts. */
export function budgetAvailableAt({ max, within }: Budget, attempts: readonly AbortAttempt[]): Millis {
  const latest = attempts.map(({ at }) => at).toSorted((one, other) => other - one)[max - 1];
  return latest === undefined ? Number.NEGATIVE_INFINITY : latest + within;
}

/** Returns the end of the cooldown of a policy on a node, after its latest attempt other than `key`. */
export function cooldownUntil(
  attempts: readonly AbortAttempt[],
  { policy, node, key }: { readonly policy: string; readonly node: string; readonly key: string },
  cooldown: Millis,
): Millis {
  const own = attempts.filter((one) => one.policy === policy && one.node === node && one.key !== key);
  return Math.max(...own.map(({ at }) => at + cooldown));
}

/** Counts the attempts to abort one query since a time, without withdrawn ones. */
export function countAttempts(
  attempts: readonly AbortAttempt[],
  { graph, query }: Pick<AbortTarget, 'graph' | 'query'>,
  since: Millis,
): number {
  return attempts.filter((one) => one.graph === graph && one.query === query && !one.isWithdrawn && one.at > since)
    .length;
}
