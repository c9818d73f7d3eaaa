import type { GraphDb } from '../graphdb/graph-db.ts';
import type { Failure } from '../kernel/failure.ts';
import type { Ok } from '../kernel/result.ts';
import type { Instant, Millis } from '../kernel/time.ts';
import type { Metric, Sample } from '../metric/metric.ts';
import type { ParsedFamily } from '../model/exposition.ts';
import type { ListedQuery } from '../model/query.ts';
import type { StatusReport } from '../model/service.ts';

/** What a read gives. A failure may carry the part that did arrive: it is shown, and the reading still counts as failed. */
export type ReadResult<Facts> = Ok<Facts> | { readonly ok: false; readonly error: Failure; readonly partial?: Facts };

/** The calls of {@link GraphDb} that take a signal alone or a graph and a signal; `doctor` asks for each of them. */
export type CallName = Exclude<keyof GraphDb, 'cluster' | 'node'>;

/**
 * A unit of reading: one file with one constant of this shape and one line in `all.ts`. The runner owns
 * timing, time-outs, self-metrics and the log; a collector reads, and says what its facts look like.
 */
export interface Collector<Facts = unknown> {
  /** File name, configuration key and `collector` label, in snake case. */
  readonly name: string;
  /** The row in the documents. */
  readonly about: string;
  /** Node facts are read from every node; cluster facts from one healthy node. */
  readonly scope: 'node' | 'cluster';
  readonly metrics: readonly Metric[];
  readonly defaults: {
    readonly enabled: boolean;
    readonly every: Millis;
    readonly timeout: Millis;
    /** Runs by calendar instead of by interval. */
    readonly cron?: string;
  };
  /** The calls it makes, for `doctor`. */
  readonly calls: readonly CallName[];
  /** The privilege the server wants for them, in the server's words; `''` where none. */
  readonly privilege: string;
  /**
   * Where another collector declares the same families: ours are shown only while that one has no good
   * reading.
   */
  readonly yieldsTo?: string;
  /** Effect without logic. Never rejects for trouble with the server. */
  read(db: GraphDb, signal: AbortSignal): Promise<ReadResult<Facts>>;
  /** Logic without effect. `at` is the instant at which the reading ended. */
  samples(facts: Facts, at: Instant): Iterable<Sample>;
  /** What is shown of a failed reading: `graphdb_up 0`. */
  failed?(error: Failure): Iterable<Sample>;
  /** The server's own families to hand on, under their own names. */
  passthrough?(facts: Facts): readonly ParsedFamily[];
  /** What the facts say of the status of services: the tracker goes by it. */
  statuses?(facts: Facts): StatusReport | undefined;
  /** The queries that the facts list, one by one. */
  listed?(facts: Facts, at: Instant): readonly ListedQuery[];
  /** How many series of the answer could not be read, or contradicted others: counted with those that the page drops. */
  rejected?(facts: Facts): number;
}

/** Declares a collector: keeps its facts' type inside, so that the list of all is uniform. */
export function collector<Facts>(definition: Collector<Facts>): Collector {
  return definition;
}
