import type { RowDefinition } from '../definition.ts';
import { onlineReplicas } from '../partition-series.ts';
import { facts } from '../series.ts';

const partition = '{{cluster_name}} {{service_name}} {{partition}}';
const online = 'graphdb_partition_online_replicas';

/** Whether every partition can still be served: a maximum over replicas would hide it. */
export const partitions: RowDefinition = {
  title: 'Partitions and nodes',
  panels: [
    {
      look: 'timeseries',
      title: 'Partitions without a replica online',
      description: 'Queries that need one of these fail or hang, while ping and echo may still be green.',
      unit: 'short',
      width: 8,
      queries: [{ expr: `1 - (${onlineReplicas} == 0)`, legend: partition }],
      emptyWhenHealthy: 'every partition has a replica online',
      scale: { min: 0 },
      rules: ['partition_without_online_replica'],
    },
    {
      look: 'timeseries',
      title: 'Replicas that are missing',
      description: 'Replicas of a partition that are known and not online: the redundancy that is gone.',
      unit: 'short',
      width: 8,
      queries: [
        {
          expr: `${facts('graphdb_partition_replicas')} - on (cluster_name, service_name, partition) ${facts(online)} > 0`,
          legend: partition,
        },
      ],
      emptyWhenHealthy: 'every replica is online',
      scale: { min: 0 },
      rules: ['service_not_online'],
    },
    {
      look: 'timeseries',
      title: 'Replicas online',
      description: 'Replicas that are online for sure, of the engines alone: of these every partition is needed.',
      unit: 'short',
      width: 8,
      queries: [{ expr: facts(online, 'service_name=~"GPE|GSE"'), legend: partition }],
      scale: { min: 0 },
    },
    {
      look: 'state-timeline',
      title: 'Nodes',
      description: 'Whether each node answers the liveness call; that says nothing about its services.',
      unit: 'none',
      width: 24,
      height: 6,
      queries: [{ expr: facts('graphdb_up'), legend: '{{cluster_name}} {{node}}' }],
      states: [
        { value: 0, text: 'no answer', color: 'red' },
        { value: 1, text: 'answers', color: 'green' },
      ],
      rules: ['node_unreachable'],
    },
  ],
};
