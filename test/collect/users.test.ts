import { describe, expect, it } from 'vitest';
import { users } from '../../src/collect/users.ts';
import { ok } from '../../src/kernel/result.ts';
import { type Account, type AccountGains, type AccountList, destructivePrivileges } from '../../src/model/users.ts';
import { failed } from '../support/fake-graphdb.ts';
import { pollOnce } from '../support/poll-results.ts';

const roles = { builtin_global: 3, builtin_local: 5, user_defined: 2 };

function account(name: string, more: Partial<Account> = {}): Account {
  return { name, isSuperuser: false, isDisabled: false, failedLogins: 0, grants: [], ...more };
}

const noGains: AccountGains = { failedLogins: 0, superusers: 0, privileges: {} };

function listOf(accounts: readonly Account[], gains: Partial<AccountGains> = {}): AccountList {
  return { accounts, gains: { ...noGains, ...gains } };
}

async function linesOf(
  listed: readonly Account[],
  groups: readonly Account[] = [],
  gains: Partial<AccountGains> = {},
): Promise<readonly string[]> {
  const script = { users: ok(listOf(listed, gains)), userGroups: ok(listOf(groups)), roles: ok(roles) };
  return (await pollOnce(users, script)).lines;
}

const holding = (holder: string, privilege: string, count: number): string =>
  `graphdb_destructive_privilege_holders{holder="${holder}",privilege="${privilege}"} ${count}`;
const granted = (holder: string, privilege: string, count: number): string =>
  `graphdb_destructive_privileges_granted_total{holder="${holder}",privilege="${privilege}"} ${count}`;
const noHolders = (holder: string): readonly string[] =>
  destructivePrivileges.flatMap((privilege) => [holding(holder, privilege, 0), granted(holder, privilege, 0)]);

describe('users', () => {
  it('shows users, superusers, failed logins, groups and roles, and 0 for privileges without a holder', async () => {
    const listed = [
      account('a', { isSuperuser: true, failedLogins: 2, grants: [{ privilege: 'DROP_ALL', graph: '' }] }),
      account('b', { isDisabled: true, failedLogins: 1 }),
    ];
    expect(await linesOf(listed)).toEqual([
      'graphdb_users{state="enabled"} 1',
      'graphdb_users{state="disabled"} 1',
      'graphdb_superusers{holder="user"} 1',
      'graphdb_superusers_added_total{holder="user"} 0',
      ...noHolders('user'),
      'graphdb_superusers{holder="group"} 0',
      'graphdb_superusers_added_total{holder="group"} 0',
      ...noHolders('group'),
      'graphdb_failed_logins_total 0',
      'graphdb_user_groups 0',
      'graphdb_roles{kind="builtin_global"} 3',
      'graphdb_roles{kind="builtin_local"} 5',
      'graphdb_roles{kind="user_defined"} 2',
    ]);
  });

  it('counts a holder of a privilege once, on any number of graphs', async () => {
    const grants = ['', 'fraud', 'risk'].map((graph) => ({ privilege: 'DELETE_DATA', graph }) as const);
    const lines = await linesOf([account('a', { grants })], [account('g', { grants })]);
    expect(lines).toContain(holding('user', 'DELETE_DATA', 1));
    expect(lines).toContain(holding('group', 'DELETE_DATA', 1));
  });

  it('exposes gained privileges of accounts', async () => {
    const gains = { failedLogins: 7, superusers: 2, privileges: { DROP_ALL: 3 } };
    const lines = await linesOf([account('a')], [], gains);
    expect(lines).toContain('graphdb_failed_logins_total 7');
    expect(lines).toContain('graphdb_superusers_added_total{holder="user"} 2');
    expect(lines).toContain(granted('user', 'DROP_ALL', 3));
    expect(lines).toContain(granted('group', 'DROP_ALL', 0));
  });

  it('counts 10,000 users without a label for any of them', async () => {
    const listed = Array.from({ length: 10_000 }, (_, at) => account(`CANARY${at}`, { failedLogins: 1 }));
    const lines = await linesOf([...listed, ...listed]);
    expect(lines).toContain('graphdb_users{state="enabled"} 10000');
    expect(lines.filter((line) => line.includes('CANARY'))).toEqual([]);
  });

  it.each(['unsupported', 'auth', 'timeout'] as const)(
    'returns the failure %s of each request unchanged',
    async (reason) => {
      for (const script of [
        { users: failed(reason) },
        { users: ok(listOf([])), userGroups: failed(reason) },
        { users: ok(listOf([])), userGroups: ok(listOf([])), roles: failed(reason) },
      ]) {
        const { error, lines } = await pollOnce(users, script);
        expect([error?.reason, lines]).toEqual([reason, []]);
      }
    },
  );
});

describe('the changes of users', () => {
  function changes(before: Account, after: Account) {
    const facts = (user: Account) => ({ users: listOf([user]), groups: listOf([user]), roles });
    return [...(users.inventory?.changes(facts(before), facts(after)) ?? [])];
  }

  it.each([
    [{ isSuperuser: true }, '+superuser'],
    [{ isDisabled: true }, '+disabled'],
    [{ grants: [{ privilege: 'DROP_GRAPH', graph: '' }] }, '+DROP_GRAPH on all graphs'],
    [{ grants: [{ privilege: 'DELETE_DATA', graph: 'fraud' }] }, '+DELETE_DATA on fraud'],
  ] as const)('are the privileges of a user or group: %j', (more, detail) => {
    const item = { change: 'changed', name: 'a', detail };
    expect(changes(account('a'), account('a', more))).toEqual([
      { object: 'user', ...item },
      { object: 'user_group', ...item },
    ]);
  });

  it('are not failed logins', () => {
    expect(changes(account('a'), account('a', { failedLogins: 9 }))).toEqual([]);
  });
});
