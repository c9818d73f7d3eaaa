import type { RowDefinition } from '../definition.ts';
import { quantile, rate, series } from '../series.ts';

const family = 'graphdb_long_query_duration_seconds';
const most = 15;
const place = '{{cluster_name}} {{graph}}';
const by = ['cluster_name', 'graph'] as const;

/** How long queries ran, as the lists told; what came and went between two lists is not among them. */
export const durations: RowDefinition = {
  title: 'Durations',
  panels: [
    {
      look: 'timeseries',
      title: 'Duration of queries',
      description:
        'Median and 99th percentile of how long queries ran that were seen in a list. Points are traces of single queries.',
      unit: 's',
      width: 12,
      queries: [
        { expr: quantile(0.5, family, ...by), legend: `${place} median`, exemplar: true },
        { expr: quantile(0.99, family, ...by), legend: `${place} p99`, exemplar: true },
      ],
      scale: { min: 0 },
    },
    {
      look: 'heatmap',
      title: 'Spread of durations',
      description: 'How many queries ended after how long: two bands are two kinds of queries.',
      unit: 's',
      width: 12,
      queries: [
        {
          expr: `sum by (le) (increase(${series(`${family}_bucket`)}[$__rate_interval]))`,
          legend: '{{le}}',
          exemplar: true,
        },
      ],
    },
    {
      look: 'timeseries',
      title: 'Queries that ended',
      description:
        'Queries that were seen in a list and are gone, in a second, by how they ended: by themselves, out of time, aborted, or lost with their node.',
      unit: 'ops',
      width: 8,
      queries: [
        {
          expr: `sum by (cluster_name, node, outcome) (${rate(`${family}_count`)})`,
          legend: '{{cluster_name}} {{node}} {{outcome}}',
        },
      ],
      stacked: true,
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Slowest queries',
      description: `99th percentile of the durations of the ${most} slowest queries, by name; \`other\` are those that were never seen at ten seconds, or have no name for want of room.`,
      unit: 's',
      width: 8,
      queries: [
        {
          expr: `topk(${most}, ${quantile(0.99, family, ...by, 'query')} > 0)`,
          legend: `${place} {{query}}`,
          exemplar: true,
        },
      ],
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Average duration',
      description: 'Average of how long queries ran that were seen in a list.',
      unit: 's',
      width: 8,
      queries: [
        {
          expr: `sum by (${by.join(', ')}) (${rate(`${family}_sum`)}) / (sum by (${by.join(', ')}) (${rate(`${family}_count`)}) > 0)`,
          legend: place,
        },
      ],
      scale: { min: 0 },
    },
  ],
};
