import type { Millis } from '../kernel/time.ts';
import type { WeeklyHours } from '../kernel/weekly-hours.ts';
import type { Comparison } from './comparison.ts';
import type { Conditions, Protection } from './conditions/all.ts';

/** `observe` only reports what `enforce` would abort. A policy aborts if the guard and the policy are both set to `enforce`. */
export type Mode = 'observe' | 'enforce';

/** The `guard` section of the configuration, as validated. */
export interface GuardSettings {
  readonly mode: Mode;
  /** No policy aborts a query that matches one of these entries, in any cluster. */
  readonly protect: readonly Protection[];
  readonly budgets: BudgetSettings;
  readonly breakers: BreakerSettings;
  readonly recording: RecordingSettings;
  /** The first policy that matches a query owns it. Names are unique. */
  readonly policies: readonly Policy[];
}

/** Recording of what the guard receives; see `guard replay --last`. */
export interface RecordingSettings {
  readonly enabled: boolean;
  /** Maximum size of all files, in bytes. */
  readonly maxSize: number;
  readonly maxAge: Millis;
}

/** Maximum number of abort attempts of all policies together; an abort must fit in both budgets. */
export interface BudgetSettings {
  readonly perNode: Budget;
  readonly perCluster: Budget;
}

/** At most `max` attempts in any period of the length `within`. */
export interface Budget {
  readonly max: number;
  readonly within: Millis;
}

/** Circuit breakers. An open circuit breaker pages and stays open until an operator resets it. */
export interface BreakerSettings {
  /** Number of aborts of one query (graph and name) within the period that opens the circuit breaker of the query. */
  readonly sameQuery: { readonly aborts: number; readonly within: Millis };
  /** Number of consecutive aborts without a drop of the pressure that opens the circuit breaker of a policy with a gate. */
  readonly noRelief: { readonly aborts: number };
}

/** Policy: which queries are aborted, and when. */
export interface Policy {
  readonly name: string;
  /** Configured mode of the policy; see `effectiveMode` for the resulting mode. */
  readonly mode: Mode;
  /**
   * Set while a rejected file changes or removes an enforcing policy: it observes, but the enforcing policies after it
   * abort none of its queries.
   */
  readonly isRestricted?: true;
  /** Names of clusters; if absent, the only configured cluster. */
  readonly clusters?: readonly string[];
  readonly when: Conditions;
  /** A query is exempt if all of these conditions hold; an unknown condition counts as true. */
  readonly unless?: Conditions;
  /** Pressure under which the policy acts. */
  readonly gate?: Gate;
  /** Window in which the policy acts; if absent, always. */
  readonly active?: ActiveWindow;
  /** Condition on the group of a query; if absent, queries are evaluated individually. */
  readonly group?: GroupCondition;
  readonly victims: VictimSettings;
  readonly confirm: ConfirmSettings;
  /** Grace period, from the match time to the earliest abort time. */
  readonly grace: Millis;
  /** Cooldown on a node after each attempt. */
  readonly cooldown: Millis;
  /** Names of receivers that are notified before the abort. */
  readonly notify: readonly string[];
}

/** Pressure gate with at least one clause. A value that is stale or has no known node makes its clause false. */
export interface Gate {
  readonly needs: 'any' | 'all';
  readonly clauses: readonly GateClause[];
}

/** Lower bound on one pressure, and for how long it must be met. */
export interface GateClause {
  readonly source: GateSource;
  readonly bound: Comparison;
  /** Time for which all values must meet the bound. */
  readonly for: Millis;
}

/** Used share of the node's memory or CPU, from 0 to 1; number of delayed queries, or waiting time of the oldest in milliseconds. */
export const gateSources = ['node_memory', 'node_cpu', 'queue_depth', 'queue_oldest'] as const;

/** One of {@link gateSources}. */
export type GateSource = (typeof gateSources)[number];

/** Hours of the week in which a policy acts. The days are ascending and unique. */
export type ActiveWindow = WeeklyHours;

/** Condition on groups of matching queries of a cluster with the same properties in `by`. All given bounds must be met. */
export interface GroupCondition {
  readonly by: readonly GroupKey[];
  readonly count?: Comparison;
  /** Age of the oldest query in the group, in milliseconds. */
  readonly oldest?: Comparison;
  /** Age of the youngest query in the group, in milliseconds. */
  readonly youngest?: Comparison;
}

/** Property by which queries are grouped. */
export type GroupKey = 'node' | 'graph' | 'query';

/** Order and limit for matching queries, per group if the policy has a group condition, otherwise per node. */
export interface VictimSettings {
  readonly pick: 'oldest' | 'newest';
  /** `oldest`: never aborts the oldest matching query of a group, or else of a node. */
  readonly keep?: 'oldest';
  readonly max: number;
}

/** Observations of the same entry that are required before the guard acts. */
export interface ConfirmSettings {
  /** At least two. */
  readonly observations: number;
  /** Minimum time between the starts of two list requests, with a tolerance of 10 %. */
  readonly apart: Millis;
}

/** Returns the resulting mode of a policy: `enforce` only if the guard and the policy are both set to it. */
export function effectiveMode(guard: Pick<GuardSettings, 'mode'>, policy: Pick<Policy, 'mode'>): Mode {
  return guard.mode === 'enforce' && policy.mode === 'enforce' ? 'enforce' : 'observe';
}

/** Returns the policies that apply to a cluster, in the configured order. */
export function policiesForCluster({ policies }: Pick<GuardSettings, 'policies'>, cluster: string): readonly Policy[] {
  return policies.filter(({ clusters }) => clusters === undefined || clusters.includes(cluster));
}

/**
 * Returns the policies that apply to a cluster by precedence: enforcing policies first, so that an observing policy never
 * shields a query, unless a rejected file made it observe.
 */
export function policiesByPrecedence(
  guard: Pick<GuardSettings, 'mode' | 'policies'>,
  cluster: string,
): readonly Policy[] {
  return policiesForCluster(guard, cluster).toSorted((one, other) => policyRank(guard, one) - policyRank(guard, other));
}

/** Returns 0 for the policies that precede those with 1, whatever their order. */
export function policyRank(guard: Pick<GuardSettings, 'mode'>, policy: Pick<Policy, 'mode' | 'isRestricted'>): 0 | 1 {
  return effectiveMode(guard, policy) === 'enforce' || policy.isRestricted === true ? 0 : 1;
}

/** Returns, for each policy, the receivers of the next policy that has any; none if no later policy has receivers. */
export function escalationReceivers(policies: readonly Policy[]): Readonly<Record<string, readonly string[]>> {
  const next = (at: number) => policies.slice(at + 1).find(({ notify }) => notify.length > 0)?.notify ?? [];
  return Object.fromEntries(policies.map(({ name }, at) => [name, next(at)]));
}
