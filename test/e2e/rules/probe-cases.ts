import type { RuleCase, SeriesSet } from './rule-case.ts';
import { here } from './service-cases.ts';

const onNode = 'cluster_name="prod",node="m1",probe="ring"';
const ofCluster = 'cluster_name="prod",node="",probe="ring"';
const success = (of: string): string => `graphdb_probe_success{${of}}`;
const limit = `graphdb_probe_duration_limit_seconds{${onNode}}`;
const duration = `graphdb_probe_duration_seconds{${onNode}}`;

/** Probe whose last run failed, and succeeded last so many seconds before; it runs at an interval in seconds. */
function failing(every: number, after: number): SeriesSet {
  return {
    [success(onNode)]: 0,
    [`graphdb_probe_last_run_timestamp_seconds{${onNode}}`]: { ago: 0 },
    [`graphdb_probe_last_success_timestamp_seconds{${onNode}}`]: { ago: after },
    'graphwarden_collector_configured_interval_seconds{cluster_name="prod",node="m1",collector="probe_ring"}': every,
    graphwarden_config_last_reload_success_timestamp_seconds: { ago: 7200 },
  };
}

/** The same without a successful run since the start. */
function neverSucceeded(every: number, after: number): SeriesSet {
  return {
    ...failing(every, after),
    [`graphdb_probe_last_success_timestamp_seconds{${onNode}}`]: 0,
    graphwarden_config_last_reload_success_timestamp_seconds: { ago: after },
  };
}

const failed = { alert: 'GraphdbProbeFailed', tooShort: 1.75, firesWithin: 3, resolvesWithin: 3 } as const;

/** What can be wrong with probes. */
export const probeCases: readonly RuleCase[] = [
  {
    ...failed,
    labels: { severity: 'critical', cluster_name: 'prod', node: 'm1', probe: 'ring', ...here },
    healthy: { [success(onNode)]: 1 },
    bad: { [success(onNode)]: 0 },
    nearMiss: { [success(onNode)]: 1, [`graphdb_probe_failing{${onNode},reason="count"}`]: 1 },
  },
  {
    ...failed,
    labels: { severity: 'critical', cluster_name: 'prod', probe: 'ring', ...here },
    healthy: { [success(ofCluster)]: 1 },
    bad: { [success(ofCluster)]: 0 },
    nearMiss: { [success(ofCluster)]: 1 },
  },
  // One failed run of a probe with a long interval is shown until the next one.
  ...[failing, neverSucceeded].map((run) => ({
    ...failed,
    labels: { severity: 'critical', cluster_name: 'prod', node: 'm1', probe: 'ring', ...here },
    healthy: { [success(onNode)]: 1 },
    bad: run(600, 1200),
    nearMiss: run(600, 600),
  })),
  {
    ...failed,
    labels: { severity: 'critical', cluster_name: 'prod', node: 'm1', probe: 'ring', ...here },
    healthy: { [success(onNode)]: 1 },
    bad: failing(60, 60),
    nearMiss: { ...failing(60, 60), [success(onNode)]: 1 },
  },
  {
    alert: 'GraphdbProbeSlow',
    labels: { severity: 'warning', cluster_name: 'prod', node: 'm1', probe: 'ring', ...here },
    healthy: { [limit]: 1, [duration]: 0.1 },
    bad: { [limit]: 1, [duration]: 0.81 },
    nearMiss: { [limit]: 1, [duration]: 0.79 },
    tooShort: 4.5,
    firesWithin: 7,
    resolvesWithin: 3,
  },
];
