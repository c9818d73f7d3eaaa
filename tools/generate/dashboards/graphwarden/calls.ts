import { collapsedRow, heatmap, query, queryWithExemplars, timeseries } from '../panels.ts';
import { average, increase, rate, selector } from '../promql.ts';

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
  timeseries(
    'Token requests',
    'Requests for tokens by outcome. A token is renewed after four fifths of its lifetime; the server rejects the secret of refused requests.',
    query(`sum by (cluster_name, outcome) (${increase('graphwarden_token_requests_total')})`, outcome),
    {
      emptyWhenHealthy: 'only a cluster with a secret in its credentials needs tokens',
      rules: ['token_expiring', 'auth_failed'],
    },
  ),
]);
