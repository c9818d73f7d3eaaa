import { describe, expect, it } from 'vitest';
import { failedLogins } from '../../../src/alert/rules/failed-logins.ts';
import { findings, situationWith } from './rule-fixtures.ts';

function failing(count: number, before: number | undefined) {
  return situationWith({ graphdb_failed_logins_total: [[{}, count]] }, { recentMinimum: () => before });
}

describe('failed_logins', () => {
  it.each([
    ['21 logins failed in the last hour', 26, 5, 1],
    ['20 logins failed in the last hour', 25, 5, 0],
    ['500 logins failed before the last hour', 500, 500, 0],
    ['the count is the same an hour ago', 3, 3, 0],
    ['the count of an hour ago is unknown', 500, undefined, 0],
  ])('has findings ($3) if $0', (_, count, before, firing) => {
    expect(findings(failedLogins, failing(count, before))).toHaveLength(firing);
  });

  it('states how many failed', () => {
    expect(findings(failedLogins, failing(40, 5))[0]?.facts).toEqual({ failures: '35 logins' });
  });

  it('follows its threshold', () => {
    expect(findings(failedLogins, failing(6, 5), { more_than: 0 })).toHaveLength(1);
    expect(findings(failedLogins, failing(40, 5), { more_than: 35 })).toEqual([]);
  });
});
