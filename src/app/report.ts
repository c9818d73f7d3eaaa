import type { FailureReason } from '../kernel/failure.ts';
import { inSeconds } from '../kernel/time.ts';
import type { SkipReason } from './pace.ts';
import type { Fed } from './pipeline.ts';
import type { Site } from './site.ts';
import type { Watch } from './watch.ts';

/** One node as the API and the landing page tell of it. */
export interface NodeReport {
  readonly name: string;
  readonly address: string;
  /** `unknown` before the first liveness call, and where this process makes none. */
  readonly state: 'up' | 'down' | 'unknown';
  readonly sockets: number;
}

/** One cluster as the API and the landing page tell of it. */
export interface ClusterReport {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly nodes: readonly NodeReport[];
}

/** One collector on one node (or `''`, the whole cluster) as the API and the landing page tell of it. */
export interface CollectorReport {
  readonly cluster: string;
  readonly node: string;
  readonly collector: string;
  readonly scope: 'node' | 'cluster';
  readonly state: 'good' | 'failing' | 'waiting';
  /** The node that gave the last answer. */
  readonly source: string;
  readonly reason: FailureReason | '';
  readonly message: string;
  readonly lastReading: string | null;
  readonly lastSuccess: string | null;
  readonly durationSeconds: number | null;
  readonly intervalSeconds: number | null;
  readonly series: number;
  readonly seriesDropped: number;
  readonly failures: Readonly<Partial<Record<FailureReason, number>>>;
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
}

/** One verdict of a consistency check. */
export interface CheckReport {
  readonly cluster: string;
  readonly check: string;
  readonly graph: string;
  readonly partition: string;
  readonly engine: string;
  readonly passed: boolean;
  readonly unsyncedEntries: number | null;
  readonly lastRun: string | null;
}

/** The clusters and their nodes at present. */
export function reportClusters(site: Site): readonly ClusterReport[] {
  return site.watches().map((watch) => {
    const { name, labels } = watch.settings;
    return { name, labels, nodes: reportNodes(watch, site) };
  });
}

/** How each collector is doing. */
export function reportCollectors({ pipeline }: Site): readonly CollectorReport[] {
  return pipeline.feeds().map(reportFeed);
}

/** The last verdicts of the checks that run by calendar. */
export function reportChecks({ pipeline }: Site): readonly CheckReport[] {
  return pipeline.feeds().flatMap(({ feed, memory }) => {
    const values = new Map([...memory.kept()].map((sample) => [keyOf(sample.metric.name, sample.labels), sample]));
    const value = (name: string, labels: Labels): number | undefined => values.get(keyOf(name, labels))?.value;
    return [...values.values()]
      .filter((sample) => sample.metric.name === 'graphdb_check_passed')
      .map(({ labels, value: passed }) => {
        const { check = '', graph = '', partition = '', engine = '' } = labels;
        const whole = { check, graph: '', partition: '', engine: '' };
        return {
          cluster: feed.cluster,
          check,
          graph,
          partition,
          engine,
          passed: passed === 1,
          unsyncedEntries: value('graphdb_check_unsynced_entries', labels) ?? null,
          lastRun: instant(value('graphdb_check_last_run_timestamp_seconds', whole)),
        };
      });
  });
}

type Labels = Readonly<Record<string, string>>;

function reportNodes(watch: Watch, { board }: Site): readonly NodeReport[] {
  const steady = watch.planned.filter(({ collector }) => collector.failed !== undefined);
  const down = watch.down();
  return watch.nodes().map(({ settings: { name, url }, link }) => {
    const isKnown = steady.some(({ collector }) =>
      board.latest({ cluster: watch.settings.name, collector: collector.name, node: name }),
    );
    const state = down.has(name) ? 'down' : isKnown ? 'up' : 'unknown';
    return { name, address: new URL(url).origin, state, sockets: link.sockets() };
  });
}

function reportFeed({ feed, record }: Fed): CollectorReport {
  const { cluster, node, collector, of } = feed;
  const { reading, duration, interval } = record;
  const error = reading === undefined || reading.result.ok ? undefined : reading.result.error;
  return {
    cluster,
    node,
    collector,
    scope: of.scope,
    state: reading === undefined ? 'waiting' : error === undefined ? 'good' : 'failing',
    source: reading?.source ?? '',
    reason: error?.reason ?? '',
    message: error?.message ?? '',
    lastReading: instant(reading === undefined ? undefined : inSeconds(reading.ended.wall)),
    lastSuccess: instant(record.lastSuccess === 0 ? undefined : record.lastSuccess),
    durationSeconds: duration === undefined ? null : inSeconds(duration),
    intervalSeconds: interval === undefined ? null : inSeconds(interval),
    series: record.series,
    seriesDropped: record.dropped,
    failures: Object.fromEntries(record.failures),
    skipped: Object.fromEntries(record.skipped),
  };
}

function instant(seconds: number | undefined): string | null {
  return seconds === undefined ? null : new Date(seconds * 1000).toISOString();
}

function keyOf(name: string, { check = '', graph = '', partition = '', engine = '' }: Labels): string {
  return JSON.stringify([name, check, graph, partition, engine]);
}
