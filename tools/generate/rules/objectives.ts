import type { Dashboard } from '../../../src/alert/rule.ts';
import { servingReplicasQuery } from '../../../src/alert/rules/replicated-partitions.ts';
import type { Severity } from '../../../src/model/alert.ts';
import { aggregatePerSubject } from './aggregation.ts';

/** A service level objective, and how Prometheus measures it. */
export interface Objective {
  /** Name in snake case, which is also the anchor in the runbook. */
  readonly name: string;
  /** Dashboard that the alerts link, as for a rule. */
  readonly dashboard?: Dashboard;
  /** Prefix of the recorded error ratios: `PREFIX:error_ratio_WINDOW`. */
  readonly series: string;
  /** Target, as a share from 0 to 1. */
  readonly objective: number;
  /** Labels that distinguish the subjects, besides the labels of the cluster. */
  readonly identity: readonly string[];
  /** Series that are recorded first, because they are cheap to sum over days. */
  readonly inputs: readonly { readonly record: string; readonly expr: string }[];
  /** Returns the error ratio over a window. */
  readonly errorRatio: (window: string) => string;
  /** Input whose first sample shows since when there is data. */
  readonly measured: string;
  /** Returns the condition under which the ratio is not significant, because there are too few requests. */
  readonly unless?: (window: string) => string;
  readonly summary: string;
  /** What the error ratio is a share of; the text follows the ratio. */
  readonly failure: string;
}

/** A pair of windows that must both exceed the burn rate: the long one for significance, the short one for recency. */
export interface BurnRate {
  readonly long: string;
  readonly short: string;
  /** Burn rate relative to the error budget of 30 days. */
  readonly factor: number;
  readonly severity: Severity;
  readonly for: string;
}

/** The four burn rates of the Google SRE workbook. */
export const burnRates: readonly BurnRate[] = [
  { long: '1h', short: '5m', factor: 14.4, severity: 'critical', for: '2m' },
  { long: '6h', short: '30m', factor: 6, severity: 'critical', for: '15m' },
  { long: '1d', short: '2h', factor: 3, severity: 'warning', for: '1h' },
  { long: '3d', short: '6h', factor: 1, severity: 'warning', for: '3h' },
];

/** All recorded windows. */
export const recordedWindows: readonly string[] = [...new Set(burnRates.flatMap(({ short, long }) => [short, long]))];

const requests = 'graphdb_endpoint_recent_requests';
const endpoint = ['node', 'graph', 'method', 'path'];
const completedRequests = 'cluster_name:graphdb_endpoint_requests_per_minute:sum';
const timedOutRequests = 'cluster_name:graphdb_endpoint_timeouts_per_minute:sum';
const available = 'partition:graphdb_partition_available:max';

/** 1 while a partition answers queries, otherwise 0. */
const online = `(${servingReplicasQuery}) > bool 0`;

/** Number of requests in the long window below which the error ratio is not significant. */
const minRequests = 100;

/**
 * The objectives. The server reports gauges for its endpoints: the completed and timed-out requests of the 60 seconds
 * before each poll. They are not counters, so `rate` does not apply. The sum of all samples of timed-out requests in a
 * window, divided by the sum of all requests, is still the exact ratio: each minute has the weight of its requests,
 * for any scrape interval, and missing samples have no weight. With less than one scrape per minute it is an estimate.
 */
export const objectives: readonly Objective[] = [
  {
    name: 'endpoint_success_burning',
    dashboard: 'queries',
    series: 'cluster_name:graphdb_endpoint',
    objective: 0.999,
    identity: [],
    measured: completedRequests,
    inputs: [
      { record: completedRequests, expr: perCluster(requests) },
      { record: timedOutRequests, expr: perCluster(`${requests}{outcome="timeout"}`) },
    ],
    errorRatio: (window) =>
      `sum_over_time(${timedOutRequests}[${window}]) / sum_over_time(${completedRequests}[${window}])`,
    // One sample per minute, because further samples repeat the same requests. A minute without a sample counts as 0.
    // Over days, one minute of ten is enough for an estimate, and costs a tenth.
    unless: (window) =>
      window.endsWith('d')
        ? `10 * sum_over_time(${completedRequests}[${window}:10m]) < ${minRequests}`
        : `sum_over_time(${completedRequests}[${window}:1m]) < ${minRequests}`,
    summary: 'Too many requests to {{ $labels.cluster_name }} time out',
    failure: 'of its requests timed out',
  },
  {
    name: 'partition_availability_burning',
    series: 'partition:graphdb_partition',
    objective: 0.999,
    identity: ['service_name', 'partition'],
    measured: available,
    inputs: [{ record: available, expr: aggregatePerSubject(online, ['service_name', 'partition']) }],
    errorRatio: (window) => `1 - avg_over_time(${available}[${window}])`,
    summary:
      '{{ $labels.service_name }}_{{ $labels.partition }} of {{ $labels.cluster_name }} is unavailable too often',
    failure: 'of the time it had no online replica',
  },
];

/**
 * Counts requests that several instances report once, and sums all endpoints and nodes. A successful poll without
 * endpoints is a minute without requests, not a gap.
 */
function perCluster(selector: string): string {
  const seen = `sum without (${endpoint.join(', ')}, outcome) (${aggregatePerSubject(selector, [...endpoint, 'outcome'])})`;
  return `${seen} or 0 * ${aggregatePerSubject('graphwarden_collector_success{collector="statistics"} == 1', [])}`;
}
