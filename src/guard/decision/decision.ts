import type { Millis } from '../../kernel/time.ts';
import type { Mode } from '../policy.ts';

/**
 * Where a decision stands. What is seen, matched or confirmed alone is none yet: it begins when an entry is all of it.
 * `grace` lasts until E, and longer while a budget or a rest holds it; `fresh` wants a list that is new enough;
 * `committing` has its intent on the way to the disk; `leaving` has a call that is prepared, but not written yet; `sent`
 * has its one call on the wire; `verifying` has its answer.
 */
export type DecisionPhase = 'grace' | 'fresh' | 'committing' | 'leaving' | 'sent' | 'verifying';

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
  /** The call never left: nothing is spent, and the entry is not excluded. */
  | 'not_sent';

/** The one entry that a decision is about, without its url, which is user data. */
export interface AbortTarget {
  readonly node: string;
  readonly id: string;
  readonly startTime: string;
  readonly graph: string;
  readonly query: string;
}

/** Who asks for an abort by hand, and what for. */
export interface OperatorRequest {
  readonly by: string;
  readonly reason: string;
  /** The pause does not hold it up either. */
  readonly whilePaused: boolean;
  /** Graph of an interpreted query. */
  readonly graph?: string;
}

/** Response of the server to an abort; `lost` if the result of the call is unknown, whatever ids it names. */
export type AbortResponse =
  /** No byte of the call was written. */
  | { readonly kind: 'unsent' }
  | { readonly kind: 'taken'; readonly aborted: readonly string[] }
  /** `isUnauthorized`: the server refused the credential, so that it refuses the next abort as well. */
  | { readonly kind: 'refused'; readonly isUnauthorized?: boolean }
  | { readonly kind: 'lost'; readonly aborted?: readonly string[] };

/** What a server's answer comes to for the id that was asked for. */
export type ReconciledResponse = 'named' | 'empty' | 'lost' | 'refused';

/** All that can keep a decision from being acted upon at E, without an end to it. */
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

/** Why a decision ends without a call. */
export type SkipReason =
  | 'not_restored'
  | 'paused'
  | 'audit'
  | 'stopping'
  | 'mode'
  | 'not_covered'
  | 'not_listed'
  | 'unconfirmed'
  | 'not_matched'
  | 'not_installed'
  | 'protected'
  /** The policy keeps the oldest query of a group, and no older one is known. */
  | 'kept_oldest'
  | 'unknown_graph'
  | 'breaker'
  | 'barred'
  | 'too_old'
  | 'budget'
  /** The connection of the fresh list is gone, or the call could not be prepared in time. */
  | 'connection'
  /** It gives way to an operator who aborts the same entry by hand. */
  | 'by_hand';

/** What is under way for one entry. Times are on the monotonic clock. */
export interface Decision {
  readonly key: string;
  readonly target: AbortTarget;
  /** `''` where an operator asks by hand. */
  readonly policy: string;
  /** Absent where a policy asks. Such a decision begins in `fresh`, and goes the same way from there. */
  readonly manual?: OperatorRequest;
  /** The effective one when it began; an observing decision ends where an enforcing one would commit its intent. */
  readonly mode: Mode;
  /** M: all clauses hold on an entry that is confirmed. */
  readonly matchedAt: Millis;
  /** E: the earliest abort that the policy allows. */
  readonly due: Millis;
  /** When the server ends the query at its granted timeout; absent if the server does not list that. */
  readonly endsAt?: Millis;
  readonly phase: DecisionPhase;
  /** The first thing that kept it past E. */
  readonly late?: LateReason;
  /** All that kept it, each once. */
  readonly delays?: readonly LateReason[];
  /** Its intent is on disk: all that is left before the call is to check once more. */
  readonly isOnDisk?: boolean;
  /** The call is prepared and would be written now. */
  readonly isReady?: boolean;
  /** Its intent is the first that excludes the entry. */
  readonly excludes?: boolean;
  /** The call left then, or the program began that finds the intent open. */
  readonly sentAt?: Millis;
  readonly answer?: ReconciledResponse;
  /** Good lists in a row, asked for after that, that did not have it. */
  readonly absences: number;
  /** When the latest good list was asked for that had it, after the call. */
  readonly listedAt?: Millis;
}

/** Returns the key of an exclusion, a decision and its audit row: all fields that identify an entry. */
export function decisionKey({ node, id, startTime }: Pick<AbortTarget, 'node' | 'id' | 'startTime'>): string {
  return JSON.stringify([node, id, startTime]);
}

/** The key of a further decision on an entry that had an intent; `at` is the wall clock. */
export function repeatDecisionKey(
  { node, id, startTime }: Pick<AbortTarget, 'node' | 'id' | 'startTime'>,
  at: number,
): string {
  return JSON.stringify([node, id, startTime, at]);
}

interface PhaseRules {
  /** Where it may go from here; elsewhere it never goes. */
  readonly next: readonly DecisionPhase[];
  /** What becomes of it when a check fails; undefined where it is too late for checks. */
  readonly whenSkipped: 'cancelled' | 'withdrawn' | undefined;
  /** Lists are looked at for whether the entry is gone. */
  readonly isVerified: boolean;
}

/** The table of states. What is not in `next` cannot happen: no way leads back, so nothing is sent twice. */
export const phaseRules: Readonly<Record<DecisionPhase, PhaseRules>> = {
  grace: { next: ['fresh'], whenSkipped: 'cancelled', isVerified: false },
  fresh: { next: ['committing', 'grace'], whenSkipped: 'cancelled', isVerified: false },
  committing: { next: ['leaving'], whenSkipped: 'withdrawn', isVerified: false },
  leaving: { next: ['sent'], whenSkipped: 'withdrawn', isVerified: false },
  sent: { next: ['verifying'], whenSkipped: undefined, isVerified: true },
  verifying: { next: [], whenSkipped: undefined, isVerified: true },
};

/** Takes a decision on to another phase, with what is known by then. */
export function moveToPhase(decision: Decision, phase: DecisionPhase, changes: Partial<Decision> = {}): Decision {
  if (!phaseRules[decision.phase].next.includes(phase))
    throw new Error(`a decision cannot change from phase ${decision.phase} to ${phase}`);
  return { ...decision, ...changes, phase };
}

/** Its intent exists, and its call may still be under way: no other abort of the node starts meanwhile. */
export function isInFlight({ phase }: Pick<Decision, 'phase'>): boolean {
  return phase === 'committing' || phase === 'leaving' || phase === 'sent';
}

/** Nothing is spent for it yet: it may end without a trace. */
export function isTentative({ phase }: Pick<Decision, 'phase'>): boolean {
  return phaseRules[phase].whenSkipped === 'cancelled';
}

/**
 * An abort that an operator asks for by hand, before there is a list to decide it by. It goes past policy, mode, budget,
 * breakers, protection, confirmation and rest, and past the pause where that is said; past nothing else. An earlier
 * intent for the entry does not bar it once that is over: a query that outlived its abort is what an operator looks at.
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
 * progress; the entry is invalid (`left_out`); no valid list arrived in time; or any skip reason of a decision.
 */
export type ManualSkipReason = SkipReason | 'malformed_id' | 'unknown_node' | 'under_way' | 'left_out' | 'no_list';
