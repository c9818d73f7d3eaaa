import { describe, expect, it } from 'vitest';
import { groupList, roleList, scimGroups, scimUsers, userList } from '../../../src/simulator/endpoints/accounts.ts';
import { callOn, jsonOf, worldOf } from '../test-world.ts';

const world = worldOf({ graphs: ['fraud'] });
const request = (endpoint: typeof userList): Promise<unknown> => jsonOf(endpoint(callOn(world)));

describe('users and groups', () => {
  it('have the documented record', async () => {
    expect(await request(userList)).toMatchObject({
      error: false,
      results: [
        {
          name: 'admin',
          isSuperUser: true,
          roles: { 1: ['superuser'] },
          privileges: { 1: { privileges: ['DROP_ALL', 'CLEAR_GRAPHSTORE'] }, fraud: { privileges: ['READ_DATA'] } },
          lastSuccessLogin: expect.stringMatching(/^[A-Z][a-z]{2} /),
        },
        { failedAttempts: 1 },
        { name: 'loader' },
        { roles: {} },
        { disabled: true },
      ],
    });
    expect(await request(userList)).not.toHaveProperty('message');
  });

  it('have members and a rule if they are groups', async () => {
    expect(await request(groupList)).toMatchObject({
      results: [{ name: 'analysts', members: ['u1'] }, { rule: 'department=operators' }],
    });
  });
});

it('roles are the built-in ones and those of graphs', async () => {
  expect(await request(roleList)).toMatchObject({
    results: { builtIn: { global: { length: 3 }, local: { length: 5 } }, userDefinedRoles: { fraud: ['auditor'] } },
  });
});

it('SCIM has as many users and groups', async () => {
  expect(await request(scimUsers)).toMatchObject({ totalResults: 5, Resources: { length: 5, 4: { active: false } } });
  expect(await request(scimGroups)).toMatchObject({ totalResults: 2, Resources: [{ displayName: 'analysts' }, {}] });
});
