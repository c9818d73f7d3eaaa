import type { Millis } from '../kernel/time.ts';

/** Facts about a query in its process-list URL, after its parameters are removed. */
export interface QueryIdentity {
  /** `''` if the URL names no graph. */
  readonly graph: string;
  /** Name of an installed query, otherwise the kind. */
  readonly query: string;
  readonly kind: 'installed' | 'interpreted' | 'builtin';
}

/** One entry of a process list. */
export interface RunningQuery extends QueryIdentity {
  readonly requestId: string;
  /** The time in the request id, ms since the epoch; undefined if the id has another form. */
  readonly arrivedAt?: number;
  /** Timeout granted to the client; the longest possible one if the clocks of the server may change while the query runs. */
  readonly grantedTimeout?: Millis;
  /** Age as the server measures it; absent in the per-graph list. */
  readonly elapsed?: Millis;
  /** How long lists have contained the query, by the clock of graphwarden; only in the per-graph list. */
  readonly listedFor?: Millis;
}

/** How a query in detached mode ended; `unknown` if the server no longer knows it. */
export const detachedOutcomes = ['success', 'timeout', 'aborted', 'unknown'] as const;

/** One of {@link detachedOutcomes}. */
export type DetachedOutcome = (typeof detachedOutcomes)[number];

/** Queries of a graph in detached mode, on one node. */
export interface DetachedQueries {
  readonly graph: string;
  readonly running: readonly RunningQuery[];
  /** Queries that were seen running and have ended since the connection was opened, by outcome. */
  readonly ended: Readonly<Record<DetachedOutcome, number>>;
}

/** One entry of the delayed list. Partial ids repeat. */
export interface DelayedQuery extends QueryIdentity {
  readonly partialId: string;
  /** Time that it has waited; absent if the server does not report it. */
  readonly elapsed?: Millis;
}

/** A query in the latest list of a node, for the API and the CLI. */
export interface ListedQuery extends QueryIdentity {
  readonly state: 'running' | 'delayed';
  /** Partial for a delayed query: several may have the same. */
  readonly id: string;
  /**
   * Age at the end of the poll; for a delayed query the time it has waited. Undefined if the list does not contain it.
   */
  readonly age?: Millis;
  readonly grantedTimeout?: Millis;
  /** Whether it runs past its granted timeout or the configured limit. */
  readonly overdue?: true;
}

/** Workload queues of the engines of a cluster. */
export interface QueueStatus {
  readonly queues: readonly WorkloadQueue[];
  /** Whether each engine has answered; otherwise the queues of some engines are missing. */
  readonly isComplete: boolean;
}

/** Counts and limits of one workload queue on one engine instance. */
export interface WorkloadQueue {
  /** `GPE_1_1`. */
  readonly engine: string;
  readonly queue: string;
  readonly running: number;
  readonly delayed: number;
  readonly runningLimit: number;
  readonly delayedLimit: number;
}

/** Statistics of one query endpoint in the window of 60 seconds. */
export interface EndpointStatistics {
  readonly graph: string;
  readonly method: string;
  readonly path: string;
  readonly completed: number;
  readonly timeouts: number;
  readonly perSecond: number;
  readonly average: Millis;
  readonly minimum: Millis;
  readonly maximum: Millis;
  /** Upper bucket bounds; element i is the percentile (i + 1) × 100 / length. */
  readonly percentiles: readonly Millis[];
}
