import type { RowDefinition } from '../definition.ts';
import { facts, increase } from '../series.ts';
import { threshold } from '../thresholds.ts';

const collector = '{{cluster_name}} {{collector}}';

/** What readings bring, and by which ways. */
export const sources: RowDefinition = {
  title: 'Series and sources',
  panels: [
    {
      look: 'timeseries',
      title: 'Series',
      description: 'Series that the last readings of each collector put on the page.',
      unit: 'short',
      width: 6,
      queries: [
        {
          expr: `sum by (cluster_name, collector) (${facts('graphwarden_collector_series')})`,
          legend: '{{cluster_name}} {{collector}}',
        },
      ],
      stacked: true,
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Series dropped',
      description: 'Series that are not shown: over a cap, invalid, twice, of a second type, or under a reserved name.',
      unit: 'short',
      width: 6,
      queries: [
        {
          expr: `sum by (cluster_name, collector) (${increase('graphwarden_collector_series_dropped_total')}) > 0`,
          legend: collector,
        },
      ],
      emptyWhenHealthy: 'no series is dropped',
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Own series missing',
      description:
        'Series of calls, queries over time, the guard, the tracker and alerts that are not on the page: over a cap, or twice there.',
      unit: 'short',
      width: 6,
      queries: [{ expr: facts('graphwarden_page_series_missing'), legend: '{{instance}}' }],
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Sources that failed',
      description:
        'Nodes that failed to give a fact of the whole cluster, by reason, also where another node then gave it.',
      unit: 'short',
      width: 6,
      queries: [
        {
          expr: `sum by (cluster_name, collector, reason) (${increase('graphwarden_collector_source_failures_total')}) > 0`,
          legend: `${collector} {{reason}}`,
        },
      ],
      emptyWhenHealthy: 'every source answers',
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Sources switched',
      description: 'How often another node than before gave the facts of the whole cluster.',
      unit: 'short',
      width: 8,
      queries: [
        { expr: increase('graphwarden_collector_source_switches_total'), legend: '{{cluster_name}} {{collector}}' },
      ],
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Connections to nodes',
      description: 'Connections that are open to each node; there are never more than four.',
      unit: 'short',
      width: 8,
      queries: [{ expr: facts('graphwarden_node_sockets'), legend: '{{cluster_name}} {{node}}' }],
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Tokens expire in',
      description: 'Time until the token in use for a node expires; below the line it should have been renewed.',
      unit: 's',
      width: 8,
      queries: [
        {
          expr: `${facts('graphwarden_token_expiration_timestamp_seconds')} - time()`,
          legend: '{{cluster_name}} {{node}}',
        },
      ],
      emptyWhenHealthy: 'no token that expires is used',
      steps: [
        { from: 0, color: 'red' },
        { from: threshold('token_expiring', 'within'), color: 'green' },
      ],
      rules: ['token_expiring'],
    },
  ],
};
