import type { ClusterRule } from '../rule.ts';
import { instanceName } from './words.ts';

/** A part of the data that nobody serves: queries on it fail now. */
export const partitionWithoutOnlineReplica: ClusterRule = {
  name: 'partition_without_online_replica',
  about: 'No replica of a partition is online.',
  scope: 'cluster',
  severity: 'critical',
  hold: 30_000,
  keepFiring: 60_000,
  thresholds: [],
  labels: ['service_name', 'partition'],
  needs: ['services'],
  families: [],
  summary: '{{instance}} of {{cluster_name}} has no replica online',
  description:
    'None of the {{replicas}} replicas of {{instance}} is online, which is confirmed by several readings. What needs this partition fails now. Look at the status of its replicas, and at the nodes that they run on.',
  twin: 'graphdb_partition_online_replicas == 0 and on (cluster_name, service_name) graphdb_service_transitions_total{replica!=""}',
  *judge({ partitions, replicas: views }) {
    // Where replicas have no numbers the partition is the number of a host, whose loss has a rule of its own.
    const numbered = new Set(views.filter(({ replica }) => replica !== '').map(({ service }) => service));
    for (const { service, partition, replicas, online } of partitions) {
      if (online !== 0 || replicas === 0 || !numbered.has(service)) continue;
      const instance = instanceName({ service, partition, replica: '' });
      yield { labels: { service_name: service, partition }, facts: { instance, replicas: String(replicas) } };
    }
  },
};
