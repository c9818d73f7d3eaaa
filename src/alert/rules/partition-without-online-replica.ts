import type { ClusterRule } from '../rule.ts';
import { replicatedServices } from './replicated-partitions.ts';
import { instanceName } from './text-format.ts';

/** A partition has no online replica: queries on its data fail. */
export const partitionWithoutOnlineReplica: ClusterRule = {
  name: 'partition_without_online_replica',
  about: 'No replica of a partition is online.',
  scope: 'cluster',
  severity: 'critical',
  for: 30_000,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['service_name', 'partition'],
  needs: ['services'],
  families: [],
  summary: '{{instance}} of {{cluster_name}} has no online replica',
  description:
    'None of the {{replicas}} replicas of {{instance}} is online; several polls confirm it. Requests that need this partition fail. Check the status of its replicas and the nodes that they run on.',
  resolved: '{{online}} of {{replicas}} replicas of {{instance}} of {{cluster_name}} are online.',
  twin: 'graphdb_partition_online_replicas == 0 and on (cluster_name, service_name) graphdb_service_transitions_total{replica!=""}',
  current: ({ partitions }, { service_name = '', partition = '' }) => {
    const view = partitions.find((one) => one.service === service_name && one.partition === partition);
    const instance = instanceName({ service: service_name, partition, replica: '' });
    return { instance, online: String(view?.online ?? 0), replicas: String(view?.replicas ?? 0) };
  },
  *evaluate({ partitions, replicas: views }) {
    // Where replicas have no numbers the partition is the number of a host, whose loss has a rule of its own.
    const numbered = replicatedServices({ replicas: views });
    for (const { service, partition, replicas, online } of partitions) {
      if (online !== 0 || replicas === 0 || !numbered.has(service)) continue;
      const instance = instanceName({ service, partition, replica: '' });
      yield { labels: { service_name: service, partition }, facts: { instance, replicas: String(replicas) } };
    }
  },
};
