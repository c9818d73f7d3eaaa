import { describe, expect, it } from 'vitest';
import { destructivePrivilegeGranted } from '../../../src/alert/rules/destructive-privilege-granted.ts';
import { findings, firingIdentities, situationWith } from './rule-fixtures.ts';

function holding(count: number, before: number | undefined) {
  const families = {
    graphdb_destructive_privileges_granted_total: [[{ holder: 'group', privilege: 'DROP_ALL' }, count] as const],
  };
  return situationWith(families, { recentMinimum: () => before });
}

describe('destructive_privilege_granted', () => {
  it.each([
    ['one more group has the privilege', 3, 2, ['group DROP_ALL']],
    ['a first group has the privilege', 1, 0, ['group DROP_ALL']],
    ['the count is unchanged', 2, 2, []],
    ['both counts are 0', 0, 0, []],
    ['the count of an hour ago is unknown', 3, undefined, []],
  ])('finds $3 if $0', (_, count, before, firing) => {
    expect(firingIdentities(destructivePrivilegeGranted, holding(count, before))).toEqual(firing);
  });

  it('states how many gained it', () => {
    expect(findings(destructivePrivilegeGranted, holding(3, 2))[0]?.facts).toEqual({ granted: '1 account' });
  });

  it('has no fresh facts without data', () => {
    expect(findings(destructivePrivilegeGranted, situationWith({}))).toEqual([]);
  });
});
