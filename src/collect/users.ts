import type { GraphDb } from '../graphdb/graph-db.ts';
import { counter, gauge, type Sample, sample } from '../metric/metric.ts';
import type { InventoryItem } from '../model/inventory.ts';
import { type Account, type AccountList, destructivePrivileges, type RoleCounts, roleKinds } from '../model/users.ts';
import { collector, type PollOutcome } from './collector.ts';
import { inventoryChanges } from './inventory.ts';
import { distinctBy } from './keyed-rows.ts';

const userSource = 'GET /gsql/v1/users';
const groupSource = 'GET /gsql/v1/groups';

const userCount = gauge({
  name: 'graphdb_users',
  help: 'Number of users that may log in (enabled) or not (disabled).',
  labels: ['state'],
  source: `${userSource}: disabled`,
});

const superusers = gauge({
  name: 'graphdb_superusers',
  help: 'Number of users and groups with the role superuser.',
  labels: ['holder'],
  source: `${userSource}, ${groupSource}: isSuperUser, roles`,
});

const holders = gauge({
  name: 'graphdb_destructive_privilege_holders',
  help: 'Number of users or groups, without superusers, that have a privilege to delete data or definitions.',
  labels: ['holder', 'privilege'],
  source: `${userSource}, ${groupSource}: privileges`,
});

const superusersAdded = counter({
  name: 'graphdb_superusers_added_total',
  help: 'Total number of users and groups that became superuser since they were first polled.',
  labels: ['holder'],
  source: `${userSource}, ${groupSource}: isSuperUser, roles`,
});

const privilegesGranted = counter({
  name: 'graphdb_destructive_privileges_granted_total',
  help: 'Total number of users and groups that gained a privilege to delete data or definitions since they were first polled, without former superusers.',
  labels: ['holder', 'privilege'],
  source: `${userSource}, ${groupSource}: privileges`,
});

const failedLogins = counter({
  name: 'graphdb_failed_logins_total',
  help: 'Total number of failed logins of all users since they were first polled; failures before a successful login of the user count only if a poll observed them.',
  source: `${userSource}: failedAttempts`,
});

const groups = gauge({ name: 'graphdb_user_groups', help: 'Number of proxy groups.', source: groupSource });

const roles = gauge({
  name: 'graphdb_roles',
  help: 'Number of roles by kind: built-in roles of the server or of graphs, and user-defined roles.',
  labels: ['kind'],
  source: 'GET /gsql/v1/roles',
});

interface Access {
  readonly users: AccountList;
  readonly groups: AccountList;
  readonly roles: RoleCounts;
}

/** Users, groups and roles: holders of destructive privileges, and failed logins. Names are never label values. */
export const users = collector<Access>({
  name: 'users',
  about:
    'Number of users, superusers, holders of destructive privileges, groups and roles, and failed logins; the log reports changes, with names only if `names` is set. Failed logins and gained privileges are counted per account, also across restarts. Three requests to the GSQL server per poll. Disabled by default.',
  scope: 'cluster',
  metrics: [userCount, superusers, holders, superusersAdded, privilegesGranted, failedLogins, groups, roles],
  defaults: { enabled: false, interval: 300_000, timeout: 30_000 },
  calls: ['users', 'userGroups', 'roles'],
  privilege: 'READ_USER, READ_PROXYGROUP, READ_ROLE',
  poll,
  samples,
  inventory: {
    objects: ['user', 'user_group'],
    namesPeople: true,
    *changes(before, after) {
      yield* inventoryChanges('user', itemsOf(before.users.accounts), itemsOf(after.users.accounts));
      yield* inventoryChanges('user_group', itemsOf(before.groups.accounts), itemsOf(after.groups.accounts));
    },
  },
});

async function poll(db: GraphDb, signal: AbortSignal): Promise<PollOutcome<Access>> {
  const listed = await db.users(signal);
  if (!listed.ok) return listed;
  const grouped = await db.userGroups(signal);
  if (!grouped.ok) return grouped;
  const known = await db.roles(signal);
  if (!known.ok) return known;
  return { ok: true, value: { users: listed.value, groups: grouped.value, roles: known.value } };
}

function* samples({ roles: counted, ...access }: Access): Generator<Sample> {
  const own = distinctAccounts(access.users);
  const grouped = distinctAccounts(access.groups);
  const disabled = own.filter(({ isDisabled }) => isDisabled).length;
  yield sample(userCount, { state: 'enabled' }, own.length - disabled);
  yield sample(userCount, { state: 'disabled' }, disabled);
  yield* holderSamples('user', own, access.users);
  yield* holderSamples('group', grouped, access.groups);
  yield sample(failedLogins, {}, access.users.gains.failedLogins);
  yield sample(groups, {}, grouped.length);
  for (const kind of roleKinds) yield sample(roles, { kind }, counted[kind]);
}

function* holderSamples(holder: string, accounts: readonly Account[], { gains }: AccountList): Generator<Sample> {
  const others = accounts.filter(({ isSuperuser }) => !isSuperuser);
  yield sample(superusers, { holder }, accounts.length - others.length);
  yield sample(superusersAdded, { holder }, gains.superusers);
  for (const privilege of destructivePrivileges) {
    const holding = others.filter(({ grants }) => grants.some((grant) => grant.privilege === privilege));
    yield sample(holders, { holder, privilege }, holding.length);
    yield sample(privilegesGranted, { holder, privilege }, gains.privileges[privilege] ?? 0);
  }
}

function distinctAccounts({ accounts }: AccountList): readonly Account[] {
  return [...distinctBy(accounts, ({ name }) => name)];
}

/** Returns accounts for the comparison, without login attempts, which change all the time. */
function itemsOf(accounts: readonly Account[]): readonly InventoryItem[] {
  return Array.from(
    distinctBy(accounts, ({ name }) => name),
    ({ name, isSuperuser, isDisabled, grants }) => ({
      name,
      parts: [
        ...(isSuperuser ? ['superuser'] : []),
        ...(isDisabled ? ['disabled'] : []),
        ...grants.map(({ privilege, graph }) => `${privilege} ${graph === '' ? 'on all graphs' : `on ${graph}`}`),
      ],
    }),
  );
}
