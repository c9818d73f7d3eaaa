import type { RowDefinition } from '../definition.ts';
import { quantile, rate } from '../series.ts';

const family = 'graphwarden_call_duration_seconds';

/** What is asked of nodes, and how they answer. */
export const calls: RowDefinition = {
  title: 'Calls',
  panels: [
    {
      look: 'timeseries',
      title: 'Duration of calls',
      description:
        '99th percentile of how long calls to nodes took, from wanting a connection to the last byte. Points are traces of single calls.',
      unit: 's',
      width: 12,
      queries: [
        {
          expr: quantile(0.99, family, 'cluster_name', 'call'),
          legend: '{{cluster_name}} {{call}}',
          exemplar: true,
        },
      ],
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Calls',
      description: 'Calls to each node in a second, by what came of them: this is the load that watching brings.',
      unit: 'reqps',
      width: 12,
      queries: [
        {
          expr: `sum by (cluster_name, node, outcome) (${rate(`${family}_count`)})`,
          legend: '{{cluster_name}} {{node}} {{outcome}}',
        },
      ],
      stacked: true,
      scale: { min: 0 },
    },
  ],
};
