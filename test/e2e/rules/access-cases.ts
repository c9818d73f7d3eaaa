import type { RuleCase, SeriesSet } from './rule-case.ts';
import { here } from './service-cases.ts';

const cluster = { severity: 'warning', cluster_name: 'prod', ...here };
const superusers = 'graphdb_superusers_added_total{cluster_name="prod",holder="user"}';
const granted =
  'graphdb_destructive_privileges_granted_total{cluster_name="prod",holder="group",privilege="DROP_GRAPH"}';
const failures = 'graphdb_failed_logins_total{cluster_name="prod"}';
const common = { before: 10, firesWithin: 1, resolvesWithin: 2 };

function statement(state: string): SeriesSet {
  const states = ['running', 'finished', 'failed', 'unknown'];
  const series = 'graphdb_statement_state{cluster_name="prod",statement="export"';
  return Object.fromEntries(states.map((one) => [`${series},state="${one}"}`, one === state ? 1 : 0]));
}

/** What can be wrong with users and privileges, and with statements. */
export const accessCases: readonly RuleCase[] = [
  {
    alert: 'GraphdbStatementFailed',
    labels: { ...cluster, statement: 'export' },
    healthy: statement('finished'),
    bad: statement('failed'),
    nearMiss: statement('unknown'),
    firesWithin: 1,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbStatementHanging',
    labels: { ...cluster, statement: 'export' },
    healthy: statement('finished'),
    bad: statement('running'),
    nearMiss: statement('failed'),
    tooShort: 58,
    firesWithin: 63,
    resolvesWithin: 3,
  },
  {
    ...common,
    alert: 'GraphdbNewSuperuser',
    labels: { ...cluster, holder: 'user' },
    healthy: { [superusers]: 2 },
    bad: { [superusers]: 3 },
    nearMiss: { [superusers]: 1 },
  },
  {
    ...common,
    alert: 'GraphdbDestructivePrivilegeGranted',
    labels: { ...cluster, holder: 'group', privilege: 'DROP_GRAPH' },
    healthy: { [granted]: 1 },
    bad: { [granted]: 2 },
    nearMiss: { [granted]: 0 },
  },
  {
    ...common,
    alert: 'GraphdbFailedLogins',
    labels: cluster,
    healthy: { [failures]: 5 },
    bad: { [failures]: 26 },
    nearMiss: { [failures]: 25 },
  },
];
