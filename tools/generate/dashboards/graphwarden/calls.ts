import { collapsedRow, heatmap, query, queryWithExemplars, timeseries } from '../panels.ts';
import { average, rate, selector } from '../promql.ts';

const family = 'graphwarden_call_duration_seconds';
const outcome = '{{cluster_name}} {{outcome}}';

/** Requests to the servers. */
export const calls = collapsedRow('Requests', 8, [
  heatmap(
    'Distribution of request durations',
    'Number of requests to the servers, by duration. Points are traces of single polls.',
    queryWithExemplars(`sum by (le) (increase(${selector(`${family}_bucket`)}[$__rate_interval]))`, '{{le}}'),
  ),
  timeseries(
    'Average duration of requests',
    'Average duration of requests to the servers, by outcome. The row of the collectors shows which of them is slow.',
    query(average(family, 'cluster_name', 'outcome'), outcome),
    { unit: 's' },
  ),
  timeseries(
    'Requests',
    'Completed requests per second, by outcome.',
    query(`sum by (cluster_name, outcome) (${rate(`${family}_count`)})`, outcome),
    { unit: 'reqps', stacked: true },
  ),
]);
