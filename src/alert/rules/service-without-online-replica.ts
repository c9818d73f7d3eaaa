import type { ClusterRule } from '../rule.ts';
import { replicatedPartitions, servingReplicasQuery as serving } from './replicated-partitions.ts';

/** All partitions of a service are down: it failed as a whole, on every host. */
export const serviceWithoutOnlineReplica: ClusterRule = {
  name: 'service_without_online_replica',
  about: 'No partition of a service has an online replica.',
  scope: 'cluster',
  severity: 'critical',
  for: 30_000,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['service_name'],
  needs: ['services'],
  families: [],
  summary: '{{service_name}} of {{cluster_name}} is down: none of its {{partitions}} partitions has an online replica',
  description:
    'No replica of {{service_name}} is online in any of its {{partitions}} partitions. All requests that need {{service_name}} fail. Check whether it was stopped, its license, and what its partitions share: storage, ZooKeeper, Kafka.',
  resolved: 'Partitions of {{service_name}} of {{cluster_name}} with an online replica: {{online}}.',
  current(situation, { service_name }) {
    const own = replicatedPartitions(situation).filter(({ service }) => service === service_name);
    const online = own.filter((partition) => partition.serving > 0).length;
    return { online: own.length === 0 ? 'unknown, the server reports none' : `${online} of ${own.length}` };
  },
  twin: `sum without (partition) (${serving}) == 0 and count without (partition) (${serving}) > 1`,
  twinTexts: {
    summary: '{{service_name}} of {{cluster_name}} is down: none of its partitions has an online replica',
    description:
      'No replica of {{service_name}} is online in any of its partitions. All requests that need {{service_name}} fail. Check whether it was stopped, its license, and what its partitions share: storage, ZooKeeper, Kafka.',
  },
  *evaluate(situation) {
    for (const [service, own] of Map.groupBy(replicatedPartitions(situation), (partition) => partition.service)) {
      if (own.length < 2 || own.some((partition) => partition.serving !== 0)) continue;
      yield { labels: { service_name: service }, facts: { partitions: String(own.length) } };
    }
  },
};
