import { z } from 'zod';
import { ok } from '../../kernel/result.ts';
import {
  type Account,
  type AccountList,
  destructivePrivileges,
  type Grant,
  type RoleCounts,
} from '../../model/users.ts';
import type { AccountComparison } from '../account-gains.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';
import { booleanSchema, numberOrZero, objectOrEmpty, parserOf } from '../reply-schemas.ts';
import { fetchList } from './list.ts';

const texts = z.array(z.string()).catch([]);
const byScope = z.record(z.string(), z.unknown()).catch({});
const flag = booleanSchema.nullish().catch(false);

/** Dates, secrets and members are not read. */
const record = parserOf(
  z.object({
    name: z.string().min(1).max(1000),
    isSuperUser: flag,
    disabled: flag,
    failedAttempts: numberOrZero.pipe(z.int().min(0)).catch(0),
    privileges: byScope,
    roles: byScope,
  }),
);

const permissions = parserOf(z.object({ privileges: texts, childPermissions: byScope }));

/** Key of the whole server in privileges and roles. */
const wholeServer = '1';

/** `GET /gsql/v1/users`: all users that the caller may see. */
export function fetchUsers(caller: Caller, compare: AccountComparison, signal: AbortSignal): Answer<AccountList> {
  return fetchAccounts(caller, { name: 'users', list: 'users', compare }, signal);
}

/** `GET /gsql/v1/groups`: the proxy groups, whose record is that of a user with further fields. */
export function fetchUserGroups(caller: Caller, compare: AccountComparison, signal: AbortSignal): Answer<AccountList> {
  return fetchAccounts(caller, { name: 'userGroups', list: 'groups', compare }, signal);
}

interface AccountCall {
  readonly name: 'users' | 'userGroups';
  readonly list: Parameters<AccountComparison>[0];
  readonly compare: AccountComparison;
}

async function fetchAccounts(
  caller: Caller,
  { name, list, compare }: AccountCall,
  signal: AbortSignal,
): Answer<AccountList> {
  const call = { name, input: {}, member: 'results', entry: accountOf, needs: 'all' } as const;
  const listed = await fetchList(caller, call, signal);
  return listed.ok ? ok(await compare(list, listed.value, caller)) : listed;
}

const roleList = objectOrEmpty({
  builtIn: objectOrEmpty({ global: texts, local: texts }).catch({ global: [], local: [] }),
  userDefinedRoles: z.record(z.string(), texts).catch({}),
}).catch({ builtIn: { global: [], local: [] }, userDefinedRoles: {} });

/** `GET /gsql/v1/roles`, without their names. */
export async function fetchRoles(caller: Caller, signal: AbortSignal): Answer<RoleCounts> {
  const json = await caller.json('roles', {}, signal);
  if (!json.ok) return json;
  const { builtIn, userDefinedRoles } = roleList.parse(json.value.results);
  return ok({
    builtin_global: builtIn.global.length,
    builtin_local: builtIn.local.length,
    user_defined: Object.values(userDefinedRoles).reduce((sum, names) => sum + names.length, 0),
  });
}

function accountOf(value: unknown): Account | undefined {
  const read = record(value);
  if (read === undefined) return undefined;
  return {
    name: read.name,
    isSuperuser: read.isSuperUser === true || texts.parse(read.roles[wholeServer]).includes('superuser'),
    isDisabled: read.disabled === true,
    failedLogins: read.failedAttempts,
    grants: grantsOf(read.privileges),
  };
}

function grantsOf(scopes: Readonly<Record<string, unknown>>): readonly Grant[] {
  return Object.entries(scopes)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([scope, granted]) => {
      const names = new Set(privilegesIn(granted));
      const graph = scope === wholeServer ? '' : scope;
      return destructivePrivileges.filter((name) => names.has(name)).map((privilege) => ({ privilege, graph }));
    });
}

/** Returns the privileges of a scope and of the types in it, whose form is that of a scope. */
function privilegesIn(granted: unknown): readonly string[] {
  const read = permissions(granted);
  if (read === undefined) return [];
  const own = read.privileges.map((name) => name.toUpperCase().replaceAll(' ', '_'));
  return [...own, ...Object.values(read.childPermissions).flatMap(privilegesIn)];
}
