import {
  type CheckReport,
  type CheckRunReport,
  type ClusterReport,
  type CollectorReport,
  maxFamilies,
  type NodeReport,
} from '../../api/clusters.ts';
import { hasResponse } from '../../kernel/failure.ts';
import { type Instant, toSeconds } from '../../kernel/time.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import { collectorKey } from '../../model/collector-key.ts';
import { groupByReason } from '../../model/series-drop.ts';
import type { ClusterPoller } from '../poll/cluster-poller.ts';
import type { FeedState } from '../poll/collector-feed.ts';
import type { StateDuration } from '../poll/state-duration.ts';
import { adviceOn } from './advice.ts';
import type { RouteDependencies } from './route-dependencies.ts';

/** Returns the clusters and the present state of their nodes. */
export function reportClusters(dependencies: RouteDependencies): readonly ClusterReport[] {
  const replica = dependencies.replicas?.ownName();
  const owner = replica === undefined ? {} : { owner: replica };
  return dependencies.pollers().map((poller) => {
    const { name, labels } = poller.settings;
    const dropped = dependencies.pipeline.dropped.of(name);
    const seriesDropped = dropped.map((one) => ({ ...one, families: one.families.slice(0, maxFamilies) }));
    return { name, labels, nodes: reportNodes(poller, dependencies), seriesDropped, ...owner };
  });
}

/** Returns the state of each collector. */
export function reportCollectors({ pipeline, ports, scheduler }: RouteDependencies): readonly CollectorReport[] {
  const now = ports.clock.now();
  return pipeline.feeds().map((state) => {
    const nextPoll = scheduler.nextRun(collectorKey(state.feed));
    return reportCollector(state, now, isoTime(nextPoll === undefined ? undefined : toSeconds(nextPoll)));
  });
}

/** Returns the latest results of the checks that run on a schedule. */
export function reportChecks({ pipeline }: RouteDependencies): readonly CheckReport[] {
  return pipeline.feeds().flatMap(({ feed, keptSamples }) => {
    const values = new Map(
      [...keptSamples.all()].map((sample) => [checkKey(sample.metric.name, sample.labels), sample]),
    );
    const value = (name: string, labels: Labels): number | undefined => values.get(checkKey(name, labels))?.value;
    return [...values.values()]
      .filter((sample) => sample.metric.name === 'graphdb_check_passed')
      .map(({ labels, value: passed }) => {
        const { check = '', graph = '', partition = '', engine = '' } = labels;
        const wholeCheck = { check, graph: '', partition: '', engine: '' };
        return {
          cluster: feed.cluster,
          check,
          graph,
          partition,
          engine,
          passed: passed === 1,
          unsyncedEntries: value('graphdb_check_unsynced_entries', labels) ?? null,
          lastRun: isoTime(value('graphdb_check_last_run_timestamp_seconds', wholeCheck)),
        };
      });
  });
}

/** Returns the latest runs of the checks, the latest first. */
export function reportCheckRuns(dependencies: RouteDependencies): readonly CheckRunReport[] {
  return dependencies.checkRuns.latest(dependencies.pollers().map(({ settings }) => settings.name)).map((run) => {
    const { cluster, check, verdict, message, endedAt, duration, unsyncedEntries = null } = run;
    const durationSeconds = duration === undefined ? null : toSeconds(duration);
    return { cluster, check, endedAt: formatTimestamp(endedAt), durationSeconds, verdict, unsyncedEntries, message };
  });
}

type Labels = Readonly<Record<string, string>>;

function reportNodes(poller: ClusterPoller, dependencies: RouteDependencies): readonly NodeReport[] {
  return poller.nodes().map(({ settings: { name, url }, link }) => ({
    name,
    address: new URL(url).origin,
    ...nodeState(name, poller, dependencies),
    sockets: link.sockets(),
  }));
}

type NodeState = Pick<NodeReport, 'state' | 'since' | 'sinceFirstPoll' | 'reachable' | 'reason' | 'message' | 'advice'>;

/** The state of a node is the result of the health poll: the one collector whose failure is a failure of the node. */
function nodeState(node: string, poller: ClusterPoller, { pipeline, ports }: RouteDependencies): NodeState {
  const cluster = poller.settings.name;
  const liveness = poller.planned.find(({ collector }) => collector.failureSamples !== undefined)?.collector.name ?? '';
  const record = pipeline.statusOf({ cluster, collector: liveness, node });
  const { pollResult, answered } = record ?? {};
  if (pollResult === undefined || answered === undefined) {
    return { state: 'unknown', since: null, sinceFirstPoll: true, reachable: null, ...noFailure };
  }
  const age = { since: sinceTimestamp(answered, ports.clock.now()), sinceFirstPoll: answered.isInitial };
  if (!poller.nodesDown().has(node) || pollResult.result.ok)
    return { state: 'up', ...age, reachable: true, ...noFailure };
  const { error } = pollResult.result;
  const { reason, message } = error;
  const reachable = hasResponse(error);
  return {
    state: 'down',
    ...age,
    reachable,
    reason,
    message,
    advice: adviceOn(reason, { name: liveness, privilege: '' }),
  };
}

const noFailure = { reason: '', message: '', advice: '' } as const;

function reportCollector({ feed, status }: FeedState, now: Instant, nextPoll: string | null): CollectorReport {
  const { cluster, node, collector, definition } = feed;
  const { pollResult, duration, interval } = status;
  const error = pollResult === undefined || pollResult.result.ok ? undefined : pollResult.result.error;
  return {
    cluster,
    node,
    collector,
    scope: definition.scope,
    state: pollResult === undefined ? 'unknown' : error === undefined ? 'healthy' : 'failing',
    source: pollResult?.source ?? '',
    reason: error?.reason ?? '',
    message: error?.message ?? '',
    advice: error === undefined ? '' : adviceOn(error.reason, definition),
    since: sinceTimestamp(status.success, now),
    lastPoll: isoTime(pollResult === undefined ? undefined : toSeconds(pollResult.ended.wall)),
    lastSuccess: isoTime(status.lastSuccess === 0 ? undefined : status.lastSuccess),
    durationSeconds: duration === undefined ? null : toSeconds(duration),
    intervalSeconds: interval === undefined ? null : toSeconds(interval),
    nextPoll,
    series: status.series,
    seriesDropped: Object.fromEntries(
      groupByReason(status.shown.dropped).map(({ reason, series }) => [reason, series]),
    ),
    failures: Object.fromEntries(status.failures),
    skipped: Object.fromEntries(status.skipped),
    sourceSwitches: status.sourceSwitches,
  };
}

/** Counts back from now on the monotonic clock, because the wall clock may have stepped since. */
function sinceTimestamp({ since }: StateDuration<boolean>, now: Instant): string | null {
  return since === undefined ? null : isoTime(toSeconds(now.wall - (now.mono - since.mono)));
}

function isoTime(seconds: number | undefined): string | null {
  return seconds === undefined ? null : formatTimestamp(seconds * 1000);
}

function checkKey(name: string, { check = '', graph = '', partition = '', engine = '' }: Labels): string {
  return JSON.stringify([name, check, graph, partition, engine]);
}
