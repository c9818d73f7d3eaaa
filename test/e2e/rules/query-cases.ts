import { blip, type RuleCase, type SeriesScene } from './rule-case.ts';
import { here } from './service-cases.ts';

const query = 'cluster_name="prod",node="m1",graph="fraud",query="ring_scan"';
const endpoint = 'cluster_name="prod",node="m1",graph="fraud",method="GET",path="/query/fraud/ring_scan"';
const overdue = `graphdb_queries_overdue{${query}}`;
const check = 'cluster_name="prod",check="data_consistency",graph="fraud",partition="1",engine="GPE"';
const passed = `graphdb_check_passed{${check}}`;
const lastRun = `graphdb_check_last_run_timestamp_seconds{${check}}`;
const day = 86_400;

function waiting(fraud: number, others: number, oldest: number): SeriesScene {
  const on = 'cluster_name="prod",node="m1"';
  return {
    [`graphdb_queries_delayed{${on},graph="fraud"}`]: fraud,
    [`graphdb_queries_delayed{${on},graph="others"}`]: others,
    [`graphdb_delayed_query_oldest_age_seconds{${on},graph="fraud"}`]: oldest,
    [`graphdb_delayed_query_oldest_age_seconds{${on},graph="others"}`]: 0,
  };
}

function requests(completed: number, timeouts: number): SeriesScene {
  return {
    [`graphdb_endpoint_window_requests{${endpoint},outcome="completed"}`]: completed,
    [`graphdb_endpoint_window_requests{${endpoint},outcome="timeout"}`]: timeouts,
  };
}

const pressure = {
  alert: 'GraphdbDelayQueuePressure',
  labels: { severity: 'warning', cluster_name: 'prod', node: 'm1', ...here },
  well: waiting(0, 0, 0),
  tooShort: 0.75,
  firesWithin: 2,
  resolvesWithin: 3,
} as const;

const late = {
  alert: 'GraphdbEndpointTimeouts',
  labels: {
    severity: 'warning',
    cluster_name: 'prod',
    node: 'm1',
    graph: 'fraud',
    method: 'GET',
    path: '/query/fraud/ring_scan',
    ...here,
  },
  well: requests(100, 0),
  tooShort: 1.75,
  firesWithin: 3,
  resolvesWithin: 3,
} as const;

const checked = { severity: 'critical', cluster_name: 'prod', check: 'data_consistency', graph: 'fraud' };

/** What can be wrong with queries, and with the data. */
export const queryCases: readonly RuleCase[] = [
  {
    alert: 'GraphdbQueryOverdue',
    labels: { severity: 'warning', cluster_name: 'prod', node: 'm1', graph: 'fraud', query: 'ring_scan', ...here },
    well: { [overdue]: 0 },
    bad: { [overdue]: 1 },
    near: { [overdue]: blip(4, 1, 0) },
    firesWithin: 2,
    resolvesWithin: 2,
  },
  { ...pressure, bad: waiting(8, 7, 5), near: waiting(8, 6, 5) },
  { ...pressure, bad: waiting(1, 0, 17), near: waiting(1, 0, 15) },
  // 6 %, and 4 %.
  { ...late, bad: requests(94, 6), near: requests(96, 4) },
  // Of 21 requests, and of 19.
  { ...late, bad: requests(19, 2), near: requests(17, 2) },
  {
    alert: 'GraphdbCheckFailed',
    labels: { ...checked, partition: '1', engine: 'GPE', ...here },
    well: { [passed]: 1 },
    bad: { [passed]: 0 },
    near: { [passed]: 1, [`graphdb_check_unsynced_entries{${check}}`]: 3 },
    firesWithin: 1,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbCheckOverdue',
    labels: { severity: 'warning', cluster_name: 'prod', ...here },
    well: { [lastRun]: { ago: day } },
    bad: { [lastRun]: { ago: 8.1 * day } },
    near: { [lastRun]: { ago: 7.9 * day } },
    firesWithin: 1,
    resolvesWithin: 2,
  },
];
