import { deduplicated, selector } from './promql.ts';

/** Number of online replicas of each partition; absent while no replica is observed. */
export const observedPartitions = deduplicated('graphdb_partition_online_replicas');

/** Services with numbered replicas. For all others the partition is the number of a host, as in the alert rule. */
const numberedReplicas = selector('graphdb_service_flapping', 'replica!=""');

/** Number of online replicas of each partition of a replicated service. */
export const onlineReplicasQuery = `(${observedPartitions} and on (cluster_name, service_name) ${numberedReplicas})`;
