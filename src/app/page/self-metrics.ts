import { tokenRequestOutcomes } from '../../graphdb/access-tokens.ts';
import type { Store } from '../../kernel/store.ts';
import type { Instant } from '../../kernel/time.ts';
import { counter, gauge, type Metric, type Sample, sample } from '../../metric/metric.ts';
import type { Deliverer } from '../../notify/deliverer.ts';
import type { FlightRecorder } from '../guard/flight-recorder.ts';
import { guardSamples, pauseSamples } from '../guard/guard-metrics.ts';
import type { GuardSupervisor } from '../guard/guard-supervisor.ts';
import type { AlertEngine } from '../incidents/alert-engine.ts';
import type { IncidentProcessor } from '../incidents/incident-processor.ts';
import type { CallDurations } from '../poll/call-metrics.ts';
import type { ClusterPoller } from '../poll/cluster-poller.ts';
import type { DroppedSeries } from '../poll/dropped-series.ts';
import type { InventoryChanges } from '../poll/inventory-changes.ts';
import type { ProbeHistory } from '../poll/probe-history.ts';
import type { SourceSamples } from './published-sources.ts';
import type { QueryAges } from './query-ages.ts';
import { type TelemetryComponents, telemetrySamples } from './telemetry-metrics.ts';

const tokenExpiration = gauge({
  name: 'graphwarden_token_expiration_timestamp_seconds',
  help: 'Unix timestamp of the expiration of the token for the node; absent without a token.',
  labels: ['node'],
  source: 'POST /gsql/v1/tokens: expiration',
});
const tokenRequests = counter({
  name: 'graphwarden_token_requests_total',
  help: 'Requests for a token of the cluster by outcome: the first token (created), a later one (renewed), a rejected secret (refused), or no valid reply (failed).',
  labels: ['outcome'],
  source: 'POST /gsql/v1/tokens, POST /requesttoken',
});
const clusterNodes = gauge({
  name: 'graphwarden_cluster_nodes',
  help: 'Nodes of the cluster that are polled, listed or discovered.',
  source: 'configuration and discovery',
});
const nodeSockets = gauge({
  name: 'graphwarden_node_sockets',
  help: 'Open connections to the node.',
  labels: ['node'],
  source: 'measured by graphwarden',
});

/** Metric families of the connections to clusters. */
export const clusterMetrics: readonly Metric[] = [tokenExpiration, tokenRequests, clusterNodes, nodeSockets];

/** Returns the samples of the connections to clusters, by source. */
export function clusterSources(pollers: readonly ClusterPoller[]): ReadonlyMap<string, SourceSamples> {
  return new Map(
    pollers.map((poller) => {
      const { name, labels } = poller.settings;
      return [clusterSource(name), { labels: { cluster_name: name, ...labels }, samples: [...clusterSamples(poller)] }];
    }),
  );
}

function* clusterSamples(poller: ClusterPoller): Generator<Sample> {
  const members = poller.nodes();
  yield sample(clusterNodes, {}, members.length);
  // The nodes of a cluster share its tokens.
  const requests = members[0]?.link.tokenRequests();
  for (const outcome of requests === undefined ? [] : tokenRequestOutcomes)
    yield sample(tokenRequests, { outcome }, requests?.[outcome] ?? 0);
  for (const { settings, link } of members) {
    yield sample(nodeSockets, { node: settings.name }, link.sockets());
    const expires = link.tokenExpiresAt();
    if (expires !== undefined) yield sample(tokenExpiration, { node: settings.name }, expires);
  }
}

function clusterSource(cluster: string): string {
  return JSON.stringify([cluster, 'cluster']);
}

const stateDurable = gauge({
  name: 'graphwarden_state_durable',
  help: 'Whether state is stored on disk, or in the database that replicas share (1), or in memory only (0).',
  source: 'measured by graphwarden',
});

/** Metric families of the state store. */
export const stateMetrics: readonly Metric[] = [stateDurable];

/** Components with samples of incidents and notifications. */
export interface IncidentComponents {
  readonly incidents: IncidentProcessor;
  readonly alerts: AlertEngine;
  readonly deliverer: Deliverer;
  readonly store: Store;
}

/** Returns the samples of incidents and notifications, by source. */
export function* incidentSources(
  { incidents, alerts, deliverer, store }: IncidentComponents,
  pollers: readonly ClusterPoller[],
  now: Instant,
): Generator<readonly [source: string, showing: SourceSamples]> {
  yield [JSON.stringify(['state']), { labels: {}, samples: [sample(stateDurable, {}, store.durable ? 1 : 0)] }];
  yield* alertSources(alerts, [], now);
  yield [JSON.stringify(['outbox']), { labels: {}, samples: [...deliverer.samples(now)] }];
  for (const { settings } of pollers) {
    const { name, labels: own } = settings;
    const labels = { cluster_name: name, ...own };
    yield [JSON.stringify([name, 'tracker']), { labels, samples: incidents.samples(name, now) }];
    yield clusterAlerts(alerts, settings, now);
  }
}

/** Returns the samples of the alerts about graphwarden and about these clusters, by source. */
export function* alertSources(
  alerts: AlertEngine,
  pollers: readonly Pick<ClusterPoller, 'settings'>[],
  now: Instant,
): Generator<readonly [source: string, showing: SourceSamples]> {
  yield [JSON.stringify(['alerts']), { labels: { cluster_name: '' }, samples: alerts.samples('', now) }];
  for (const { settings } of pollers) yield clusterAlerts(alerts, settings, now);
}

function clusterAlerts(
  alerts: AlertEngine,
  { name, labels }: ClusterPoller['settings'],
  now: Instant,
): readonly [source: string, showing: SourceSamples] {
  const showing = { labels: { cluster_name: name, ...labels }, samples: alerts.samples(name, now) };
  return [JSON.stringify([name, 'alerts']), showing];
}

/** Components with samples of requests and queries. */
export interface QueryComponents extends TelemetryComponents {
  readonly guard: GuardSupervisor;
  readonly flightRecorder?: FlightRecorder;
  readonly ages: QueryAges;
  readonly calls: CallDurations;
  readonly changes: Pick<InventoryChanges, 'samples'>;
  readonly probes: Pick<ProbeHistory, 'samples'>;
  /** Counts of rejected requests. */
  readonly admission: { samples(): Iterable<Sample> };
}

/** Returns the samples of requests and queries, by source. */
export function* querySources(
  { guard, flightRecorder, ages, calls, changes, probes, admission, ...telemetry }: QueryComponents,
  pollers: readonly Pick<ClusterPoller, 'settings' | 'nodes' | 'planned'>[],
  now: Instant,
): Generator<readonly [source: string, showing: SourceSamples]> {
  if (flightRecorder !== undefined) yield ['recordings', { labels: {}, samples: [...flightRecorder.samples()] }];
  yield ['admission', { labels: {}, samples: [...admission.samples()] }];
  const exports = [...telemetrySamples(telemetry)];
  if (exports.length > 0) yield ['telemetry', { labels: {}, samples: exports }];
  for (const poller of pollers) {
    const { name, labels: own } = poller.settings;
    const labels = { cluster_name: name, ...own };
    const nodes = poller.nodes().map(({ settings }) => settings.name);
    for (const [node, samples] of ages.samples(name, nodes, now)) {
      yield [JSON.stringify([name, 'query ages', node]), { labels: { ...labels, node }, samples }];
    }
    const requests = calls.samples(name, nodes, now);
    if (requests.length > 0) yield [JSON.stringify([name, 'calls']), { labels, samples: requests }];
    const changed = changes.samples(name);
    if (changed.length > 0) yield [JSON.stringify([name, 'changes']), { labels, samples: changed }];
    for (const [node, samples] of probes.samples(name, { planned: poller.planned, nodes }, now)) {
      yield [JSON.stringify([name, 'probes', node]), { labels: { ...labels, node }, samples }];
    }
    const activeGuard = guard.activeGuard(name);
    if (activeGuard === undefined) continue;
    const samples = [...pauseSamples(guard.paused(name)), ...guardSamples(activeGuard, nodes, now)];
    yield [JSON.stringify([name, 'guard']), { labels, samples }];
  }
}

/** Returns the samples of the series that are not on the page, by source. */
export function* droppedSources(
  dropped: Pick<DroppedSeries, 'clusters' | 'samples'>,
  pollers: readonly Pick<ClusterPoller, 'settings'>[],
): Generator<readonly [source: string, showing: SourceSamples]> {
  for (const cluster of dropped.clusters()) {
    const labels = pollers.find(({ settings }) => settings.name === cluster)?.settings.labels;
    const samples = dropped.samples(cluster);
    yield [JSON.stringify([cluster, 'dropped']), { labels: { cluster_name: cluster, ...labels }, samples }];
  }
}
