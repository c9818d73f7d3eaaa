import type { Millis } from '../../kernel/time.ts';
import type { Mode } from '../policy.ts';

/**
 * Phase of a decision, which starts when a listed query matches a policy and is confirmed. `grace` lasts until the earliest
 * abort time, or longer while a budget or a cooldown delays it; `fresh` waits for a fresh list; `committing` stores the
 * intent; `preparing` prepares the abort request; `sent` waits for the response; `verifying` waits for the outcome.
 */
export type DecisionPhase = 'grace' | 'fresh' | 'committing' | 'preparing' | 'sent' | 'verifying';

/** How an intent ended. */
export type Outcome =
  | 'confirmed'
  | 'still_running'
  | 'unknown'
  | 'finished_first'
  | 'not_aborted'
  | 'vanished'
  | 'refused'
  | 'withdrawn'
  /** No request was sent: no budget is spent, and the query is not excluded. */
  | 'not_sent';

/** Query of a decision, without its URL, which is user data. */
export interface AbortTarget {
  readonly node: string;
  readonly id: string;
  readonly startTime: string;
  readonly graph: string;
  readonly query: string;
}

/** Operator who requests a manual abort, and the reason. */
export interface OperatorRequest {
  readonly by: string;
  readonly reason: string;
  /** Abort although the guard is paused. */
  readonly whilePaused: boolean;
  /** Graph of an interpreted query. */
  readonly graph?: string;
}

/** Response of the server to an abort; `lost` if the result of the request is unknown, whatever ids the response names. */
export type AbortResponse =
  /** No byte of the request was written. */
  | { readonly kind: 'unsent' }
  | { readonly kind: 'accepted'; readonly aborted: readonly string[] }
  /** `isUnauthorized`: the server refused the credential, so that it refuses the next abort as well. */
  | { readonly kind: 'refused'; readonly isUnauthorized?: boolean }
  | { readonly kind: 'lost'; readonly aborted?: readonly string[] };

/** Response with respect to the id of the request. */
export type ReconciledResponse = 'named' | 'empty' | 'lost' | 'refused';

/** Reasons that delay a decision beyond its earliest abort time without ending it. */
export const lateReasons = [
  'cooldown',
  'relief',
  'node_budget',
  'cluster_budget',
  'reserve',
  'bucket',
  'list',
  /** Another abort of the same node is in progress. */
  'queue',
] as const;

/** One of {@link lateReasons}. */
export type LateReason = (typeof lateReasons)[number];

/** Reason why a decision ends without an abort request. */
export type SkipReason =
  | 'not_restored'
  | 'paused'
  | 'audit'
  | 'stopping'
  | 'mode'
  | 'not_covered'
  | 'not_listed'
  /** The list contains the query, but its entry is invalid. */
  | 'malformed_entry'
  | 'unconfirmed'
  | 'not_matched'
  | 'not_installed'
  | 'protected'
  /** The policy keeps the oldest query of a group, and no older one is known. */
  | 'kept_oldest'
  | 'unknown_graph'
  | 'breaker'
  | 'excluded'
  /** There is no list that is recent enough. */
  | 'too_old'
  | 'budget'
  /** The connection of the fresh list is closed, or the request could not be prepared in time. */
  | 'connection'
  /** A manual abort of the same query replaces the decision. */
  | 'manual_abort';

/** Decision in progress about one query. Times are on the monotonic clock. */
export interface Decision {
  readonly key: string;
  readonly target: AbortTarget;
  /** `''` for a manual abort. */
  readonly policy: string;
  /** Set for a manual abort, which starts in phase `fresh`. */
  readonly manual?: OperatorRequest;
  /** Effective mode at the start. An observing decision ends when an enforcing one would store its intent. */
  readonly mode: Mode;
  /** Match time. */
  readonly matchedAt: Millis;
  /** Earliest abort time. */
  readonly due: Millis;
  /** Earliest time at which the server ends the query because of its granted timeout; absent if the server does not list that. */
  readonly endsAt?: Millis;
  readonly phase: DecisionPhase;
  /** First reason of a delay beyond the earliest abort time. */
  readonly late?: LateReason;
  /** All reasons of delays, each once. */
  readonly delays?: readonly LateReason[];
  /** Whether the intent is stored. The last check and the request follow. */
  readonly isOnDisk?: boolean;
  /** Whether the request is prepared and can be written in this turn of the event loop. */
  readonly isReady?: boolean;
  /** Whether its intent is the first one that excludes the query. */
  readonly excludes?: boolean;
  /** Time of the request, or of the start of the process that restored the open intent. */
  readonly sentAt?: Millis;
  readonly answer?: ReconciledResponse;
  /** Consecutive valid lists without the query that were requested after the abort request. */
  readonly absences: number;
  /** Request time of the latest valid list with the query, after the abort request. */
  readonly listedAt?: Millis;
}

/** Names of a decision and of its query, for reports; `graph` is `''` before the query of a manual abort is found. */
export interface TargetReference extends Pick<AbortTarget, 'node' | 'id' | 'graph'>, Pick<Decision, 'key' | 'policy'> {}

/** Returns the names of a decision and of its query. */
export function targetReference({ key, policy, target }: Decision): TargetReference {
  const { node, id, graph } = target;
  return { key, policy, node, id, graph };
}

/** Returns the key of an exclusion, a decision and its audit row: all fields that identify a query. */
export function decisionKey({ node, id, startTime }: Pick<AbortTarget, 'node' | 'id' | 'startTime'>): string {
  return JSON.stringify([node, id, startTime]);
}

/** Returns the key of another decision about a query that had an intent; `at` is wall-clock time. */
export function repeatDecisionKey(
  { node, id, startTime }: Pick<AbortTarget, 'node' | 'id' | 'startTime'>,
  at: number,
): string {
  return JSON.stringify([node, id, startTime, at]);
}

interface PhaseRules {
  /** Phases that may follow. */
  readonly next: readonly DecisionPhase[];
  /** End of the decision if a check fails; undefined if the request is sent. */
  readonly whenSkipped: 'cancelled' | 'withdrawn' | undefined;
  /** Whether lists show if the query is gone. */
  readonly isVerified: boolean;
}

/** State machine of decisions. No path returns from `sent`, so no request is sent twice. */
export const phaseRules: Readonly<Record<DecisionPhase, PhaseRules>> = {
  grace: { next: ['fresh'], whenSkipped: 'cancelled', isVerified: false },
  fresh: { next: ['committing', 'grace'], whenSkipped: 'cancelled', isVerified: false },
  committing: { next: ['preparing'], whenSkipped: 'withdrawn', isVerified: false },
  preparing: { next: ['sent'], whenSkipped: 'withdrawn', isVerified: false },
  sent: { next: ['verifying'], whenSkipped: undefined, isVerified: true },
  verifying: { next: [], whenSkipped: undefined, isVerified: true },
};

/** Returns a decision in its next phase, with `changes`. Throws if the phase may not follow. */
export function moveToPhase(decision: Decision, phase: DecisionPhase, changes: Partial<Decision> = {}): Decision {
  if (!phaseRules[decision.phase].next.includes(phase))
    throw new Error(`a decision cannot change from phase ${decision.phase} to ${phase}`);
  return { ...decision, ...changes, phase };
}

/** Returns whether the intent exists and the request may be in progress: no other abort on the node may start. */
export function isInFlight({ phase }: Pick<Decision, 'phase'>): boolean {
  return phase === 'committing' || phase === 'preparing' || phase === 'sent';
}

/** Returns whether the decision has no intent yet, so that it spends no budget if it is cancelled. */
export function isTentative({ phase }: Pick<Decision, 'phase'>): boolean {
  return phaseRules[phase].whenSkipped === 'cancelled';
}

/**
 * Manual abort that waits for a list. It overrides policies, modes, budgets, circuit breakers, protection, confirmation
 * and cooldowns, and a pause if the operator requests that; it overrides no other check. A finished intent for the query
 * does not exclude it: an operator may abort a query that continued after an abort.
 */
export interface ManualAbortRequest extends OperatorRequest {
  readonly node: string;
  readonly id: string;
  /** On the monotonic clock. */
  readonly requestedAt: Millis;
  /** Start of the first valid list without a query that was listed before. */
  readonly absentAt?: Millis;
}

/**
 * Reason why a manual abort is declined: the id is malformed, or the node is unknown; an abort of the entry is in
 * progress; no valid list arrived in time; or any skip reason of a decision.
 */
export type ManualSkipReason = SkipReason | 'malformed_id' | 'unknown_node' | 'in_progress' | 'no_list';
