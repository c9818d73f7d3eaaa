import type { Instant, Millis } from '../../kernel/time.ts';
import type { ClockOffset } from '../clock-offset.ts';
import type { Pressure } from '../gates.ts';
import type { ListTimes } from '../process-list.ts';
import type { AbortResponse, AbortTarget, OperatorRequest, Outcome } from './decision.ts';

/** Input of the guard of one cluster. */
export type GuardInput =
  /** Response with a JSON body to a list request; `connection` identifies the connection that delivered it. */
  | {
      readonly kind: 'listed';
      readonly node: string;
      readonly body: unknown;
      readonly times: ListTimes;
      readonly connection: string;
      /** Time that the server took; absent: the duration of the request. */
      readonly listTime?: Millis;
    }
  /** Failed list request, or a response that is an error or not a list. */
  | {
      readonly kind: 'unlisted';
      readonly node: string;
      readonly skipReason?: 'malformed' | 'error';
      /** Start of the failed request; absent: the request of the guard in flight, or none. */
      readonly started?: Instant;
      /** As for a list. */
      readonly listTime?: Millis;
    }
  /** List request that was not sent because of a limit or a backoff. It does not count as a failure of the node. */
  | { readonly kind: 'list_not_sent'; readonly node: string }
  /** Polled value of a pressure source. */
  | { readonly kind: 'gate_value'; readonly pressure: Pressure }
  /** Names of all known graphs of the cluster. */
  | { readonly kind: 'graphs'; readonly names: readonly string[] }
  /** Nodes that also belong to an earlier cluster of the configuration. */
  | { readonly kind: 'shared'; readonly nodes: readonly string[] }
  /** Wake-up without other input, so that the guard checks its deadlines. */
  | { readonly kind: 'tick' }
  /** Result of storing the intent of a decision. */
  | { readonly kind: 'committed'; readonly key: string; readonly isOnDisk: boolean }
  /** The abort request is prepared, and is written synchronously if the decision is in phase `sent` afterwards. */
  | { readonly kind: 'sending'; readonly key: string }
  /** Response to the abort request, or its failure. */
  | { readonly kind: 'answered'; readonly key: string; readonly answer: AbortResponse }
  | { readonly kind: 'paused'; readonly isPaused: boolean }
  /** Whether rows of the audit can be written. */
  | { readonly kind: 'audit'; readonly isWritable: boolean }
  /**
   * Request of an operator to abort one entry regardless of the policies. A repetition of a pending request is
   * ignored.
   */
  | ({ readonly kind: 'manual'; readonly node: string; readonly id: string } & OperatorRequest)
  /** Reset of a circuit breaker by an operator. */
  | { readonly kind: 'reset'; readonly breaker: string }
  /** Stored state of earlier runs. The guard decides nothing before this input. */
  | { readonly kind: 'restored'; readonly kept: StoredGuardState }
  /** Shutdown: the guard drops decisions without an intent and waits for the outcomes of sent requests. */
  | { readonly kind: 'stop' };

/** Intent as stored in the audit. Times are ms since the epoch. */
export interface StoredIntent extends AbortTarget {
  /** Key of the audit row; absent for the first intent of an entry, whose key follows from the entry. */
  readonly key?: string;
  readonly policy: string;
  readonly at: number;
  /** Undefined if graphwarden stopped before the outcome was known. */
  readonly outcome: Outcome | undefined;
  /** Reason of a withdrawn intent. */
  readonly skipReason?: string;
}

/** State of a guard that survives a restart. */
export interface StoredGuardState {
  /** Intents that exclude an id which may still run, and intents that budgets or circuit breakers may still count. */
  readonly intents: readonly StoredIntent[];
  /** Keys of the open circuit breakers. */
  readonly breakers: readonly string[];
  /** When circuit breakers were last reset, in ms since the epoch, by key: earlier aborts do not count. */
  readonly breakerResets: Readonly<Record<string, number>>;
  /** Aborts in a row without relief, by policy. */
  readonly abortsWithoutRelief: Readonly<Record<string, number>>;
  readonly offsets: Readonly<Record<string, Partial<Pick<ClockOffset, 'offset' | 'anchor'>>>>;
  readonly isPaused: boolean;
}
