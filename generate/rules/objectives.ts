import { onePerThing } from './aggregation.ts';
import type { Objective } from './slo.ts';

const requests = 'graphdb_endpoint_window_requests';
const endpoint = ['node', 'graph', 'method', 'path'];
const answered = 'cluster_name:graphdb_endpoint_requests_per_minute:sum';
const late = 'cluster_name:graphdb_endpoint_timeouts_per_minute:sum';
const available = 'partition:graphdb_partition_available:max';

/** Where replicas have no numbers the partition is the number of a host, whose loss is another matter. */
const online =
  'graphdb_partition_online_replicas > bool 0 and on (cluster_name, service_name) graphdb_service_transitions_total{replica!=""}';

/** Requests in the long window below which a share of them says nothing. */
const leastRequests = 100;

/**
 * The objectives. What the server tells of its endpoints are gauges: the requests of the sixty seconds before each
 * reading, in two heaps. They are no counters, so there is no rate of them. But the sum of all readings in a window,
 * late ones by all, is a true share: every minute weighs as much as it had requests, however often it is scraped, and
 * what was not seen weighs nothing. Scraped less than once a minute it is a sample of the minutes.
 */
export const objectives: readonly Objective[] = [
  {
    name: 'endpoint_success_burning',
    like: 'endpoint_timeouts',
    series: 'cluster_name:graphdb_endpoint',
    objective: 0.999,
    identity: [],
    inputs: [
      { record: answered, expr: perCluster(requests) },
      { record: late, expr: perCluster(`${requests}{outcome="timeout"}`) },
    ],
    errorRatio: (window) => `sum_over_time(${late}[${window}]) / sum_over_time(${answered}[${window}])`,
    // Of each minute one reading, for many of the same minute are no more requests. A minute that was not seen counts none.
    unless: (window) => `sum_over_time(${answered}[${window}:1m]) < ${leastRequests}`,
    summary: 'Too many requests to {{ $labels.cluster_name }} run out of time',
    failure: 'of its requests ran out of time',
  },
  {
    name: 'partition_availability_burning',
    like: 'partition_without_online_replica',
    series: 'partition:graphdb_partition',
    objective: 0.999,
    identity: ['service_name', 'partition'],
    inputs: [{ record: available, expr: onePerThing(online, ['service_name', 'partition']) }],
    errorRatio: (window) => `1 - avg_over_time(${available}[${window}])`,
    summary: '{{ $labels.service_name }}_{{ $labels.partition }} of {{ $labels.cluster_name }} is away too often',
    failure: 'of the time it had no replica online',
  },
];

/**
 * Several graphwardens see the same requests: they count once. Then all endpoints and nodes are added up. What was read
 * and lists nobody is a minute without requests, and no gap.
 */
function perCluster(selector: string): string {
  const seen = `sum without (${endpoint.join(', ')}, outcome) (${onePerThing(selector, [...endpoint, 'outcome'])})`;
  return `${seen} or 0 * ${onePerThing('graphwarden_collector_success{collector="statistics"} == 1', [])}`;
}
