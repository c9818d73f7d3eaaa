import { describe, expect, it } from 'vitest';
import { newSuperuser } from '../../../src/alert/rules/new-superuser.ts';
import { findings, firingIdentities, situationWith } from './rule-fixtures.ts';

function holding(count: number, before: number | undefined) {
  const families = { graphdb_superusers_added_total: [[{ holder: 'user' }, count] as const] };
  return situationWith(families, { recentMinimum: () => before });
}

describe('new_superuser', () => {
  it.each([
    ['there is one more superuser', 3, 2, ['user']],
    ['there is a first superuser', 1, 0, ['user']],
    ['the count is unchanged', 2, 2, []],
    ['both counts are 0', 0, 0, []],
    ['the count of an hour ago is unknown', 3, undefined, []],
  ])('finds $3 if $0', (_, count, before, firing) => {
    expect(firingIdentities(newSuperuser, holding(count, before))).toEqual(firing);
  });

  it('states how many became superuser', () => {
    expect(findings(newSuperuser, holding(3, 1))[0]?.facts).toEqual({ added: '2 accounts' });
  });

  it('has no fresh facts without data', () => {
    expect(findings(newSuperuser, situationWith({}))).toEqual([]);
  });
});
