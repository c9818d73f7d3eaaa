import { type RuleCase, type SeriesSet, shortOutage } from './rule-case.ts';
import { here } from './service-cases.ts';

const query = 'cluster_name="prod",node="m1",graph="fraud",query="ring_scan"';
const endpoint = 'cluster_name="prod",node="m1",graph="fraud",method="GET",path="/query/fraud/ring_scan"';
const overdue = `graphdb_queries_overdue{${query}}`;
const check = 'cluster_name="prod",check="data_consistency",graph="fraud",partition="1",engine="GPE"';
const passed = `graphdb_check_passed{${check}}`;
const day = 86_400;

/** Consistency checks whose last success is at `success`, in a process that started so many seconds ago. */
function checkedAt(success: SeriesSet[string], startedAgo = day): SeriesSet {
  return {
    'graphwarden_collector_last_success_timestamp_seconds{cluster_name="prod",node="",collector="consistency"}':
      success,
    graphwarden_config_last_reload_success_timestamp_seconds: { ago: startedAgo },
  };
}

function waiting(oldest: number): SeriesSet {
  const on = 'cluster_name="prod",node="m1"';
  return {
    [`graphdb_delayed_query_oldest_age_seconds{${on},graph="fraud"}`]: oldest,
    [`graphdb_delayed_query_oldest_age_seconds{${on},graph="others"}`]: 0,
  };
}

function queued(running: number, delayed: number, delayedLimit = 20): SeriesSet {
  const of = 'cluster_name="prod",engine="GPE_1_1",queue="OLTP"';
  return {
    [`graphdb_workload_queue_running_queries{${of}}`]: running,
    [`graphdb_workload_queue_running_limit{${of}}`]: 50,
    [`graphdb_workload_queue_delayed_queries{${of}}`]: delayed,
    [`graphdb_workload_queue_delayed_limit{${of}}`]: delayedLimit,
  };
}

function requests(completed: number, timeouts: number): SeriesSet {
  return {
    [`graphdb_endpoint_recent_requests{${endpoint},outcome="completed"}`]: completed,
    [`graphdb_endpoint_recent_requests{${endpoint},outcome="timeout"}`]: timeouts,
  };
}

const pressure = {
  alert: 'GraphdbDelayQueuePressure',
  tooShort: 0.75,
  firesWithin: 2,
  resolvesWithin: 3,
} as const;

const onNode = { severity: 'warning', cluster_name: 'prod', node: 'm1', ...here } as const;
const ofQueue = { cluster_name: 'prod', engine: 'GPE_1_1', queue: 'OLTP', ...here } as const;

const saturated = {
  ...pressure,
  alert: 'GraphdbQueueSaturated',
  labels: { severity: 'critical', ...ofQueue },
  healthy: queued(3, 0),
  resolvesWithin: 4,
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
  healthy: requests(100, 0),
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
    healthy: { [overdue]: 0 },
    bad: { [overdue]: 1 },
    nearMiss: { [overdue]: shortOutage(4, 1, 0) },
    firesWithin: 2,
    resolvesWithin: 2,
  },
  {
    ...pressure,
    labels: { severity: 'warning', ...ofQueue },
    healthy: queued(3, 0),
    bad: queued(50, 10),
    nearMiss: queued(50, 9),
    unrelated: [queued(50, 10, 200), queued(50, 0, 0)],
  },
  { ...pressure, labels: onNode, healthy: waiting(0), bad: waiting(17), nearMiss: waiting(15) },
  { ...saturated, bad: queued(50, 16), nearMiss: queued(50, 15), unrelated: [queued(49, 20), queued(50, 20, 200)] },
  // 6 %, and 4 %.
  { ...late, bad: requests(94, 6), nearMiss: requests(96, 4) },
  // Of 21 requests, and of 19.
  { ...late, bad: requests(19, 2), nearMiss: requests(17, 2) },
  {
    alert: 'GraphdbCheckFailed',
    labels: { ...checked, partition: '1', engine: 'GPE', ...here },
    healthy: { [passed]: 1 },
    bad: { [passed]: 0 },
    nearMiss: { [passed]: 1, [`graphdb_check_unsynced_entries{${check}}`]: 3 },
    firesWithin: 1,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbCheckOverdue',
    labels: { severity: 'warning', cluster_name: 'prod', ...here },
    healthy: checkedAt({ ago: day }),
    bad: checkedAt({ ago: 8.1 * day }),
    nearMiss: checkedAt({ ago: 7.9 * day }),
    firesWithin: 1,
    resolvesWithin: 2,
  },
  {
    // No check has succeeded since the start, so that no check has a last run.
    alert: 'GraphdbCheckOverdue',
    labels: { severity: 'warning', cluster_name: 'prod', ...here },
    healthy: checkedAt({ ago: day }),
    bad: checkedAt(0, 8.1 * day),
    nearMiss: checkedAt(0, 7.9 * day),
    firesWithin: 1,
    resolvesWithin: 2,
  },
];
