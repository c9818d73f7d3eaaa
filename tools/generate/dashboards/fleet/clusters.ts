import type { StateMapping } from '../definition.ts';
import { collapsedRow, column, greenBelow, query, row, table, timeseries } from '../panels.ts';
import { observedPartitions, onlineReplicasQuery } from '../partition-queries.ts';
import { deduplicated } from '../promql.ts';
import { badOrComplete, clustersWithout, knownClusters, nodesWithout } from '../unknown.ts';
import { online } from '../value-mappings.ts';

const by = 'sum by (cluster_name)';
const cluster = '{{cluster_name}}';
/** Alerts about graphwarden itself have no cluster and would be a row without a name. */
const ofCluster = 'cluster_name!=""';
const bad = { steps: greenBelow(1, 'red') };
const questionable = { steps: greenBelow(1, 'orange') };

const up = deduplicated('graphdb_up');
const running = deduplicated('graphdb_queries_running');
const down = `${by} (${up} == bool 0)`;
const notOnline = `${by} (${deduplicated('graphdb_service_status_code')} != bool ${online})`;
const lost = `${by} (${onlineReplicasQuery} == bool 0)`;
const overdue = `${by} (${deduplicated('graphdb_queries_overdue')})`;
/** Nodes whose queries are unknown. A total without them would look complete. */
const unlisted = `on (cluster_name) ${nodesWithout(running)}`;

function firing(...where: readonly string[]): string {
  return `${by} (${deduplicated('graphwarden_alerts_firing', 'rule!="watchdog"', ofCluster, ...where)})`;
}

/** States of a cluster. The codes sort the table: the worst cluster has the highest one. */
const states: readonly StateMapping[] = [
  { value: 0, text: 'healthy', color: 'green' },
  { value: 1, text: 'degraded', color: 'orange' },
  { value: 2, text: 'unknown', color: 'grey' },
  { value: 3, text: 'unhealthy', color: 'red' },
];

const state = [
  `3 * (${firing('severity="critical"')} > 0 or ${lost} > 0) ^ 0`,
  `(${firing('severity="warning"')} > 0 or ${down} > 0 or ${notOnline} > 0) ^ 0`,
  `2 * (${by} (${nodesWithout(up)}) or ${clustersWithout(observedPartitions)}) ^ 0`,
  `0 * ${knownClusters}`,
].join(' or ');

/** One table row per cluster, the worst first. */
export const clusters = row('Clusters', 24, [
  table(
    'Clusters',
    'Current state of each cluster, the worst first. Unhealthy: a critical alert is firing or a partition has no online replica. Degraded: a warning is firing, a node fails its health check or an instance is not online. Unknown: a node or the services are not observed, or graphwarden stopped reporting the cluster within the last six hours. A dash is a number that is not known for all nodes. Click a row to open its cluster.',
    [
      column(state, 'State', { valueMappings: states }),
      column(firing(), 'Firing alerts', bad),
      column(lost, 'Lost partitions', bad),
      column(badOrComplete(down, '> 0', nodesWithout(up), 'cluster_name'), 'Nodes down', bad),
      column(notOnline, 'Instances not online', bad),
      column(`${by} (${running}) unless ${unlisted}`, 'Running queries'),
      column(`${by} (${deduplicated('graphdb_queries_delayed')}) unless ${unlisted}`, 'Waiting queries'),
      column(badOrComplete(overdue, '> 0', nodesWithout(running), 'cluster_name'), 'Overdue queries', questionable),
      column(`${by} (${deduplicated('graphwarden_alerts_silenced', ofCluster)})`, 'Silenced alerts'),
      column(
        `${by} (${deduplicated('graphwarden_alerts_unrouted', ofCluster)})`,
        'Alerts without receiver',
        questionable,
      ),
    ],
    { height: 9, opens: ['cluster'], sortedBy: 'State', rules: ['query_overdue'] },
  ),
]);

/** One curve per cluster. */
export const clusterTrends = collapsedRow('Clusters over time', 8, [
  timeseries(
    'Share of nodes that are up',
    'Nodes that pass the health check, of all monitored nodes.',
    query(`avg by (cluster_name) (${deduplicated('graphdb_up')})`, cluster),
    { unit: 'percentunit', opens: ['cluster'], scale: { min: 0, max: 1 }, lowIsBad: true, rules: ['node_unreachable'] },
  ),
  timeseries(
    'Share of service instances online',
    'Instances with the status Online, of all observed instances.',
    query(`avg by (cluster_name) (${deduplicated('graphdb_service_status_code')} == bool ${online})`, cluster),
    {
      unit: 'percentunit',
      opens: ['cluster'],
      scale: { min: 0, max: 1 },
      lowIsBad: true,
      rules: ['service_not_online'],
    },
  ),
  timeseries(
    'Running queries by cluster',
    'Queries in the process lists of the nodes of each cluster.',
    query(`${by} (${deduplicated('graphdb_queries_running')})`, cluster),
    { opens: ['cluster'] },
  ),
]);
