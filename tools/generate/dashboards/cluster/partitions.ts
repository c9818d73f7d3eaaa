import { collapsedRow, query, timeseries } from '../panels.ts';
import { onlineReplicasQuery } from '../partition-queries.ts';
import { deduplicated } from '../promql.ts';

const partition = '{{cluster_name}} {{service_name}} {{partition}}';
const online = 'graphdb_partition_online_replicas';

/** Whether every partition can be served. A maximum over replicas hides the loss of a partition. */
export const partitions = collapsedRow('Partitions', 12, [
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
    { lowIsBad: true },
  ),
]);
