import type { RowDefinition } from '../definition.ts';
import { onlineReplicas } from '../partition-series.ts';
import { facts } from '../series.ts';
import { online } from '../states.ts';

const by = 'sum by (cluster_name)';

/** One line and one curve for each cluster. */
export const clusters: RowDefinition = {
  title: 'Clusters',
  panels: [
    {
      look: 'table',
      title: 'Clusters',
      description: 'How each cluster is now. A click on a row opens its cluster.',
      unit: 'short',
      width: 24,
      opens: 'cluster',
      height: 7,
      queries: [
        { expr: `${by} (${facts('graphwarden_cluster_nodes')})`, legend: 'Nodes' },
        { expr: `${by} (${facts('graphdb_up')})`, legend: 'Nodes that answer' },
        { expr: `${by} (${facts('graphdb_service_status_code')} != bool ${online})`, legend: 'Instances not online' },
        {
          expr: `${by} (${onlineReplicas} == bool 0)`,
          legend: 'Partitions without a replica online',
        },
        { expr: `${by} (${facts('graphdb_queries_running')})`, legend: 'Queries that run' },
        { expr: `${by} (${facts('graphdb_queries_delayed')})`, legend: 'Queries that wait' },
        { expr: `${by} (${facts('graphwarden_alerts_firing', 'rule!="watchdog"')})`, legend: 'Alerts that fire' },
        { expr: `${by} (${facts('graphwarden_alerts_silenced')})`, legend: 'Alerts nobody is told of' },
      ],
    },
    {
      look: 'timeseries',
      title: 'Share of nodes that answer',
      description: 'Nodes that answer the liveness call, of all that are watched.',
      unit: 'percentunit',
      width: 8,
      opens: 'cluster',
      queries: [{ expr: `avg by (cluster_name) (${facts('graphdb_up')})`, legend: '{{cluster_name}}' }],
      scale: { min: 0, max: 1 },
      rules: ['node_unreachable'],
    },
    {
      look: 'timeseries',
      title: 'Share of service instances online',
      description: 'Instances whose status is Online, of all that are observed.',
      unit: 'percentunit',
      width: 8,
      opens: 'cluster',
      queries: [
        {
          expr: `avg by (cluster_name) (${facts('graphdb_service_status', 'status="Online"')})`,
          legend: '{{cluster_name}}',
        },
      ],
      scale: { min: 0, max: 1 },
      rules: ['service_not_online'],
    },
    {
      look: 'timeseries',
      title: 'Queries that run, by cluster',
      description: 'Queries in the process lists of the nodes of each cluster.',
      unit: 'short',
      width: 8,
      opens: 'cluster',
      queries: [{ expr: `${by} (${facts('graphdb_queries_running')})`, legend: '{{cluster_name}}' }],
      scale: { min: 0 },
    },
  ],
};
