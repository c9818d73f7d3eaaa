import { describe, expect, it } from 'vitest';
import { queryInstallationHanging } from '../../../src/alert/rules/query-installation-hanging.ts';
import { findings, firingIdentities, minute, situationWith } from './rule-fixtures.ts';

function queries(state: string, count: number) {
  return situationWith({ graphdb_query_definitions: [[{ graph: 'fraud', state }, count]] });
}

describe('query_installation_hanging', () => {
  it.each([
    ['no query is being installed', 'installing', 0, []],
    ['a query is being installed', 'installing', 1, ['fraud']],
    ['a query is installed', 'installed', 1, []],
    ['a query is invalid', 'invalid', 1, []],
  ])('finds $3 if $0', (_, state, count, firing) => {
    expect(firingIdentities(queryInstallationHanging, queries(state, count))).toEqual(firing);
  });

  it('waits for half an hour, and states how many', () => {
    expect(queryInstallationHanging.for).toBe(30 * minute);
    expect(findings(queryInstallationHanging, queries('installing', 2))[0]?.facts).toEqual({ queries: '2 queries' });
  });
});
