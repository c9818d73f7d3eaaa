import { instanceName } from '../../model/instance-name.ts';
import type { ClusterRule } from '../rule.ts';
import { onlineReplicasText, replicatedPartitions, servingReplicasQuery } from './replicated-partitions.ts';
import { partitionTemplate } from './twin-templates.ts';

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
    'No replica of {{instance}} is online (known replicas: {{replicas}}). Queries that need this partition fail. Check the status of its replicas and the nodes that they run on.',
  resolved: '{{instance}} of {{cluster_name}} {{online}}.',
  twin: `(${servingReplicasQuery}) == 0`,
  twinTexts: {
    facts: { instance: partitionTemplate },
    description:
      'No replica of {{instance}} is online. Queries that need this partition fail. Check the status of its replicas and the nodes that they run on.',
  },
  current: (situation, identity) => ({ online: onlineReplicasText(situation, identity) }),
  *evaluate(situation) {
    for (const { service, partition, replicas, serving } of replicatedPartitions(situation)) {
      if (serving !== 0 || replicas === 0) continue;
      const instance = instanceName({ service, partition, replica: '' });
      yield { labels: { service_name: service, partition }, facts: { instance, replicas: String(replicas) } };
    }
  },
};
