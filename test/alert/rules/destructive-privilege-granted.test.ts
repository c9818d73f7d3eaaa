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
    ['there is one more', 3, 2, ['group DROP_ALL']],
    ['there is the first', 1, 0, ['group DROP_ALL']],
    ['there are as many', 2, 2, []],
    ['the counts start at 0', 0, 0, []],
    ['nothing is known of the last hour', 3, undefined, []],
  ])('where %s', (_, count, before, firing) => {
    expect(firingIdentities(destructivePrivilegeGranted, holding(count, before))).toEqual(firing);
  });

  it('states how many gained it', () => {
    expect(findings(destructivePrivilegeGranted, holding(3, 2))[0]?.facts).toEqual({ granted: '1 account' });
  });

  it('has no fresh facts without data', () => {
    expect(findings(destructivePrivilegeGranted, situationWith({}))).toEqual([]);
  });
});
