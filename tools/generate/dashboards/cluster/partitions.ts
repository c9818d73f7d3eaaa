import { query, row, stateTimeline, timeseries } from '../panels.ts';
import { onlineReplicasQuery } from '../partition-queries.ts';
import { deduplicated } from '../promql.ts';
import { healthyAtOne } from '../value-mappings.ts';

const partition = '{{cluster_name}} {{service_name}} {{partition}}';
const online = 'graphdb_partition_online_replicas';

/** Whether every partition can be served. A maximum over replicas hides the loss of a partition. */
export const partitions = row('Partitions and nodes', 12, [
  timeseries(
    'Partitions without an online replica',
    'Queries that need such a partition fail or hang, while the ping and echo endpoints still succeed.',
    query(`1 - (${onlineReplicasQuery} == 0)`, partition),
    {
      emptyWhenHealthy: 'every partition has an online replica',
      rules: ['partition_without_online_replica', 'service_without_online_replica', 'cluster_down'],
    },
  ),
  timeseries(
    'Missing replicas',
    'Known replicas of a partition that are not online: the lost redundancy.',
    query(
      `${deduplicated('graphdb_partition_replicas')} - on (cluster_name, service_name, partition) ${deduplicated(online)} > 0`,
      partition,
    ),
    { emptyWhenHealthy: 'every replica is online', rules: ['service_not_online'] },
  ),
  timeseries(
    'Recent unavailability',
    'Share of the last ten minutes in which no replica of the partition was online. Short outages add up here.',
    query(`${deduplicated('graphdb_partition_unavailable_ratio')} > 0`, partition),
    {
      unit: 'percentunit',
      emptyWhenHealthy: 'every partition was available',
      rules: ['partition_unavailable'],
    },
  ),
  timeseries(
    'Online replicas',
    'Replicas of the engines that are confirmed to be online. The engines need every partition.',
    query(deduplicated(online, 'service_name=~"GPE|GSE"'), partition),
  ),
  stateTimeline(
    'Nodes',
    'Whether each node responds to the liveness request. That says nothing about its services.',
    query(deduplicated('graphdb_up'), '{{cluster_name}} {{node}}'),
    { width: 24, height: 6, valueMappings: healthyAtOne('no response', 'responds'), rules: ['node_unreachable'] },
  ),
]);
