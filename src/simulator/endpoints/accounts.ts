import type { Endpoint } from '../call.ts';
import { json } from '../replies.ts';
import { javaDate } from '../timestamps.ts';
import type { SimulatedAccount } from '../world/accounts.ts';
import type { World } from '../world/world.ts';

/** `GET /gsql/v1/users`: the record of the documents; a reply of this call has no `message`. */
export const userList: Endpoint = ({ world }) =>
  json({ error: false, results: world.accounts().users.map((user) => accountRecord(user, world)) });

/** `GET /gsql/v1/groups`: the record of a user, with members and rule. */
export const groupList: Endpoint = ({ world }) => {
  const groups = world.accounts().groups.map((group) => ({
    ...accountRecord(group, world),
    members: group.members ?? [],
    rule: `department=${group.name}`,
  }));
  return json({ error: false, message: '', results: groups });
};

/** `GET /gsql/v1/roles`. */
export const roleList: Endpoint = ({ world }) => {
  const global = ['globalobserver', 'globaldesigner', 'superuser'];
  const local = ['observer', 'queryreader', 'querywriter', 'designer', 'admin'];
  const userDefinedRoles = Object.fromEntries(world.graphs.map((graph) => [graph, ['auditor']]));
  return json({ error: false, message: '', results: { builtIn: { global, local }, userDefinedRoles } });
};

/** `GET /gsql/scim/v2/Users`: the first page of the list. */
export const scimUsers: Endpoint = ({ world }) => {
  const users = world.accounts().users;
  return json(
    scimList(
      users.map(({ name, isDisabled }, at) => ({
        id: `u${at}`,
        userName: name,
        active: !isDisabled,
        meta: { resourceType: 'User' },
      })),
    ),
  );
};

/** `GET /gsql/scim/v2/Groups`: without the members, which clients exclude. */
export const scimGroups: Endpoint = ({ world }) =>
  json(
    scimList(
      world.accounts().groups.map(({ name }, at) => ({
        id: `g${at}`,
        displayName: name,
        meta: { resourceType: 'Group' },
      })),
    ),
  );

function scimList(entries: readonly object[]): object {
  const totals = { totalResults: entries.length, startIndex: 1, itemsPerPage: 100 };
  return { ...totals, schemas: true, Resources: entries.slice(0, totals.itemsPerPage) };
}

/** Returns the record of a user or a group. In privileges, the key `1` stands for the whole server. */
function accountRecord(account: SimulatedAccount, { graphs, now }: World): object {
  const { name, failedAttempts, isDisabled, isSuperuser, everywhere, onGraphs } = account;
  const scopes = [['1', everywhere] as const, ...graphs.map((graph) => [graph, onGraphs] as const)];
  return {
    name,
    lastSuccessLogin: javaDate(now - 3_600_000),
    nextValidLogin: javaDate(now - 3_600_000),
    failedAttempts,
    disabled: isDisabled,
    isSuperUser: isSuperuser,
    showAlterPasswordWarning: false,
    privileges: Object.fromEntries(scopes.map(([scope, privileges]) => [scope, { privileges, childPermissions: {} }])),
    roles: isSuperuser ? { 1: ['superuser'] } : {},
    secrets: [],
  };
}
