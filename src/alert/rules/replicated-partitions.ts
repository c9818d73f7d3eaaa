import type { Situation } from '../../model/situation.ts';
import type { PartitionView } from '../../model/transition.ts';

/** Online replicas of replicated partitions; where replicas have no numbers, the partition is the number of a host. */
export const onlineReplicasQuery =
  'graphdb_partition_online_replicas and on (cluster_name, service_name) graphdb_service_transitions_total{replica!=""}';

/** Returns the services whose replicas have numbers. */
export function replicatedServices({ replicas }: Pick<Situation, 'replicas'>): ReadonlySet<string> {
  return new Set(replicas.filter(({ replica }) => replica !== '').map(({ service }) => service));
}

/** Returns the partitions of replicated services whose status is known. */
export function replicatedPartitions({ partitions, replicas }: Situation): readonly PartitionView[] {
  const services = replicatedServices({ replicas });
  return partitions.filter(({ service, online }) => services.has(service) && online !== undefined);
}
