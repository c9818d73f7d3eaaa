import type { RuleCase } from './rule-case.ts';
import { here } from './service-cases.ts';

const cluster = { severity: 'warning', cluster_name: 'prod', ...here };
const superusers = 'graphdb_superusers{cluster_name="prod",holder="user"}';
const holders = 'graphdb_destructive_privilege_holders{cluster_name="prod",holder="group",privilege="DROP_GRAPH"}';
const failures = 'graphdb_failed_logins{cluster_name="prod"}';
const common = { before: 10, firesWithin: 1, resolvesWithin: 2 };

/** What can be wrong with users and privileges. */
export const accessCases: readonly RuleCase[] = [
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
    well: { [holders]: 1 },
    bad: { [holders]: 2 },
    near: { [holders]: 0 },
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
