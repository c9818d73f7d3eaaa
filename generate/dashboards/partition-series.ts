import { facts, series } from './series.ts';

/** Where replicas have no numbers the partition is the number of a host, whose loss shows elsewhere: as in the rule. */
const numbered = series('graphdb_service_flapping', 'replica!=""');

/** How many replicas of each partition are online, of what is kept in replicas. */
export const onlineReplicas = `(${facts('graphdb_partition_online_replicas')} and on (cluster_name, service_name) ${numbered})`;
