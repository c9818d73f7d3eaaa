import { type Instant, toSeconds } from '../kernel/time.ts';
import { counter, gauge, type Metric, type Sample, sample } from '../metric/metric.ts';
import { serviceStatusCodes } from '../model/service.ts';
import { absent, unobserved } from '../model/transition.ts';
import type { TrackedReplica } from './replica.ts';
import { canCompareSources } from './source-disagreement.ts';
import { unrecognizedStatus } from './status-codes.ts';
import { type VisibleState, viewsOf, visibleReplicas } from './views.ts';

const instance = ['service_name', 'partition', 'replica'] as const;
const source = 'tracker';

const stateSince = gauge({
  name: 'graphdb_service_state_since_timestamp_seconds',
  help: 'Unix timestamp of the start of the observed status of the service instance; absent while the status is not observed.',
  labels: instance,
  essential: true,
  source,
});

const flapping = gauge({
  name: 'graphdb_service_flapping',
  help: 'Whether the status of the service instance is flapping (1) or not (0).',
  labels: instance,
  essential: true,
  source,
});

const disagreement = gauge({
  name: 'graphdb_service_status_disagreement',
  help: 'Whether the status API and the metrics of the server disagree about the service instance for longer than two refreshes (1) or not (0).',
  labels: instance,
  essential: true,
  source: `${source}: current-service-status and informant metrics`,
});

const transitions = counter({
  name: 'graphdb_service_transitions_total',
  help: 'Observed status changes of the service instance by new status, from the first change to that status on; the count survives restarts.',
  labels: [...instance, 'to'],
  source,
});

const onlineSeconds = counter({
  name: 'graphdb_service_online_seconds_total',
  help: 'Time in seconds for which this process observed the service instance as online.',
  labels: instance,
  source,
});

const observedSeconds = counter({
  name: 'graphdb_service_observed_seconds_total',
  help: 'Time in seconds for which this process observed the service instance.',
  labels: instance,
  source,
});

const partitionOnline = gauge({
  name: 'graphdb_partition_online_replicas',
  help: 'Replicas of the partition with the confirmed status online; absent while no replica is observed.',
  labels: ['service_name', 'partition'],
  essential: true,
  source,
});

const partitionReplicas = gauge({
  name: 'graphdb_partition_replicas',
  help: 'Known replicas of the partition, online or not.',
  labels: ['service_name', 'partition'],
  essential: true,
  source,
});

const partitionUnavailable = gauge({
  name: 'graphdb_partition_unavailable_ratio',
  help: 'Share of the last ten minutes in which no replica of the partition was online; absent while no replica is observed.',
  labels: ['service_name', 'partition'],
  essential: true,
  source,
});

const partitionOutages = gauge({
  name: 'graphdb_partition_recent_outages',
  help: 'Outages of the partition in the last ten minutes; absent while no replica is observed.',
  labels: ['service_name', 'partition'],
  essential: true,
  source,
});

const untracked = gauge({
  name: 'graphdb_services_untracked',
  help: 'Service instances in the latest poll result that exceed the limit of tracked instances.',
  source,
});

/** Families of the tracker. */
export const trackerMetrics: readonly Metric[] = [
  stateSince,
  flapping,
  disagreement,
  transitions,
  onlineSeconds,
  observedSeconds,
  partitionOnline,
  partitionReplicas,
  partitionUnavailable,
  partitionOutages,
  untracked,
];

/** Values of the label `to`. `StatusUnchanged` is not among them, because it is never an observed status. */
const transitionTargets: readonly string[] = Object.keys(serviceStatusCodes)
  .filter((status) => status !== 'StatusUnchanged')
  .concat(unrecognizedStatus, absent, unobserved);

/** Returns the value of the label `to` for a status. */
export function transitionTargetOf(status: string): string {
  return transitionTargets.includes(status) ? status : unrecognizedStatus;
}

/** Returns whether a transition leads to a word of the server that its documents do not name. */
export function isUndocumentedStatus(to: string): boolean {
  return to !== '' && transitionTargetOf(to) === unrecognizedStatus;
}

/** Yields the samples of a cluster's replicas and partitions. */
export function* trackerSamples(
  state: VisibleState & { readonly untrackedReplicas: number },
  now: Instant,
): Generator<Sample> {
  yield sample(untracked, {}, state.untrackedReplicas);
  for (const known of visibleReplicas(state)) yield* replicaSamples(known, now);
  for (const { service, partition, online, replicas: known, recent } of viewsOf(state, '').partitions) {
    const labels = { service_name: service, partition };
    yield sample(partitionReplicas, labels, known);
    if (online !== undefined) yield sample(partitionOnline, labels, online);
    if (recent === undefined) continue;
    yield sample(partitionUnavailable, labels, recent.unavailableRatio);
    yield sample(partitionOutages, labels, recent.outages);
  }
}

function* replicaSamples(known: TrackedReplica, { mono }: Instant): Generator<Sample> {
  const labels = { service_name: known.service, partition: known.partition, replica: known.replica };
  if (known.observed !== unobserved) yield sample(stateSince, labels, toSeconds(known.observedSince));
  yield sample(flapping, labels, known.isFlapping ? 1 : 0);
  if (canCompareSources(known)) yield sample(disagreement, labels, known.isDisputed ? 1 : 0);
  for (const [to, count] of Object.entries(known.transitionCounts)) {
    yield sample(transitions, { ...labels, to }, mono < (known.zeroUntil[to] ?? 0) ? 0 : count);
  }
  yield sample(onlineSeconds, labels, toSeconds(known.onlineFor));
  yield sample(observedSeconds, labels, toSeconds(known.observedFor));
}
