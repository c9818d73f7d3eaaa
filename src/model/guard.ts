import type { Millis } from '../kernel/time.ts';

/** Outcomes of an abort; the documentation of the guard describes each of them. */
export type AbortOutcome =
  | 'confirmed'
  | 'still_running'
  | 'unknown'
  | 'finished_first'
  | 'not_aborted'
  | 'vanished'
  | 'refused'
  | 'withdrawn'
  | 'not_sent';

/** One abort, from its intent. Contains no user data. Times are ms since the epoch. */
export interface AbortView {
  /** Unique in the cluster. */
  readonly key: string;
  readonly node: string;
  /** The request id. */
  readonly id: string;
  readonly graph: string;
  readonly query: string;
  /** `''` for a manual abort. */
  readonly policy: string;
  /** Operator and reason of a manual abort. */
  readonly manual?: { readonly by: string; readonly reason: string };
  /** Receivers that the policy names; empty if only routes decide. */
  readonly notify: readonly string[];
  /** The policy has a pressure gate: without the pressure it would not have acted. */
  readonly gated?: boolean;
  /** Age of the query at the decision. */
  readonly age: Millis;
  readonly grantedTimeout?: Millis;
  /** When the intent was created. */
  readonly at: number;
  /** When the first intent for the query was created, if earlier abort requests for it were not sent. */
  readonly firstAt?: number;
  /** Undefined while the outcome is open. */
  readonly outcome?: AbortOutcome;
  readonly endedAt?: number;
}

/** Open circuit breaker; an operator must reset it. Operators identify it by its key. */
export interface BreakerView {
  readonly key: string;
  readonly reason: 'same_query' | 'no_relief' | 'credential';
  /** `same_query`: graph and query; otherwise `''`. */
  readonly graph: string;
  readonly query: string;
  /** `no_relief`: the policy that stopped; otherwise `''`. */
  readonly policy: string;
  /** ms since the epoch. */
  readonly since: number;
}

/** Enforcing policies that cannot abort queries, although nothing else reports why. */
export interface NotReadyView {
  /** `''` if the reasons hold for all nodes of the cluster. */
  readonly node: string;
  readonly reasons: readonly string[];
  readonly policies: readonly string[];
  /** ms since the epoch. */
  readonly since: number;
}

/** State of the guard of one cluster, for alert rules. */
export interface GuardView {
  /** Open aborts, and aborts that finished within the last hour. */
  readonly aborts: readonly AbortView[];
  readonly breakers: readonly BreakerView[];
  /** Nodes whose last three lists were unusable, and since when (ms since the epoch). */
  readonly nodesWithoutData: readonly { readonly node: string; readonly since: number; readonly reason: string }[];
  /** Receivers of the next policy, by policy: they are notified if a query keeps running. */
  readonly escalation?: Readonly<Record<string, readonly string[]>>;
  /** Enforcing policies that cannot abort queries. */
  readonly notReady?: readonly NotReadyView[];
  /** False until the stored state is restored: until then no incident of the guard is resolved. */
  readonly isRestored?: boolean;
  /** False if all policies of the cluster only observe: without lists, observations are missing but no abort. */
  readonly isEnforcing?: boolean;
  /** Since when the guard of the cluster is paused, ms since the epoch, and why; undefined if it is not. */
  readonly paused?: { readonly since: number; readonly reasons: readonly string[] } | undefined;
}

/** All outcomes of an abort. */
export const abortOutcomes = [
  'confirmed',
  'still_running',
  'unknown',
  'finished_first',
  'not_aborted',
  'vanished',
  'refused',
  'withdrawn',
  'not_sent',
] as const satisfies readonly AbortOutcome[];

/** Outcomes that confirm the end of the query; after any other outcome it may still run. */
export const queryEndedOutcomes: readonly AbortOutcome[] = ['confirmed', 'finished_first', 'vanished'];

/** The guard tries again within 30 s at most. Without a new intent for this long, the query ended or no longer matches. */
const retriedWithin: Millis = 120_000;

/** Returns since when the guard tries to send an abort request, in ms since the epoch; undefined if it does not. */
export function unsentSince({ outcome, at, firstAt = at, endedAt = at }: AbortView, now: number): number | undefined {
  return outcome === 'not_sent' && now - endedAt <= retriedWithin ? firstAt : undefined;
}

/** Returns whether an abort may have ended its query. Otherwise the query ended for another reason, or still runs. */
export function mayHaveEndedQuery({ outcome }: AbortView): boolean {
  return outcome === undefined || outcome === 'confirmed' || outcome === 'vanished' || outcome === 'unknown';
}
