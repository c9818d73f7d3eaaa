import type { FailureReason } from '../kernel/failure.ts';
import { type Instant, inSeconds } from '../kernel/time.ts';
import type { SkipReason } from './pace.ts';
import type { Fed } from './pipeline.ts';
import type { Site } from './site.ts';
import type { Streak } from './streak.ts';
import type { Watch } from './watch.ts';

/** One node as the API and the landing page tell of it. */
export interface NodeReport {
  readonly name: string;
  readonly address: string;
  /** `unknown` before the first liveness call, and where this process makes none. */
  readonly state: 'up' | 'down' | 'unknown';
  readonly since: string | null;
  /** It was never seen in another state: it may have been so before this process began to look. */
  readonly sinceFirstLook: boolean;
  /** Why it is down. */
  readonly reason: FailureReason | '';
  readonly message: string;
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
  /** When the state became what it is; null while waiting. */
  readonly since: string | null;
  readonly lastReading: string | null;
  readonly lastSuccess: string | null;
  readonly durationSeconds: number | null;
  readonly intervalSeconds: number | null;
  readonly series: number;
  readonly seriesDropped: number;
  readonly failures: Readonly<Partial<Record<FailureReason, number>>>;
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** How often another node than before gave the facts of the whole cluster. */
  readonly sourceSwitches: number;
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
export function reportCollectors({ pipeline, ports }: Site): readonly CollectorReport[] {
  const now = ports.clock.now();
  return pipeline.feeds().map((fed) => reportFeed(fed, now));
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

function reportNodes(watch: Watch, site: Site): readonly NodeReport[] {
  return watch.nodes().map(({ settings: { name, url }, link }) => ({
    name,
    address: new URL(url).origin,
    ...stateOf(name, watch, site),
    sockets: link.sockets(),
  }));
}

type NodeState = Pick<NodeReport, 'state' | 'since' | 'sinceFirstLook' | 'reason' | 'message'>;

/** Known by the one collector whose failure says something of the node itself: the liveness call. */
function stateOf(node: string, watch: Watch, { pipeline, ports }: Site): NodeState {
  const cluster = watch.settings.name;
  const liveness = watch.planned.find(({ collector }) => collector.failed !== undefined)?.collector.name ?? '';
  const record = pipeline.record({ cluster, collector: liveness, node });
  const { reading, answer } = record ?? {};
  if (reading === undefined || answer === undefined) {
    return { state: 'unknown', since: null, sinceFirstLook: true, reason: '', message: '' };
  }
  const seen = { since: sinceOf(answer, ports.clock.now()), sinceFirstLook: answer.isFirst };
  if (!watch.down().has(node) || reading.result.ok) return { state: 'up', ...seen, reason: '', message: '' };
  const { reason, message } = reading.result.error;
  return { state: 'down', ...seen, reason, message };
}

function reportFeed({ feed, record }: Fed, now: Instant): CollectorReport {
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
    since: sinceOf(record.success, now),
    lastReading: instant(reading === undefined ? undefined : inSeconds(reading.ended.wall)),
    lastSuccess: instant(record.lastSuccess === 0 ? undefined : record.lastSuccess),
    durationSeconds: duration === undefined ? null : inSeconds(duration),
    intervalSeconds: interval === undefined ? null : inSeconds(interval),
    series: record.series,
    seriesDropped: record.dropped,
    failures: Object.fromEntries(record.failures),
    skipped: Object.fromEntries(record.skipped),
    sourceSwitches: record.switches,
  };
}

/** Counted back from now: a wall clock that stepped meanwhile changes no length of time. */
function sinceOf({ since }: Streak<boolean>, now: Instant): string | null {
  return since === undefined ? null : instant(inSeconds(now.wall - (now.mono - since.mono)));
}

function instant(seconds: number | undefined): string | null {
  return seconds === undefined ? null : new Date(seconds * 1000).toISOString();
}

function keyOf(name: string, { check = '', graph = '', partition = '', engine = '' }: Labels): string {
  return JSON.stringify([name, check, graph, partition, engine]);
}
