import { type RuleCase, type SeriesSet, type SeriesValues, shortOutage } from './rule-case.ts';
import { here } from './service-cases.ts';

const byPolicy = 'cluster_name="prod",policy="runaway",node="m1"';
const manual = 'cluster_name="prod",policy="",node="m1"';
const enforcing = 'graphwarden_guard_mode{cluster_name="prod",policy="runaway",mode="enforce"}';
const blind = 'graphwarden_guard_blind{cluster_name="prod",node="m1"}';

const unsent = `graphwarden_guard_unsent_abort_seconds{${byPolicy}}`;
const held = `graphwarden_guard_held_queries{${byPolicy}}`;

function readyWith(reason: string): string {
  return `graphwarden_guard_ready{${byPolicy},reason="${reason}"}`;
}

/** Paused or not, and by what. */
function pause(course: SeriesValues, reason: string): SeriesSet {
  const reasons = ['operator', 'signal', 'file', 'unexpected_id', 'state_lost'];
  const by = reasons.map((one) => [
    `graphwarden_guard_paused_by{cluster_name="prod",reason="${one}"}`,
    one === reason ? course : 0,
  ]);
  return { 'graphwarden_guard_paused{cluster_name="prod"}': course, ...Object.fromEntries(by) };
}

function attempts(labels: string, course: SeriesValues): SeriesSet {
  return { [`graphwarden_guard_abort_attempts_total{${labels}}`]: course };
}

function outcomes(outcome: string, course: SeriesValues): SeriesSet {
  return { [`graphwarden_guard_outcomes_total{${byPolicy},outcome="${outcome}"}`]: course };
}

/** A query raises no alert until its circuit breaker opens. */
const shut = 'graphwarden_guard_breaker_open{cluster_name="prod",policy="",reason="same_query",graph="",query=""}';
const open =
  'graphwarden_guard_breaker_open{cluster_name="prod",policy="",reason="same_query",graph="fraud",query="ring_scan"}';

const aborted = { cluster_name: 'prod', node: 'm1', ...here };

/** What the guard does, and what keeps it from it. */
export const guardCases: readonly RuleCase[] = [
  {
    alert: 'GraphdbQueryAborted',
    labels: { severity: 'warning', ...aborted, policy: 'runaway' },
    healthy: attempts(byPolicy, { grows: 0 }),
    bad: attempts(byPolicy, { grows: 1 }),
    nearMiss: attempts(byPolicy, { grows: 0 }),
    unrelated: [attempts(manual, { grows: 1 })],
    staysResolved: 15,
    firesWithin: 3,
    resolvesWithin: 7,
  },
  {
    alert: 'GraphdbQueryAborted',
    labels: { severity: 'info', ...aborted },
    // The series of what is done by hand begins with the first.
    healthy: {},
    bad: attempts(manual, { grows: 1 }),
    nearMiss: attempts(byPolicy, { grows: 1 }),
    firesWithin: 3,
    resolvesWithin: 7,
  },
  {
    alert: 'GraphdbAbortUnconfirmed',
    labels: { severity: 'critical', ...aborted, policy: 'runaway' },
    healthy: outcomes('still_running', { grows: 0 }),
    bad: outcomes('still_running', { grows: 1 }),
    nearMiss: outcomes('confirmed', { grows: 1 }),
    before: 70,
    firesWithin: 3,
    resolvesWithin: 63,
    staysResolved: 70,
  },
  {
    // A request that could not be sent.
    alert: 'GraphdbAbortUnconfirmed',
    labels: { severity: 'critical', ...aborted, policy: 'runaway' },
    healthy: {},
    bad: { [unsent]: 60 },
    nearMiss: { [unsent]: 59 },
    firesWithin: 1,
    resolvesWithin: 7,
  },
  {
    alert: 'GraphdbGuardBreakerOpen',
    labels: {
      severity: 'critical',
      cluster_name: 'prod',
      reason: 'same_query',
      graph: 'fraud',
      query: 'ring_scan',
      ...here,
    },
    healthy: { [shut]: 0 },
    bad: { [open]: 1 },
    nearMiss: {
      [shut]: 0,
      'graphwarden_guard_budget_exhausted_total{cluster_name="prod",budget="node"}': { grows: 1 },
    },
    firesWithin: 1,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbGuardBlind',
    labels: { severity: 'critical', ...aborted },
    healthy: { [blind]: 0, [enforcing]: 1 },
    bad: { [blind]: 1, [enforcing]: 1 },
    nearMiss: { [blind]: shortOutage(4, 1, 0), [enforcing]: 1 },
    unrelated: [{ [blind]: 1, [enforcing]: 0 }],
    firesWithin: 2,
    resolvesWithin: 3,
  },
  {
    alert: 'GraphdbGuardBlind',
    labels: { severity: 'warning', ...aborted },
    healthy: { [blind]: 0, [enforcing]: 0 },
    bad: { [blind]: 1, [enforcing]: 0 },
    nearMiss: { [blind]: shortOutage(4, 1, 0), [enforcing]: 0 },
    unrelated: [{ [blind]: 1, [enforcing]: 1 }],
    firesWithin: 2,
    resolvesWithin: 3,
  },
  {
    alert: 'GraphdbGuardNotReady',
    labels: { severity: 'critical', ...aborted },
    healthy: { [readyWith('')]: 1, [enforcing]: 1 },
    bad: { [readyWith('not_covered')]: 0, [enforcing]: 1 },
    nearMiss: { [readyWith('list_failed')]: 0, [enforcing]: 1 },
    unrelated: [
      { [readyWith('not_covered')]: 0, [enforcing]: 0 },
      { [readyWith('paused')]: 0, [enforcing]: 1 },
      { [readyWith('node_budget')]: 0, [held]: 0, [enforcing]: 1 },
    ],
    firesWithin: 3,
    resolvesWithin: 3,
  },
  {
    alert: 'GraphdbGuardNotReady',
    labels: { severity: 'critical', cluster_name: 'prod', ...here },
    healthy: { [readyWith('')]: 1, [held]: 0, [enforcing]: 1 },
    bad: { [readyWith('cluster_budget')]: 0, [held]: 1, [enforcing]: 1 },
    nearMiss: { [readyWith('cluster_budget')]: 0, [held]: 0, [enforcing]: 1 },
    firesWithin: 3,
    resolvesWithin: 3,
  },
  {
    alert: 'GraphdbGuardPaused',
    labels: { severity: 'warning', cluster_name: 'prod', ...here },
    healthy: { ...pause(0, 'operator'), [enforcing]: 1 },
    bad: { ...pause(1, 'operator'), [enforcing]: 1 },
    nearMiss: { ...pause(shortOutage(236, 1, 0), 'operator'), [enforcing]: 1 },
    unrelated: [
      { ...pause(1, 'operator'), [enforcing]: 0 },
      { ...pause(1, 'state_lost'), [enforcing]: 1 },
    ],
    firesWithin: 62,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbGuardPaused',
    labels: { severity: 'critical', cluster_name: 'prod', ...here },
    healthy: { ...pause(0, 'unexpected_id'), [enforcing]: 1 },
    bad: { ...pause(1, 'unexpected_id'), [enforcing]: 1 },
    nearMiss: { ...pause(1, 'file'), [enforcing]: 1 },
    unrelated: [
      { ...pause(1, 'state_lost'), [enforcing]: 0 },
      { ...pause(1, 'unexpected_id'), [enforcing.replace('prod', 'test')]: 1 },
    ],
    firesWithin: 1,
    resolvesWithin: 2,
  },
];
