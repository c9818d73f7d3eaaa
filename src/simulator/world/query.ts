import type { Millis } from '../../kernel/time.ts';

/** What a client asks a node to run. */
export interface QuerySpec {
  /** As the process lists show it, parameters and all. */
  readonly url: string;
  /** As the statistics show it: `GET /query/fraud/ring_scan`. */
  readonly endpoint: string;
  /** `''` where the url names none. */
  readonly graph: string;
  /** Name of an installed query, `''` for everything else. */
  readonly name: string;
  readonly queue: QueueName;
  /** How long it will take once it runs. */
  readonly runsFor: Millis;
  /** What its client was granted; time in the queue does not count. */
  readonly timeout: Millis;
  /** Started with `GSQL-ASYNC`: its end is remembered. */
  readonly detached: boolean;
  /** It runs on although the server says that it is aborted, until it ends by itself. */
  readonly outlivesAborts?: boolean;
}

/** Names of the workload queues of each engine. */
export const queueNames = ['OLTP', 'AdHoc'] as const;

/** One of {@link queueNames}. */
export type QueueName = (typeof queueNames)[number];

/** What became of a query, in the words of the server's detached mode; `delayed` is ours. */
export type QueryState = 'delayed' | 'running' | 'success' | 'timeout' | 'aborted';

/** A query that a node has accepted. Moments are ms since the epoch; the id carries the arrival by the node's own clock. */
export interface SimulatedQuery extends QuerySpec {
  readonly requestId: string;
  readonly arrivedAt: number;
  /** Undefined while delayed. */
  readonly startedAt: number | undefined;
  /** Undefined until it ended. */
  readonly endedAt: number | undefined;
  readonly state: QueryState;
}

/** When a running query stops by itself: done or out of time. `Infinity` while delayed. */
export function endsAt(query: SimulatedQuery): number {
  if (query.startedAt === undefined) return Number.POSITIVE_INFINITY;
  return query.startedAt + Math.min(query.runsFor, query.timeout);
}
