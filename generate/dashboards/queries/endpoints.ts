import type { RowDefinition } from '../definition.ts';
import { facts } from '../series.ts';
import { threshold } from '../thresholds.ts';

const window = 'graphdb_endpoint_window_requests';
const latency = 'graphdb_endpoint_latency';
const most = 15;
const endpoint = '{{cluster_name}} {{graph}} {{method}} {{path}}';
const by = 'by (cluster_name, graph, method, path)';
const asked = (...where: readonly string[]): string => `sum ${by} (${facts(window, ...where)})`;

/** What clients ask for and how they are served; the statistics of the server, over the last minute. */
export const endpoints: RowDefinition = {
  title: 'Endpoints',
  panels: [
    {
      look: 'timeseries',
      title: 'Share of time-outs',
      description:
        'Requests of the last minute that ran out of time, of all to an endpoint; the alert goes by the line.',
      unit: 'percentunit',
      width: 12,
      queries: [
        {
          expr: `topk(${most}, ${asked('outcome="timeout"')} / (${asked()} > 0))`,
          legend: endpoint,
        },
      ],
      steps: [
        { from: 0, color: 'green' },
        { from: threshold('endpoint_timeouts', 'share'), color: 'red' },
      ],
      scale: { min: 0 },
      rules: ['endpoint_timeouts'],
    },
    {
      look: 'timeseries',
      title: 'Requests',
      description: `Completed requests in a second, of the ${most} endpoints that are asked most.`,
      unit: 'reqps',
      width: 12,
      queries: [
        {
          expr: `topk(${most}, sum ${by} (${facts('graphdb_endpoint_requests_per_second')}))`,
          legend: endpoint,
        },
      ],
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Latency, 99th percentile',
      description: `Slowest of the nodes, of the ${most} slowest endpoints. The server tells upper bounds of its buckets: it may exceed the maximum.`,
      unit: 's',
      width: 12,
      queries: [
        {
          expr: `topk(${most}, max ${by} (${facts(`${latency}_seconds`, 'quantile="0.99"')}))`,
          legend: endpoint,
        },
      ],
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Latency, average',
      description: `Average latency of the last minute on the slowest node, of the ${most} slowest endpoints.`,
      unit: 's',
      width: 12,
      queries: [{ expr: `topk(${most}, max ${by} (${facts(`${latency}_average_seconds`)}))`, legend: endpoint }],
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Latency, shortest and longest',
      description: 'Shortest and longest latency of the last minute on each node, over all endpoints.',
      unit: 's',
      width: 12,
      queries: [
        {
          expr: `max by (cluster_name, node) (${facts(`${latency}_max_seconds`)})`,
          legend: '{{cluster_name}} {{node}} longest',
        },
        {
          expr: `min by (cluster_name, node) (${facts(`${latency}_min_seconds`)})`,
          legend: '{{cluster_name}} {{node}} shortest',
        },
      ],
      scale: { min: 0 },
    },
  ],
};
