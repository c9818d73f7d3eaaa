import { collapsedRow, heatmap, query, queryWithExemplars, timeseries } from '../panels.ts';
import { average, rate, selector } from '../promql.ts';

const family = 'graphwarden_call_duration_seconds';
const call = '{{cluster_name}} {{call}}';

/** Requests to the servers. */
export const calls = collapsedRow('Requests', 8, [
  heatmap(
    'Distribution of request durations',
    'Number of requests to the servers, by duration. Points are traces of single polls.',
    queryWithExemplars(`sum by (le) (increase(${selector(`${family}_bucket`)}[$__rate_interval]))`, '{{le}}'),
  ),
  timeseries(
    'Average duration of requests',
    'Average duration of requests to the servers, by request.',
    query(average(family, 'cluster_name', 'call'), call),
    { unit: 's' },
  ),
  timeseries(
    'Requests',
    'Completed requests per second, by request and outcome.',
    query(`sum by (cluster_name, call, outcome) (${rate(`${family}_count`)})`, `${call} {{outcome}}`),
    { unit: 'reqps', stacked: true },
  ),
]);
