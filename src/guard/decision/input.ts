import type { Instant } from '../../kernel/time.ts';
import type { ClockOffset } from '../clock-offset.ts';
import type { Pressure } from '../gates.ts';
import type { ListTimes } from '../process-list.ts';
import type { AbortResponse, AbortTarget, OperatorRequest, Outcome } from './decision.ts';

/** Input of the guard of one cluster. */
export type GuardInput =
  /** The list of a node was answered with JSON; `connection` identifies the one that it came over. */
  | {
      readonly kind: 'listed';
      readonly node: string;
      readonly body: unknown;
      readonly times: ListTimes;
      readonly connection: string;
    }
  /** The list that was asked for did not come; or what came in its place was an error, or no list at all. */
  | {
      readonly kind: 'unlisted';
      readonly node: string;
      readonly skipReason?: 'malformed' | 'error';
      /** Start of the failed request; absent: the request of the guard in flight, or none. */
      readonly started?: Instant;
    }
  /** The list was not asked for, since there is a reason to wait: that says nothing about the node. */
  | { readonly kind: 'unasked'; readonly node: string }
  | { readonly kind: 'pressed'; readonly pressure: Pressure }
  /** All graphs that the cluster is known to have. */
  | { readonly kind: 'graphs'; readonly names: readonly string[] }
  /** Nodes that are in an earlier cluster of the configuration, too. */
  | { readonly kind: 'shared'; readonly nodes: readonly string[] }
  /** Time went by. */
  | { readonly kind: 'beat' }
  /** The intent of a decision is on disk, or could not be brought there. */
  | { readonly kind: 'committed'; readonly key: string; readonly isOnDisk: boolean }
  /** The abort request is prepared and is written in the same turn, if the decision is in phase `sent` afterwards. */
  | { readonly kind: 'sending'; readonly key: string }
  | { readonly kind: 'answered'; readonly key: string; readonly answer: AbortResponse }
  | { readonly kind: 'paused'; readonly isPaused: boolean }
  /** Whether rows of the audit can be written. */
  | { readonly kind: 'audit'; readonly isWritable: boolean }
  /** An operator requests the abort of one entry, whatever the policies. A repetition of a pending request is ignored. */
  | ({ readonly kind: 'manual'; readonly node: string; readonly id: string } & OperatorRequest)
  /** An operator closes a breaker. */
  | { readonly kind: 'reset'; readonly breaker: string }
  /** What an earlier run left behind; before this nothing is decided. */
  | { readonly kind: 'restored'; readonly kept: StoredGuardState }
  /** The program is to end: what has no intent is given up, what is sent is awaited. */
  | { readonly kind: 'stop' };

/** An intent as the audit has it. Times are ms since the epoch. */
export interface StoredIntent extends AbortTarget {
  /** As its row has it; absent: as the first intent of an entry has it. */
  readonly key?: string;
  readonly policy: string;
  readonly at: number;
  /** Undefined where the program ended before it was known. */
  readonly outcome: Outcome | undefined;
  /** Why it was withdrawn. */
  readonly skipReason?: string;
}

/** What of a guard outlives the program. */
export interface StoredGuardState {
  /** All that bar an id which may still run, and all that a budget or a breaker may still count. */
  readonly intents: readonly StoredIntent[];
  /** Keys of those that are open. */
  readonly breakers: readonly string[];
  /** When circuit breakers were last reset, in ms since the epoch, by key: earlier aborts do not count. */
  readonly breakerResets: Readonly<Record<string, number>>;
  /** Aborts in a row without relief, by policy. */
  readonly abortsWithoutRelief: Readonly<Record<string, number>>;
  readonly offsets: Readonly<Record<string, Partial<Pick<ClockOffset, 'offset' | 'anchor'>>>>;
  readonly isPaused: boolean;
}
