import type { Pressure } from '../gates.ts';
import type { ListTimes } from '../listing.ts';
import type { AbortAnswer, ByHand } from './decision.ts';
import type { Kept } from './kept.ts';

/** What the guard of one cluster is told. */
export type GuardInput =
  /** The list of a node was answered with JSON; `address` is the one that it came from. */
  | {
      readonly kind: 'listed';
      readonly node: string;
      readonly body: unknown;
      readonly times: ListTimes;
      readonly address: string;
    }
  /** The list that was asked for did not come; or what came in its place was an error, or no list at all. */
  | { readonly kind: 'unlisted'; readonly node: string; readonly doubt?: 'malformed' | 'error' }
  /** The list was not asked for, since there is a reason to wait: that says nothing about the node. */
  | { readonly kind: 'unasked'; readonly node: string }
  | { readonly kind: 'pressed'; readonly pressure: Pressure }
  /** All graphs that the cluster is known to have. */
  | { readonly kind: 'graphs'; readonly names: readonly string[] }
  /** Time went by. */
  | { readonly kind: 'beat' }
  /** The intent of a decision is on disk, or could not be brought there. */
  | { readonly kind: 'committed'; readonly key: string; readonly isOnDisk: boolean }
  | { readonly kind: 'answered'; readonly key: string; readonly answer: AbortAnswer }
  | { readonly kind: 'paused'; readonly isPaused: boolean }
  /** Whether rows of the audit can be written. */
  | { readonly kind: 'audit'; readonly isWritable: boolean }
  /** An operator wants one entry aborted, whatever policies say; asked for again while it waits it is the same wish. */
  | ({ readonly kind: 'manual'; readonly node: string; readonly id: string } & ByHand)
  /** An operator closes a breaker. */
  | { readonly kind: 'reset'; readonly breaker: string }
  /** What an earlier run left behind; before this nothing is decided. */
  | { readonly kind: 'restored'; readonly kept: Kept }
  /** The program is to end: what has no intent is given up, what is sent is awaited. */
  | { readonly kind: 'stop' };
