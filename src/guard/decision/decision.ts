import type { Millis } from '../../kernel/time.ts';
import type { Mode } from '../policy.ts';

/**
 * Where a decision stands. What is seen, matched or confirmed alone is none yet: it begins when an entry is all of it.
 * `grace` lasts until E, and longer while a budget or a rest holds it; `fresh` wants a list that is new enough;
 * `committing` has its intent on the way to the disk; `sent` has its one call on the wire; `verifying` has its answer.
 */
export type Phase = 'grace' | 'fresh' | 'committing' | 'sent' | 'verifying';

/** How an intent ended. */
export type Outcome =
  | 'confirmed'
  | 'still_running'
  | 'unknown'
  | 'finished_first'
  | 'not_aborted'
  | 'vanished'
  | 'refused'
  | 'withdrawn';

/** The one entry that a decision is about, without its url, which is user data. */
export interface Target {
  readonly node: string;
  readonly id: string;
  readonly startTime: string;
  readonly graph: string;
  readonly query: string;
}

/** Who asks for an abort by hand, and what for. */
export interface ByHand {
  readonly by: string;
  readonly reason: string;
  /** The pause does not hold it up either. */
  readonly whilePaused: boolean;
}

/** What the server said to an abort; `lost` where there is no telling what came of the call, whatever ids it names. */
export type AbortAnswer =
  | { readonly kind: 'taken'; readonly aborted: readonly string[] }
  | { readonly kind: 'refused' }
  | { readonly kind: 'lost'; readonly aborted?: readonly string[] };

/** What a server's answer comes to for the id that was asked for. */
export type Reconciled = 'named' | 'empty' | 'lost' | 'refused';

/** All that can keep a decision from being acted upon at E, without an end to it. */
export const lateReasons = [
  'cooldown',
  'relief',
  'node_budget',
  'cluster_budget',
  'reserve',
  'bucket',
  'list',
] as const;

/** One of {@link lateReasons}. */
export type LateReason = (typeof lateReasons)[number];

/** Why a decision ends without a call. */
export type Doubt =
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
  | 'unknown_graph'
  | 'breaker'
  | 'barred'
  | 'too_old'
  | 'budget'
  /** It gives way to an operator who aborts the same entry by hand. */
  | 'by_hand';

/** What is under way for one entry. Times are on the monotonic clock. */
export interface Decision {
  readonly key: string;
  readonly target: Target;
  /** `''` where an operator asks by hand. */
  readonly policy: string;
  /** Absent where a policy asks. Such a decision begins in `fresh`, and goes the same way from there. */
  readonly manual?: ByHand;
  /** The effective one when it began; an observing decision ends where an enforcing one would commit its intent. */
  readonly mode: Mode;
  /** M: all clauses hold on an entry that is confirmed. */
  readonly matchedAt: Millis;
  /** E: the earliest abort that the policy allows. */
  readonly due: Millis;
  readonly phase: Phase;
  /** The first thing that kept it past E. */
  readonly late?: LateReason;
  /** Its intent is on disk: all that is left before the call is to check once more. */
  readonly isOnDisk?: boolean;
  /** The call left then, or the program began that finds the intent open. */
  readonly sentAt?: Millis;
  readonly answer?: Reconciled;
  /** Good lists in a row, asked for after that, that did not have it. */
  readonly absences: number;
  /** When the latest good list was asked for that had it, after the call. */
  readonly listedAt?: Millis;
}

/** Under which key a bar, a decision and its row of the audit are found: all that tells an entry from another. */
export function decisionKey({ node, id, startTime }: Pick<Target, 'node' | 'id' | 'startTime'>): string {
  return JSON.stringify([node, id, startTime]);
}

/** The key of a further decision on an entry that had one, which an operator alone may ask for; `at` is the wall clock. */
export function furtherKey({ node, id, startTime }: Pick<Target, 'node' | 'id' | 'startTime'>, at: number): string {
  return JSON.stringify([node, id, startTime, at]);
}
