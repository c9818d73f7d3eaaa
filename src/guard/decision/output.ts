import type { Range } from '../../kernel/range.ts';
import type { Millis } from '../../kernel/time.ts';
import type { EntrySkipReason } from '../process-list.ts';
import type {
  AbortTarget,
  Decision,
  LateReason,
  ManualSkipReason,
  OperatorRequest,
  Outcome,
  SkipReason,
  TargetReference,
} from './decision.ts';
import type { ListPurpose } from './list-rate-limit.ts';
import type { NodeListSkipReason } from './node-view.ts';

/** Facts that justify a decision, for the audit. They contain no user data. */
export interface Evidence {
  /** Age in milliseconds at the arrival of the list. */
  readonly age: Range;
  /** Longest possible granted timeout; absent if the server does not list it. */
  readonly grantedTimeout?: Millis;
  /** Match time and earliest abort time, ms since the epoch. */
  readonly matchedAt: number;
  readonly due: number;
  /** Start of the requests for the first and the last list with the query, ms since the epoch. */
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  /** Latest values of the sources of the policy's gate. */
  readonly pressures: Readonly<Record<string, number>>;
}

/** Audit row that is stored before the abort request. It spends budget and excludes the query from further aborts. */
export interface Intent extends AbortTarget {
  readonly key: string;
  readonly cluster: string;
  /** `''` for a manual abort. */
  readonly policy: string;
  readonly manual?: Pick<OperatorRequest, 'by' | 'reason'>;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly evidence: Evidence;
}

/** Command to abort one query on one node. `graphdb` builds and checks the request. */
export interface AbortCommand {
  readonly key: string;
  readonly node: string;
  /** Connection that delivered the fresh list. The abort request uses this connection or is not sent. */
  readonly connection: string;
  readonly id: string;
  readonly graph: string;
}

/** Query that has ended, with the elapsed time in the latest list that contains it. */
export interface EndedQuery extends Pick<AbortTarget, 'graph' | 'query'> {
  readonly age: Millis;
}

interface DecisionReference {
  readonly key: string;
  readonly policy: string;
  readonly node: string;
}

/** Output of the guard of one cluster: a request or a report. */
export type GuardOutput =
  /** Request the list of the node immediately. There is at most one list request per node. */
  | { readonly kind: 'list'; readonly node: string; readonly purpose: ListPurpose }
  /** Run the next step at this time at the latest, on the monotonic clock. */
  | { readonly kind: 'wake'; readonly at: Millis }
  /** Store the intent and the notifications of these receivers, then report the write. */
  | { readonly kind: 'intent'; readonly intent: Intent; readonly notify: readonly string[] }
  /** Prepare the abort request, and report `sending` immediately before it is written. */
  | { readonly kind: 'abort'; readonly order: AbortCommand; readonly policy: string }
  /** The abort request is written now; `reaction` is the time since the earliest abort time. */
  | ({ readonly kind: 'sent'; readonly reaction: Millis } & TargetReference)
  | ({
      readonly kind: 'outcome';
      readonly outcome: Outcome;
      readonly pages: boolean;
      readonly at: number;
    } & TargetReference & {
        readonly skipReason?: SkipReason;
      })
  | ({ readonly kind: 'would_abort'; readonly intent: Intent } & DecisionReference)
  | ({ readonly kind: 'began'; readonly decision: Decision } & DecisionReference)
  | ({ readonly kind: 'cancelled'; readonly skipReason: SkipReason } & TargetReference)
  /** The guard declines a manual abort, and no budget is spent. `ended` is set if the query has ended, with its last listed age. */
  | {
      readonly kind: 'declined';
      readonly node: string;
      readonly id: string;
      readonly skipReason: ManualSkipReason;
      readonly ended?: EndedQuery;
    }
  /** A decision is delayed beyond its earliest abort time. */
  | ({ readonly kind: 'late'; readonly reason: LateReason } & TargetReference)
  /** A budget delays a decision. */
  | { readonly kind: 'exhausted'; readonly budget: 'node' | 'cluster' }
  | { readonly kind: 'breaker'; readonly breaker: string; readonly isOpen: boolean }
  /** A relief check ended; `aborts` is the new number of consecutive aborts of the policy without relief. */
  | { readonly kind: 'relief'; readonly policy: string; readonly node: string; readonly aborts: number }
  /** The guard skips an entry, rejects a list, or discards all observations. */
  | { readonly kind: 'skipped'; readonly scope: 'entry'; readonly node: string; readonly reason: EntrySkipReason }
  | { readonly kind: 'skipped'; readonly scope: 'node'; readonly node: string; readonly reason: NodeListSkipReason }
  | { readonly kind: 'skipped'; readonly scope: 'all'; readonly reason: 'clock_stepped' }
  | { readonly kind: 'blind'; readonly node: string; readonly isBlind: boolean }
  | { readonly kind: 'covered'; readonly node: string; readonly isCovered: boolean }
  /**
   * The guard paused itself: a server named an id that was not requested, or another guard aborts the same queries.
   * Pages.
   */
  | { readonly kind: 'pause'; readonly reason: 'unexpected_id' | 'other_guard' };
