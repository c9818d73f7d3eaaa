import { deduplicated, selector } from './promql.ts';

/** Services with numbered replicas. For all others the partition is the number of a host, as in the alert rule. */
const numberedReplicas = selector('graphdb_service_flapping', 'replica!=""');

/** Number of online replicas of each partition of a replicated service. */
export const onlineReplicasQuery = `(${deduplicated('graphdb_partition_online_replicas')} and on (cluster_name, service_name) ${numberedReplicas})`;
