import { query, queryWithExemplars, row, timeseries } from '../panels.ts';
import { quantile, rate } from '../promql.ts';

const family = 'graphwarden_call_duration_seconds';
const call = '{{cluster_name}} {{call}}';

/** Requests to the servers. */
export const calls = row('Requests', 12, [
  timeseries(
    'Duration of requests',
    '99th percentile of the duration of requests to the servers. Points are traces of single polls.',
    queryWithExemplars(quantile(0.99, family, 'cluster_name', 'call'), call),
    { unit: 's' },
  ),
  timeseries(
    'Requests',
    'Completed requests per second, by request and outcome.',
    query(`sum by (cluster_name, call, outcome) (${rate(`${family}_count`)})`, `${call} {{outcome}}`),
    { unit: 'reqps', stacked: true },
  ),
]);
