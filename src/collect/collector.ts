import type { GraphDb, RawProcessList } from '../graphdb/graph-db.ts';
import type { Failure } from '../kernel/failure.ts';
import type { Ok } from '../kernel/result.ts';
import type { Instant, Millis } from '../kernel/time.ts';
import type { Metric, Sample } from '../metric/metric.ts';
import type { DatabaseContents } from '../model/contents.ts';
import type { ParsedFamily } from '../model/exposition.ts';
import type { InventoryChange } from '../model/inventory.ts';
import type { ListedQuery } from '../model/query.ts';
import type { ScheduledTaskRun } from '../model/scheduled-task.ts';
import type { StatusReport } from '../model/service.ts';
import type { Probe, ProbeFailureReason, ProbeRun } from './probes/probe.ts';

/** Outcome of a poll. A failure may carry partial facts: they are exposed, and the poll still counts as failed. */
export type PollOutcome<Facts> = Ok<Facts> | { readonly ok: false; readonly error: Failure; readonly partial?: Facts };

/** The two calls of `versions`, which `doctor` tries one by one. */
export type VersionCall = 'restppVersion' | 'gsqlVersion';

/** Calls that change the server: they are made at their scheduled times only. */
export type ScheduledTaskCall = 'rebuildGraph' | 'removeExpiredTokens';

/** Calls of {@link GraphDb} that take only a signal, or a graph and a signal; `doctor` tries those that change nothing. */
export type CollectorCall = Exclude<keyof GraphDb, 'cluster' | 'node' | 'probe' | 'runQuery' | VersionCall>;

/**
 * Unit of polling: one file with one constant of this type and one line in `all.ts`. The runner owns timing, timeouts,
 * self-metrics and logging; a collector sends the requests and maps the facts to samples.
 */
export interface Collector<Facts = unknown> {
  /** File name, configuration key and `collector` label, in snake case. */
  readonly name: string;
  /** Description in the documentation. */
  readonly about: string;
  /** Node facts are polled from every node; cluster facts from one healthy node. */
  readonly scope: 'node' | 'cluster';
  readonly metrics: readonly Metric[];
  readonly defaults: {
    readonly enabled: boolean;
    readonly interval: Millis;
    readonly timeout: Millis;
    /** Cron expression; replaces the interval. */
    readonly schedule?: string;
  };
  /** Nodes that are polled for facts of a node; absent for all of them. */
  readonly nodes?: readonly string[];
  /** Whether the user defines the labels: their values are not checked as names that a server gives. */
  readonly isCustom?: true;
  /** The calls that the collector makes, for `doctor`; empty for a query of the configuration, which `doctor` runs. */
  readonly calls: readonly CollectorCall[];
  /** Privilege that the server requires, in the server's words; `''` if none. */
  readonly privilege: string;
  /**
   * Collector that declares the same families; the samples of this collector are exposed only while that one has no
   * successful poll result.
   */
  readonly fallbackFor?: string;
  /** Sends the requests, without logic. Never rejects if the server fails. */
  poll(db: GraphDb, signal: AbortSignal): Promise<PollOutcome<Facts>>;
  /** Maps facts to samples, without effects. `at` is the end of the poll. */
  samples(facts: Facts, at: Instant): Iterable<Sample>;
  /** Samples of a failed poll, such as `graphdb_up 0`. */
  failureSamples?(error: Failure): Iterable<Sample>;
  /** Families of the server to pass through under their own names. */
  passthrough?(facts: Facts): readonly ParsedFamily[];
  /** Service statuses in the facts, for the tracker. */
  serviceStatuses?(facts: Facts): StatusReport | undefined;
  /** Traits of a probe, whose failed runs are facts and no failed polls. */
  readonly probe?: ProbeTraits;
  /**
   * Runs of a scheduled task in the facts. A collector with this member changes the server: it runs at its scheduled times
   * only, on one node, and not for `/probe`, for `doctor` or by hand.
   */
  taskRuns?(facts: Facts): readonly ScheduledTaskRun[];
  /** Run of the probe in the facts. */
  probeRun?(facts: Facts): ProbeRun;
  /** Queries in the facts. */
  listedQueries?(facts: Facts, at: Instant): readonly ListedQuery[];
  /** Returns the collector with an age above which queries are overdue, whatever their timeout. */
  withOverdueAfter?(limit: Millis): Collector;
  /** Raw process list of the node, for the guard. */
  processList?(facts: Facts): RawProcessList | undefined;
  /** Returns the contents of the server that the facts have, for the API. */
  contents?(facts: Facts): Partial<DatabaseContents>;
  /** Returns the inventory of the facts, for the log and the count of changes. */
  readonly inventory?: {
    /** Objects of the changes, a closed set. */
    readonly objects: readonly string[];
    /** The items are people: their names stay out of the log unless the user wants them there. */
    readonly namesPeople?: true;
    /** Returns the differences between the facts of two successful polls. */
    changes(before: Facts, after: Facts): Iterable<InventoryChange>;
  };
  /** Returns the facts without entries that `accepts` rejects by their labels. */
  plausible?(facts: Facts, accepts: (labels: Readonly<Record<string, string>>) => boolean): Facts;
  /** Number of series that only the former answer contained, and that were not exposed. */
  unconfirmedSeries?(facts: Facts): number;
  /** Number of series that are invalid or contradict others; counted with the series that the page drops. */
  rejectedSeries?(facts: Facts): number;
}

/** Probe that a collector runs. */
export interface ProbeTraits extends Pick<Probe, 'name' | 'kind' | 'slo'> {
  readonly graph: string;
  /** Duration above which a run fails. */
  readonly limit: Millis;
  /** Returns what to check or change when a run fails. */
  adviceOn(reason: ProbeFailureReason): string;
}

/** Declares a collector and hides the type of its facts, so that all collectors fit into one list. */
export function collector<Facts>(definition: Collector<Facts>): Collector {
  return definition;
}

const lists: readonly string[] = ['processListAll', 'processList', 'delayedList'] satisfies readonly CollectorCall[];

/** Returns whether the collector lists queries, which costs a busy server more. A node gets one list at a time. */
export function isList({ calls }: Pick<Collector, 'calls'>): boolean {
  return calls.some(isListCall);
}

/** Returns whether a call of the database lists queries. */
export function isListCall(name: string): boolean {
  return lists.includes(name);
}

/** Returns the raw process list in a poll outcome, complete or partial. */
export function rawProcessListOf(
  { processList }: Pick<Collector, 'processList'>,
  outcome: PollOutcome<unknown>,
): RawProcessList | undefined {
  const facts = outcome.ok ? outcome.value : outcome.partial;
  return facts === undefined ? undefined : processList?.(facts);
}

/** Declared family and the collectors that expose it. */
export interface MetricCatalogEntry {
  readonly metric: Metric;
  readonly scope: Collector['scope'];
  /** More than one if one collector is the fallback of another. */
  readonly collectors: readonly string[];
}

/** Returns every family that `collectors` declare, by name. Documentation and dashboards may use only these. */
export function metricCatalog(collectors: readonly Collector[]): ReadonlyMap<string, MetricCatalogEntry> {
  const entries = new Map<string, MetricCatalogEntry>();
  for (const { name, scope, metrics } of collectors) {
    for (const metric of metrics) {
      const known = entries.get(metric.name)?.collectors ?? [];
      entries.set(metric.name, { metric, scope, collectors: [...known, name] });
    }
  }
  return new Map([...entries].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
