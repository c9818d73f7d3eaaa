import type { Situation } from '../../model/situation.ts';
import type { PartitionView } from '../../model/transition.ts';
import { formatCount } from './text-format.ts';

/** Matches services whose replicas have numbers; for all others, the partition is the number of a host. */
const ofReplicatedServices = 'and on (cluster_name, service_name) graphdb_service_flapping{replica!=""}';

const online = 'graphdb_partition_online_replicas';
const readonly = 'sum without (replica, status) (graphdb_service_status{status="Readonly"})';

/** Replicas of replicated partitions that answer queries: the online ones or, without any, the read-only ones. */
export const servingReplicasQuery = `(${online} > 0 or ${readonly} > 0 or ${online}) ${ofReplicatedServices}`;

const servicesOf = new WeakMap<Situation['replicas'], ReadonlySet<string>>();

/** Returns the services whose replicas have numbers. Cached, because several rules ask for the same replicas. */
export function replicatedServices({ replicas }: Pick<Situation, 'replicas'>): ReadonlySet<string> {
  const known = servicesOf.get(replicas);
  if (known !== undefined) return known;
  const services = new Set(replicas.filter(({ replica }) => replica !== '').map(({ service }) => service));
  servicesOf.set(replicas, services);
  return services;
}

/** Partition of a replicated service, with the number of its replicas that answer queries. */
export interface ServingPartition extends PartitionView {
  /** Online replicas or, without any, read-only replicas: reads work, and another rule reports rejected writes. */
  readonly serving: number;
}

interface KnownPartitions {
  readonly replicas: Situation['replicas'];
  readonly serving: readonly ServingPartition[];
}

const servingOf = new WeakMap<Situation['partitions'], KnownPartitions>();

/** Returns the partitions of replicated services whose status is known. Cached, because several rules ask for them. */
export function replicatedPartitions({ partitions, replicas }: Situation): readonly ServingPartition[] {
  const known = servingOf.get(partitions);
  if (known?.replicas === replicas) return known.serving;
  const serving = servingPartitions({ partitions, replicas });
  servingOf.set(partitions, { replicas, serving });
  return serving;
}

function servingPartitions({
  partitions,
  replicas,
}: Pick<Situation, 'partitions' | 'replicas'>): readonly ServingPartition[] {
  const services = replicatedServices({ replicas });
  const readonlyReplicas = Map.groupBy(
    replicas.filter(({ observed }) => observed === 'Readonly'),
    partitionKey,
  );
  return partitions.flatMap((partition) => {
    const known = partition.online;
    if (known === undefined || !services.has(partition.service)) return [];
    return [
      { ...partition, serving: known === 0 ? (readonlyReplicas.get(partitionKey(partition))?.length ?? 0) : known },
    ];
  });
}

/** Returns how many replicas of a partition are online, as the predicate of a sentence. */
export function onlineReplicasText(
  { partitions }: Pick<Situation, 'partitions'>,
  { service_name = '', partition = '' }: Readonly<Record<string, string>>,
): string {
  const view = partitions.find((one) => one.service === service_name && one.partition === partition);
  if (view === undefined) return 'is no longer reported by the server';
  if (view.online === undefined) return 'has an unknown status';
  return `has ${view.online} of ${formatCount(view.replicas, 'replica')} online`;
}

function partitionKey({ service, partition }: Pick<PartitionView, 'service' | 'partition'>): string {
  return JSON.stringify([service, partition]);
}
