import { query, row, table, timeseries } from '../panels.ts';
import { onlineReplicasQuery } from '../partition-queries.ts';
import { deduplicated } from '../promql.ts';
import { online } from '../value-mappings.ts';

const by = 'sum by (cluster_name)';
const cluster = '{{cluster_name}}';

/** One table row and one curve per cluster. */
export const clusters = row('Clusters', 8, [
  table(
    'Clusters',
    'Current state of each cluster. Click a row to open the dashboard of its cluster.',
    [
      query(`${by} (${deduplicated('graphwarden_cluster_nodes')})`, 'Nodes'),
      query(`${by} (${deduplicated('graphdb_up')})`, 'Nodes that respond'),
      query(`${by} (${deduplicated('graphdb_service_status_code')} != bool ${online})`, 'Instances not online'),
      query(`${by} (${onlineReplicasQuery} == bool 0)`, 'Partitions without an online replica'),
      query(`${by} (${deduplicated('graphdb_queries_running')})`, 'Running queries'),
      query(`${by} (${deduplicated('graphdb_queries_delayed')})`, 'Waiting queries'),
      query(`${by} (${deduplicated('graphwarden_alerts_firing', 'rule!="watchdog"')})`, 'Firing alerts'),
      query(`${by} (${deduplicated('graphwarden_alerts_silenced')})`, 'Silenced alerts'),
      query(`${by} (${deduplicated('graphwarden_alerts_unrouted')})`, 'Alerts sent to no receiver'),
    ],
    { width: 24, height: 7, opens: 'cluster' },
  ),
  timeseries(
    'Share of nodes that respond',
    'Nodes that respond to the liveness request, of all monitored nodes.',
    query(`avg by (cluster_name) (${deduplicated('graphdb_up')})`, cluster),
    { unit: 'percentunit', opens: 'cluster', scale: { min: 0, max: 1 }, rules: ['node_unreachable'] },
  ),
  timeseries(
    'Share of service instances online',
    'Instances with the status Online, of all observed instances.',
    query(`avg by (cluster_name) (${deduplicated('graphdb_service_status', 'status="Online"')})`, cluster),
    { unit: 'percentunit', opens: 'cluster', scale: { min: 0, max: 1 }, rules: ['service_not_online'] },
  ),
  timeseries(
    'Running queries by cluster',
    'Queries in the process lists of the nodes of each cluster.',
    query(`${by} (${deduplicated('graphdb_queries_running')})`, cluster),
    { opens: 'cluster' },
  ),
]);
