import { collapsedRow, greenBelow, query, timeseries } from '../panels.ts';
import { deduplicated } from '../promql.ts';
import { threshold } from '../thresholds.ts';

const latency = 'graphdb_endpoint_latency';
const most = 15;
const endpoint = '{{cluster_name}} {{graph}} {{method}} {{path}}';
const by = 'by (cluster_name, graph, method, path)';
const ofNode = 'by (cluster_name, node)';

function requests(...where: readonly string[]): string {
  return `sum ${by} (${deduplicated('graphdb_endpoint_recent_requests', ...where)})`;
}

/** Requests of clients, from the statistics of the server over the last minute. */
export const endpoints = collapsedRow('Endpoints', 12, [
  timeseries(
    'Share of timeouts',
    'Share of the requests to an endpoint that timed out in the last minute. Above the line the alert fires.',
    query(`topk(${most}, ${requests('outcome="timeout"')} / (${requests()} > 0))`, endpoint),
    {
      unit: 'percentunit',
      steps: greenBelow(threshold('endpoint_timeouts', 'share'), 'red'),
      rules: ['endpoint_timeouts'],
    },
  ),
  timeseries(
    'Requests',
    `Completed requests per second of the ${most} endpoints with the most requests.`,
    query(`topk(${most}, sum ${by} (${deduplicated('graphdb_endpoint_requests_per_second')}))`, endpoint),
    { unit: 'reqps' },
  ),
  timeseries(
    'Latency, 99th percentile',
    `Highest value of all nodes, for the ${most} slowest endpoints. The server reports upper bounds of its buckets, so the value can exceed the maximum.`,
    query(`topk(${most}, max ${by} (${deduplicated(`${latency}_seconds`, 'quantile="0.99"')}))`, endpoint),
    { unit: 's' },
  ),
  timeseries(
    'Latency, average',
    `Average latency of the last minute on the slowest node, for the ${most} slowest endpoints.`,
    query(`topk(${most}, max ${by} (${deduplicated(`${latency}_average_seconds`)}))`, endpoint),
    { unit: 's' },
  ),
  timeseries(
    'Latency, shortest and longest',
    'Shortest and longest latency of the last minute on each node, over all endpoints.',
    [
      query(`max ${ofNode} (${deduplicated(`${latency}_max_seconds`)})`, '{{cluster_name}} {{node}} longest'),
      query(`min ${ofNode} (${deduplicated(`${latency}_min_seconds`)})`, '{{cluster_name}} {{node}} shortest'),
    ],
    { unit: 's' },
  ),
]);
