import { inSeconds } from '../kernel/time.ts';
import { counter, gauge, type Metric, type Sample, sample } from '../metric/metric.ts';
import { serviceStatusCodes } from '../model/service.ts';
import { absent, unobserved } from '../model/transition.ts';
import { isComparable } from './dispute.ts';
import type { TrackedReplica } from './replica.ts';
import { unrecognised } from './status-codes.ts';
import { type Shown, shownReplicas, viewsOf } from './views.ts';

const instance = ['service_name', 'partition', 'replica'] as const;
const source = 'tracker';

const stateSince = gauge({
  name: 'graphdb_service_state_since_timestamp_seconds',
  help: 'When the observed status of a service instance began; absent while it is not observed.',
  labels: instance,
  source,
});

const flapping = gauge({
  name: 'graphdb_service_flapping',
  help: '1 while the status of a service instance changes too often.',
  labels: instance,
  source,
});

const disagreement = gauge({
  name: 'graphdb_service_status_disagreement',
  help: "1 if what a service instance says of itself and what the server's metrics say of it differ for longer than two refreshes.",
  labels: instance,
  source: `${source}: current-service-status and informant metrics`,
});

const transitions = counter({
  name: 'graphdb_service_transitions_total',
  help: 'Observed changes of the status of a service instance, by what it changed to; kept through restarts.',
  labels: [...instance, 'to'],
  source,
});

const onlineSeconds = counter({
  name: 'graphdb_service_online_seconds_total',
  help: 'Time for which this process has observed a service instance to be online.',
  labels: instance,
  source,
});

const observedSeconds = counter({
  name: 'graphdb_service_observed_seconds_total',
  help: 'Time for which this process has observed a service instance at all.',
  labels: instance,
  source,
});

const partitionOnline = gauge({
  name: 'graphdb_partition_online_replicas',
  help: 'Replicas of a partition that are online for sure; absent while none of them is observed.',
  labels: ['service_name', 'partition'],
  source,
});

const partitionReplicas = gauge({
  name: 'graphdb_partition_replicas',
  help: 'Replicas of a partition that are known, online or not.',
  labels: ['service_name', 'partition'],
  source,
});

const untracked = gauge({
  name: 'graphdb_services_untracked',
  help: 'Service instances in the latest answer that are too many to be tracked.',
  source,
});

/** All that the tracker shows. */
export const trackerMetrics: readonly Metric[] = [
  stateSince,
  flapping,
  disagreement,
  transitions,
  onlineSeconds,
  observedSeconds,
  partitionOnline,
  partitionReplicas,
  untracked,
];

/** What a transition may lead to, as the `to` label says it: no status lasts that says «unchanged». */
const destinations: readonly string[] = Object.keys(serviceStatusCodes)
  .filter((status) => status !== 'StatusUnchanged')
  .concat(unrecognised, absent, unobserved);

/** The word of the `to` label for a status. */
export function destinationOf(status: string): string {
  return destinations.includes(status) ? status : unrecognised;
}

/** Whether a transition leads to a word of the server that its documents do not name. */
export function isUnheardOf(to: string): boolean {
  return to !== '' && destinationOf(to) === unrecognised;
}

/** The samples of a cluster's replicas and partitions. */
export function* trackerSamples(state: Shown & { readonly untracked: number }): Generator<Sample> {
  yield sample(untracked, {}, state.untracked);
  for (const known of shownReplicas(state)) yield* replicaSamples(known);
  for (const { service, partition, online, replicas: known } of viewsOf(state, '').partitions) {
    const labels = { service_name: service, partition };
    yield sample(partitionReplicas, labels, known);
    if (online !== undefined) yield sample(partitionOnline, labels, online);
  }
}

function* replicaSamples(known: TrackedReplica): Generator<Sample> {
  const labels = { service_name: known.service, partition: known.partition, replica: known.replica };
  if (known.observed !== unobserved) yield sample(stateSince, labels, inSeconds(known.observedSince));
  yield sample(flapping, labels, known.flapping ? 1 : 0);
  if (isComparable(known)) yield sample(disagreement, labels, known.disputed ? 1 : 0);
  for (const to of destinations) yield sample(transitions, { ...labels, to }, known.counts[to] ?? 0);
  yield sample(onlineSeconds, labels, inSeconds(known.onlineFor));
  yield sample(observedSeconds, labels, inSeconds(known.observedFor));
}
