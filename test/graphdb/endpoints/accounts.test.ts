import { describe, expect, it } from 'vitest';
import { createAccountComparison } from '../../../src/graphdb/account-gains.ts';
import { fetchRoles, fetchUserGroups, fetchUsers } from '../../../src/graphdb/endpoints/accounts.ts';
import { mapResult } from '../../../src/kernel/result.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

function callerWith(request: string, body: object, status = 200, serverVersion = '4.1') {
  return callerOver(new FakePool([request, answer(body, status)]), { serverVersion });
}

const users = async (results: unknown, request = 'GET /gsql/v1/users', version = '4.1') =>
  mapResult(
    await fetchUsers(
      callerWith(request, { error: false, results }, 200, version),
      createAccountComparison(),
      neverAborted(),
    ),
    ({ accounts }) => accounts,
  );

/** The documented record. */
const record = {
  name: 'u1',
  lastSuccessLogin: 'Wed Jul 03 15:26:33 HKT 2024',
  nextValidLogin: 'Wed Jul 03 15:26:33 HKT 2024',
  failedAttempts: 3,
  disabled: false,
  isSuperUser: false,
  showAlterPasswordWarning: false,
  privileges: {
    1: { privileges: ['READ_SCHEMA'] },
    fraud: { privileges: ['READ_DATA', 'DELETE_DATA'], childPermissions: {} },
  },
  roles: { fraud: ['designer'] },
  secrets: [{ value: 'CANARY' }],
};
const bare = { name: 'u1', isSuperuser: false, isDisabled: false, failedLogins: 0, grants: [] };

describe('users', () => {
  it.each([
    ['4.1', 'GET /gsql/v1/users'],
    ['3.9', 'GET /gsqlserver/gsql/users'],
  ])('are read from the documented record, in the path form of %s', async (version, request) => {
    expect(factsOf(await users([record], request, version))).toEqual([
      { ...bare, failedLogins: 3, grants: [{ privilege: 'DELETE_DATA', graph: 'fraud' }] },
    ]);
  });

  it.each([
    [{}, {}],
    [{ disabled: 'true' }, { isDisabled: true }],
    [{ isSuperUser: true }, { isSuperuser: true }],
    [{ roles: { 1: ['superuser'] } }, { isSuperuser: true }],
    [{ roles: { fraud: ['superuser'] } }, {}],
    [{ failedAttempts: '7' }, { failedLogins: 7 }],
    [{ failedAttempts: -1, disabled: 'maybe', roles: 'none', privileges: [], newField: { deep: [1] } }, {}],
    [
      { privileges: { 1: { privileges: ['drop graph', 'DROP_GRAPH', 'NEW_ONE'] } } },
      { grants: [{ privilege: 'DROP_GRAPH', graph: '' }] },
    ],
    [{ privileges: { 1: null, fraud: { privileges: [1, 'DROP_ALL'] }, risk: 'all' } }, {}],
    [
      {
        privileges: { '"g"\n<b>': { privileges: [], childPermissions: { Account: { privileges: ['DELETE_DATA'] } } } },
      },
      { grants: [{ privilege: 'DELETE_DATA', graph: '"g"\n<b>' }] },
    ],
  ])('accept %j', async (fields, expected) => {
    expect(factsOf(await users([{ name: 'u1', ...fields }]))).toEqual([{ ...bare, ...expected }]);
  });

  it('have their privileges in the order of graphs, for any order of the server', async () => {
    const scope = { privileges: ['DROP_QUERY', 'DELETE_DATA'] };
    const read = async (...graphs: readonly string[]) =>
      factsOf(await users([{ name: 'u', privileges: Object.fromEntries(graphs.map((graph) => [graph, scope])) }]));
    expect(await read('risk', 'fraud')).toEqual(await read('fraud', 'risk'));
  });

  it.each([null, {}, 'text', { name: '' }, { name: 7 }, { name: 'x'.repeat(1001) }])(
    'fail with the reason body if one has no valid name, because it would seem to be removed: %#',
    async (entry) => {
      expect(failureOf(await users([record, entry]))).toMatchObject({
        reason: 'body',
        message: expect.stringMatching(/: 1 of 2 entries are invalid$/),
      });
    },
  );

  it('are read if there are 10,000', async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => ({ ...record, name: `u${at}` }));
    expect(factsOf(await users(many))).toHaveLength(10_000);
  });

  it.each([
    [401, 'auth'],
    [403, 'auth'],
    [404, 'unsupported'],
  ] as const)('are a failure for the status %i: %s', async (status, reason) => {
    const caller = callerWith('GET /gsql/v1/users', { error: true, message: 'no' }, status);
    expect(failureOf(await fetchUsers(caller, createAccountComparison(), neverAborted())).reason).toBe(reason);
  });

  it('fail with the reason body for an answer without a list', async () => {
    expect(failureOf(await users({ u1: record })).reason).toBe('body');
  });
});

it('groups have the record of a user', async () => {
  const group = { ...record, members: ['u2'], rule: 'a=b' };
  const caller = callerWith('GET /gsql/v1/groups', { error: false, message: '', results: [group] });
  expect(factsOf(await fetchUserGroups(caller, createAccountComparison(), neverAborted()))).toMatchObject({
    accounts: [{ name: 'u1' }],
    gains: { superusers: 0 },
  });
});

describe('roles', () => {
  const roles = async (results: unknown) =>
    factsOf(await fetchRoles(callerWith('GET /gsql/v1/roles', { error: false, results }), neverAborted()));

  it('are counted by kind', async () => {
    const builtIn = { global: ['globalobserver', 'superuser'], local: ['observer'] };
    const userDefinedRoles = { 1: ['auditor'], fraud: ['a', 'b'] };
    expect(await roles({ builtIn, userDefinedRoles })).toEqual({
      builtin_global: 2,
      builtin_local: 1,
      user_defined: 3,
    });
  });

  it.each([undefined, null, [], 'none', { builtIn: 3, userDefinedRoles: [1] }])(
    'are empty in %s (case %$)',
    async (results) => {
      expect(await roles(results)).toEqual({ builtin_global: 0, builtin_local: 0, user_defined: 0 });
    },
  );
});
