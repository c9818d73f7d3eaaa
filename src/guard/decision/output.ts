import type { Millis } from '../../kernel/time.ts';
import type { Range } from '../candidate.ts';
import type { EntryDoubt } from '../sighting.ts';
import type { ByHand, Decision, Doubt, LateReason, Outcome, Target } from './decision.ts';
import type { Purpose } from './pace.ts';
import type { ViewDoubt } from './view.ts';
import type { WishDoubt } from './wish.ts';

/** Why a decision rests on firm ground, as the audit keeps it; nothing of it is user data. */
export interface Evidence {
  /** Milliseconds, when its list was there. */
  readonly age: Range;
  readonly grantedTimeout?: Millis;
  /** M and E, ms since the epoch. */
  readonly matchedAt: number;
  readonly due: number;
  /** When its first and its last list were asked for, ms since the epoch. */
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  /** The latest readings of the policy's gate. */
  readonly pressures: Readonly<Record<string, number>>;
}

/** A row to be on disk before anything is sent: it spends budget, and bars the entry for ever. */
export interface Intent extends Target {
  readonly key: string;
  readonly cluster: string;
  /** `''` where an operator asks by hand. */
  readonly policy: string;
  readonly manual?: Pick<ByHand, 'by' | 'reason'>;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly evidence: Evidence;
}

/** One call to one node for one entry: there is no way to say more than that. */
export interface AbortOrder {
  readonly key: string;
  readonly node: string;
  /** The one that the fresh list came from. */
  readonly address: string;
  readonly id: string;
  readonly graph: string;
  /** Below the prefix of the api. */
  readonly path: string;
}

interface About {
  readonly key: string;
  readonly policy: string;
  readonly node: string;
}

/** What the guard of one cluster asks for, and what it tells. */
export type GuardOutput =
  /** Ask the node for its list at once; there is one at a time. */
  | { readonly kind: 'list'; readonly node: string; readonly purpose: Purpose }
  /** Come back by then at the latest, on the monotonic clock. */
  | { readonly kind: 'wake'; readonly at: Millis }
  /** Bring it to the disk, with what these receivers are told, and say so. */
  | { readonly kind: 'intent'; readonly intent: Intent; readonly notify: readonly string[] }
  | { readonly kind: 'abort'; readonly order: AbortOrder; readonly policy: string; readonly reaction: Millis }
  | ({ readonly kind: 'outcome'; readonly outcome: Outcome; readonly pages: boolean; readonly at: number } & About & {
        readonly doubt?: Doubt;
      })
  | ({ readonly kind: 'would_abort'; readonly intent: Intent } & About)
  | ({ readonly kind: 'began'; readonly decision: Decision } & About)
  | ({ readonly kind: 'cancelled'; readonly doubt: Doubt } & About)
  /** What an operator asked for by hand is not done, and nothing is spent for it. */
  | { readonly kind: 'declined'; readonly node: string; readonly id: string; readonly doubt: WishDoubt }
  | ({ readonly kind: 'late'; readonly reason: LateReason } & About)
  | { readonly kind: 'exhausted'; readonly budget: 'node' | 'cluster' }
  | { readonly kind: 'breaker'; readonly breaker: string; readonly isOpen: boolean }
  | { readonly kind: 'relief'; readonly policy: string; readonly node: string; readonly aborts: number }
  | { readonly kind: 'void'; readonly scope: 'entry'; readonly node: string; readonly reason: EntryDoubt }
  | { readonly kind: 'void'; readonly scope: 'node'; readonly node: string; readonly reason: ViewDoubt }
  | { readonly kind: 'void'; readonly scope: 'all'; readonly reason: 'clock_stepped' }
  | { readonly kind: 'blind'; readonly node: string; readonly isBlind: boolean }
  | { readonly kind: 'covered'; readonly node: string; readonly isCovered: boolean }
  /** The guard paused itself: a server named an id that nobody asked for. Page. */
  | { readonly kind: 'pause'; readonly reason: 'unexpected_id' };
