import type { Millis } from '../kernel/time.ts';
import type { WeeklyHours } from '../kernel/weekly-hours.ts';
import type { Comparison } from './comparison.ts';
import type { Conditions, Protection } from './conditions/all.ts';

/** `observe` only reports what `enforce` would abort. A policy aborts if the guard and the policy are both set to `enforce`. */
export type Mode = 'observe' | 'enforce';

/** The `guard` section of the configuration, as validated. */
export interface GuardSettings {
  readonly mode: Mode;
  /** Whatever one of them matches is never aborted by a policy, in no cluster. */
  readonly protect: readonly Protection[];
  readonly budgets: BudgetSettings;
  readonly breakers: BreakerSettings;
  /** In order: the first that matches owns a query. Names are unique. */
  readonly policies: readonly Policy[];
}

/** How many aborts all policies together may try: room is needed in both. */
export interface BudgetSettings {
  readonly perNode: Budget;
  readonly perCluster: Budget;
}

/** At most `max` within any period of this length. */
export interface Budget {
  readonly max: number;
  readonly within: Millis;
}

/** When the guard gives up and calls a person; an open breaker stays open until an operator resets it. */
export interface BreakerSettings {
  /** So many aborts of one query (graph and name) within the period open it for that query. */
  readonly sameQuery: { readonly aborts: number; readonly within: Millis };
  /** So many aborts in a row after which the pressure of a gated policy did not fall open it for that policy. */
  readonly noRelief: { readonly aborts: number };
}

/** One rule on which queries are aborted. */
export interface Policy {
  readonly name: string;
  /** Configured mode of the policy; see `effectiveMode` for the resulting mode. */
  readonly mode: Mode;
  /** Names of clusters; absent: the only one that is configured. */
  readonly clusters?: readonly string[];
  readonly when: Conditions;
  /** A query is spared if all of them hold, or may hold. */
  readonly unless?: Conditions;
  /** A pressure that has to be there as well. */
  readonly gate?: Gate;
  /** The hours in which it acts; absent: always. */
  readonly active?: ActiveWindow;
  /** Company that a query has to have; absent: each is looked at alone. */
  readonly group?: GroupCondition;
  readonly victims: VictimSettings;
  readonly confirm: ConfirmSettings;
  /** From the match (M) to the earliest abort (E). */
  readonly grace: Millis;
  /** After an attempt, on that node. */
  readonly cooldown: Millis;
  /** Names of receivers that are notified before the abort. */
  readonly notify: readonly string[];
}

/** Pressure gate with at least one clause. A value that is stale or has no known node makes its clause false. */
export interface Gate {
  readonly needs: 'any' | 'all';
  readonly clauses: readonly GateClause[];
}

/** One pressure, always with `>` or `>=`, that has to have lasted. */
export interface GateClause {
  readonly source: GateSource;
  readonly bound: Comparison;
  /** Time for which all values must meet the bound. */
  readonly for: Millis;
}

/** Shares from 0 to 1 of the node's memory and CPU; entries of its delayed list, and milliseconds that the oldest waits. */
export type GateSource = 'node_memory' | 'node_cpu' | 'queue_depth' | 'queue_oldest';

/** The hours of the week in which a policy may act; the days are ascending, without repetition. */
export type ActiveWindow = WeeklyHours;

/** Looks at all entries of a cluster that meet the conditions and are alike in `by`; all that is given has to be so. */
export interface GroupCondition {
  readonly by: readonly GroupKey[];
  readonly count?: Comparison;
  /** Milliseconds: age of the oldest of them. */
  readonly oldest?: Comparison;
  /** Milliseconds: age of the youngest of them. */
  readonly youngest?: Comparison;
}

/** What entries of one group have in common. */
export type GroupKey = 'node' | 'graph' | 'query';

/** Which of those that match are taken, and how many of them at a time: of each group, or else of each node. */
export interface VictimSettings {
  readonly pick: 'oldest' | 'newest';
  /** The oldest matching query of each group, or else of each node, is never a victim. */
  readonly keep?: 'oldest';
  readonly max: number;
}

/** How often the very same entry has to have been seen before anything is done, and how far apart. */
export interface ConfirmSettings {
  /** At least two. */
  readonly observations: number;
  /** Between the starts of two requests, less 10 %. */
  readonly apart: Millis;
}

/** What a policy comes to: the safer of its own mode and the guard's. */
export function effectiveMode(guard: Pick<GuardSettings, 'mode'>, policy: Pick<Policy, 'mode'>): Mode {
  return guard.mode === 'enforce' && policy.mode === 'enforce' ? 'enforce' : 'observe';
}

/** Returns the receivers of the next policy that names any, by policy; policies after the last one have none. */
export function escalationReceivers(policies: readonly Policy[]): Readonly<Record<string, readonly string[]>> {
  const next = (at: number) => policies.slice(at + 1).find(({ notify }) => notify.length > 0)?.notify ?? [];
  return Object.fromEntries(policies.map(({ name }, at) => [name, next(at)]));
}
