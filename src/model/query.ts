import type { Millis } from '../kernel/time.ts';

/** What a process-list url says about a query once its parameters are cut off. */
export interface QueryIdentity {
  /** `''` where the url names no graph. */
  readonly graph: string;
  /** Name of the installed query, or of the kind for everything else. */
  readonly query: string;
  readonly kind: 'installed' | 'interpreted' | 'builtin';
}

/** One entry of a process list. */
export interface RunningQuery extends QueryIdentity {
  readonly requestId: string;
  /** The instant in the request id, ms since the epoch; undefined where the id has another form. */
  readonly arrivedAt?: number;
  /** Expiration minus start: the timeout that the client was granted. */
  readonly grantedTimeout?: Millis;
  /** The server's own measure; absent in the per-graph list. */
  readonly elapsed?: Millis;
}

/** One entry of the delayed list. Partial ids repeat. */
export interface DelayedQuery extends QueryIdentity {
  readonly partialId: string;
  readonly elapsed: Millis;
}

/** A query as the latest list of a node shows it to people. */
export interface ListedQuery extends QueryIdentity {
  readonly state: 'running' | 'delayed';
  /** Of a delayed one partial: several may have the same. */
  readonly id: string;
  /** At the end of the reading; for a delayed one the time that it waits. Undefined where the list does not tell. */
  readonly age?: Millis;
  readonly grantedTimeout?: Millis;
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

/** What one query endpoint did in the statistics window of 60 seconds. */
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
