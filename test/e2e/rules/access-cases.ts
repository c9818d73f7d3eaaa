import type { RuleCase, SeriesScene } from './rule-case.ts';
import { here } from './service-cases.ts';

const cluster = { severity: 'warning', cluster_name: 'prod', ...here };
const superusers = 'graphdb_superusers_added_total{cluster_name="prod",holder="user"}';
const granted =
  'graphdb_destructive_privileges_granted_total{cluster_name="prod",holder="group",privilege="DROP_GRAPH"}';
const failures = 'graphdb_failed_logins_total{cluster_name="prod"}';
const common = { before: 10, firesWithin: 1, resolvesWithin: 2 };

function statement(state: string): SeriesScene {
  const states = ['running', 'finished', 'failed', 'unknown'];
  const series = 'graphdb_statement_state{cluster_name="prod",statement="export"';
  return Object.fromEntries(states.map((one) => [`${series},state="${one}"}`, one === state ? 1 : 0]));
}

/** What can be wrong with users and privileges, and with statements. */
export const accessCases: readonly RuleCase[] = [
  {
    alert: 'GraphdbStatementFailed',
    labels: { ...cluster, statement: 'export' },
    well: statement('finished'),
    bad: statement('failed'),
    near: statement('unknown'),
    firesWithin: 1,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbStatementHanging',
    labels: { ...cluster, statement: 'export' },
    well: statement('finished'),
    bad: statement('running'),
    near: statement('failed'),
    tooShort: 58,
    firesWithin: 63,
    resolvesWithin: 3,
  },
  {
    ...common,
    alert: 'GraphdbNewSuperuser',
    labels: { ...cluster, holder: 'user' },
    well: { [superusers]: 2 },
    bad: { [superusers]: 3 },
    near: { [superusers]: 1 },
  },
  {
    ...common,
    alert: 'GraphdbDestructivePrivilegeGranted',
    labels: { ...cluster, holder: 'group', privilege: 'DROP_GRAPH' },
    well: { [granted]: 1 },
    bad: { [granted]: 2 },
    near: { [granted]: 0 },
  },
  {
    ...common,
    alert: 'GraphdbFailedLogins',
    labels: cluster,
    well: { [failures]: 5 },
    bad: { [failures]: 26 },
    near: { [failures]: 25 },
  },
];
