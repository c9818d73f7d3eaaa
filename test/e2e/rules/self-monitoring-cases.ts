import { type RuleCase, type SeriesSet, shortOutage } from './rule-case.ts';
import { here } from './service-cases.ts';

const collector = 'cluster_name="prod",node="m1",collector="queries"';
const collectorOf = { cluster_name: 'prod', node: 'm1', collector: 'queries', ...here };
const success = `graphwarden_collector_success{${collector}}`;
const token = 'graphwarden_token_expiration_timestamp_seconds{cluster_name="prod",node="m1"}';
const owner = 'graphwarden_cluster_owner{cluster_name="prod"}';
const different = 'graphwarden_replicas_different{what="settings"}';
const failing = 'graphwarden_receiver_failing{receiver="oncall"}';

/** An hour before the first scrape. */
const begun: SeriesSet = { graphwarden_config_last_reload_success_timestamp_seconds: -3600 };

/** Collector without a successful poll, in a process that started so many seconds ago. */
function unread(ago: number, reason = 'timeout'): SeriesSet {
  return {
    ...reading(0, 0, reason),
    [`graphwarden_collector_last_success_timestamp_seconds{${collector}}`]: 0,
    graphwarden_config_last_reload_success_timestamp_seconds: { ago },
  };
}

/** Collector whose last poll succeeded or failed for a reason, and whose last success is so many seconds ago. */
function reading(isGood: number, ago: number, reason = 'timeout'): SeriesSet {
  return {
    [success]: isGood,
    [`graphwarden_collector_last_success_timestamp_seconds{${collector}}`]: { ago },
    [`graphwarden_collector_configured_interval_seconds{${collector}}`]: 5,
    ...(isGood === 1 ? {} : { [`graphwarden_collector_failing{${collector},reason="${reason}"}`]: 1 }),
    ...begun,
  };
}

/** The same of a collector whose endpoint some server versions lack. */
function ofLicense(set: SeriesSet): SeriesSet {
  return Object.fromEntries(
    Object.entries(set).map(([series, value]) => [series.replace('"queries"', '"license"'), value]),
  );
}

function leaseChanges(change: string): string {
  return `graphwarden_lease_changes_total{change="${change}"}`;
}

function droppedFor(reason: string): string {
  return `graphwarden_series_dropped{cluster_name="prod",reason="${reason}"}`;
}

/** What can be wrong with graphwarden, by its own account. */
export const selfMonitoringCases: readonly RuleCase[] = [
  {
    alert: 'GraphdbAuthFailed',
    labels: { severity: 'warning', ...collectorOf },
    healthy: reading(1, 2),
    bad: reading(0, 60, 'auth'),
    nearMiss: reading(0, 60, 'timeout'),
    tooShort: 0.75,
    firesWithin: 2,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbCollectorBlind',
    labels: { severity: 'warning', ...collectorOf },
    healthy: reading(1, 2),
    // Five intervals are 25 s.
    bad: reading(0, 26),
    nearMiss: reading(0, 24),
    tooShort: 0.25,
    unrelated: [reading(0, 60, 'auth'), ofLicense(unread(60, 'unsupported'))],
    firesWithin: 1,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbCollectorBlind',
    labels: { severity: 'warning', ...collectorOf },
    healthy: reading(1, 2),
    bad: unread(26),
    nearMiss: unread(24),
    firesWithin: 2,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbCollectorBlind',
    labels: { severity: 'warning', ...collectorOf },
    healthy: reading(1, 2),
    bad: unread(26, 'unsupported'),
    nearMiss: unread(24, 'unsupported'),
    firesWithin: 2,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbCollectorBlind',
    labels: { severity: 'warning', ...collectorOf },
    healthy: reading(1, 2),
    bad: reading(0, 26, 'unsupported'),
    nearMiss: reading(0, 24, 'unsupported'),
    firesWithin: 1,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbSeriesDropped',
    labels: { severity: 'warning', cluster_name: 'prod', reason: 'series_per_family', ...here },
    healthy: {},
    bad: { [droppedFor('series_per_family')]: 1200 },
    nearMiss: { [droppedFor('duplicate')]: 1200, [droppedFor('type_conflict')]: 3 },
    tooShort: 1.75,
    firesWithin: 3,
    resolvesWithin: 3,
  },
  {
    alert: 'GraphdbTokenExpiring',
    labels: { severity: 'warning', cluster_name: 'prod', node: 'm1', ...here },
    healthy: { [token]: { ago: -3600 } },
    bad: { [token]: { ago: -590 } },
    nearMiss: { [token]: { ago: -610 } },
    tooShort: 1.75,
    firesWithin: 3,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphwardenDeliveryFailing',
    labels: { severity: 'critical', receiver: 'oncall', ...here },
    healthy: { [failing]: 0 },
    bad: { [failing]: 1 },
    // Pending notifications of a process that was stopped for ten minutes, until its first poll.
    nearMiss: {
      [failing]: 0,
      'graphwarden_outbox_oldest_timestamp_seconds{receiver="oncall"}': { ago: 600 },
      'graphwarden_outbox_parked{receiver="oncall"}': 1,
    },
    firesWithin: 1,
    resolvesWithin: 3,
  },
  {
    alert: 'GraphwardenStateNotDurable',
    labels: { severity: 'critical', ...here },
    healthy: { graphwarden_state_durable: 1 },
    bad: { graphwarden_state_durable: 0 },
    nearMiss: { graphwarden_state_durable: shortOutage(4, 0, 1) },
    firesWithin: 2,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphwardenNoOwner',
    labels: { severity: 'critical', ...here },
    healthy: { [owner]: 1 },
    bad: { [owner]: 0 },
    nearMiss: { [owner]: shortOutage(1, 0, 1) },
    firesWithin: 2,
    resolvesWithin: 3,
  },
  {
    alert: 'GraphwardenLeaseLost',
    labels: { severity: 'warning', ...here },
    healthy: { [leaseChanges('taken_over')]: 0 },
    bad: { [leaseChanges('taken_over')]: { grows: 1 } },
    nearMiss: { [leaseChanges('taken_over')]: 0, [leaseChanges('released')]: { grows: 1 } },
    firesWithin: 2,
    // The window of the expression, and the time for which it keeps firing.
    resolvesWithin: 12,
  },
  {
    alert: 'GraphwardenReplicasDiffer',
    labels: { severity: 'warning', ...here },
    healthy: { [different]: 0 },
    bad: { [different]: 1 },
    nearMiss: { [different]: shortOutage(10, 1, 0) },
    firesWithin: 17,
    resolvesWithin: 3,
  },
  {
    alert: 'GraphwardenConfigRejected',
    labels: { severity: 'warning', ...here },
    healthy: { graphwarden_config_last_reload_successful: 1 },
    bad: { graphwarden_config_last_reload_successful: 0 },
    nearMiss: { graphwarden_config_last_reload_successful: shortOutage(4, 0, 1) },
    firesWithin: 2,
    resolvesWithin: 2,
  },
];

const interval = `graphwarden_collector_interval_seconds{${collector}}`;
const lastSuccess = `graphwarden_collector_last_success_timestamp_seconds{${collector}}`;
const calendar =
  'graphwarden_collector_last_success_timestamp_seconds{cluster_name="prod",node="",collector="consistency"}';
const nodes = 'graphwarden_cluster_nodes{cluster_name="prod"}';
const up = 'up';
/** Of another installation, in a namespace of its own. */
const upElsewhere = 'up{namespace="staging"}';

/** What is not there. */
export const absenceCases: readonly RuleCase[] = [
  {
    alert: 'GraphwardenGone',
    labels: { severity: 'critical', ...here },
    healthy: { [up]: 1, [upElsewhere]: 1 },
    bad: { [up]: 0, [upElsewhere]: 1 },
    nearMiss: { [up]: shortOutage(18, 0, 1), [upElsewhere]: 1 },
    firesWithin: 7,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphwardenTargetDown',
    labels: { severity: 'warning', ...here },
    perTarget: true,
    healthy: { [up]: 1 },
    bad: { [up]: 0 },
    nearMiss: { [up]: shortOutage(18, 0, 1) },
    firesWithin: 7,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbCollectorAbsent',
    labels: { severity: 'warning', ...collectorOf },
    healthy: { [interval]: 5, [lastSuccess]: { ago: 2 }, [success]: 1 },
    bad: { [interval]: 5, [lastSuccess]: 0 },
    nearMiss: { [interval]: 5, [lastSuccess]: 0, [success]: 0 },
    tooShort: 9,
    unrelated: [{ [calendar]: 0 }],
    firesWithin: 12,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbClusterWithoutNodes',
    labels: { severity: 'critical', cluster_name: 'prod', ...here },
    healthy: { [nodes]: 3 },
    bad: { [nodes]: 0 },
    nearMiss: { [nodes]: 1 },
    tooShort: 4.5,
    firesWithin: 7,
    resolvesWithin: 2,
  },
];
