import type { RowDefinition } from '../definition.ts';
import { facts } from '../series.ts';
import { threshold } from '../thresholds.ts';

const place = '{{cluster_name}} {{node}} {{graph}}';

/** What runs and what waits, on which node. */
export const load: RowDefinition = {
  title: 'Running and waiting',
  panels: [
    {
      look: 'timeseries',
      title: 'Queries that run',
      description: 'Queries in the process list of each node.',
      unit: 'short',
      width: 12,
      queries: [{ expr: facts('graphdb_queries_running'), legend: place }],
      stacked: true,
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Queries that wait',
      description: 'Queries in the delay queue of each node; the alert warns at the line.',
      unit: 'short',
      width: 12,
      queries: [
        {
          expr: `sum by (cluster_name, node) (${facts('graphdb_queries_delayed')})`,
          legend: '{{cluster_name}} {{node}}',
        },
      ],
      steps: [
        { from: 0, color: 'green' },
        { from: threshold('delay_queue_pressure', 'waiting'), color: 'orange' },
      ],
      scale: { min: 0 },
      rules: ['delay_queue_pressure'],
    },
    {
      look: 'timeseries',
      title: 'Oldest query that runs',
      description: 'Age of the longest running query of each node and graph; 0 without a query.',
      unit: 's',
      width: 12,
      queries: [{ expr: facts('graphdb_query_oldest_age_seconds'), legend: place }],
      scale: { min: 0 },
      rules: ['query_overdue'],
    },
    {
      look: 'timeseries',
      title: 'Longest wait',
      description:
        'Longest time that a query has waited in the delay queue; at the line it has used up the usual time-out.',
      unit: 's',
      width: 12,
      queries: [{ expr: facts('graphdb_delayed_query_oldest_age_seconds'), legend: place }],
      steps: [
        { from: 0, color: 'green' },
        { from: threshold('delay_queue_pressure', 'longest_wait'), color: 'orange' },
      ],
      scale: { min: 0 },
      rules: ['delay_queue_pressure'],
    },
    {
      look: 'timeseries',
      title: 'Queries past their time-out',
      description: 'Queries that run although the time that they were granted is over, by name.',
      unit: 'short',
      width: 24,
      queries: [{ expr: `${facts('graphdb_queries_overdue')} > 0`, legend: `${place} {{query}}` }],
      emptyWhenHealthy: 'no query is past its time-out',
      scale: { min: 0 },
      rules: ['query_overdue'],
    },
  ],
};
