import type { RowDefinition } from '../definition.ts';
import { quantile, rate } from '../series.ts';

const family = 'graphwarden_call_duration_seconds';
const call = '{{cluster_name}} {{call}}';

/** How the servers answer what we ask. */
export const calls: RowDefinition = {
  title: 'Calls',
  panels: [
    {
      look: 'timeseries',
      title: 'Duration of calls',
      description: '99th percentile of how long our calls took. Points are traces of single readings.',
      unit: 's',
      width: 12,
      queries: [{ expr: quantile(0.99, family, 'cluster_name', 'call'), legend: call, exemplar: true }],
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Calls',
      description: 'Calls that ended, by call and by how they ended, in a second.',
      unit: 'reqps',
      width: 12,
      queries: [
        {
          expr: `sum by (cluster_name, call, outcome) (${rate(`${family}_count`)})`,
          legend: `${call} {{outcome}}`,
        },
      ],
      stacked: true,
      scale: { min: 0 },
    },
  ],
};
