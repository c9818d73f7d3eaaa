import { describe, expect, it } from 'vitest';
import { queryDisappeared } from '../../../src/alert/rules/query-disappeared.ts';
import { findings, firingIdentities, situationWith } from './rule-fixtures.ts';

function queries(count: number, before: number | undefined) {
  const families = { graphdb_graph_queries: [[{ graph: 'fraud' }, count] as const] };
  return situationWith(families, { recentMaximum: () => before });
}

describe('query_disappeared', () => {
  it.each([
    ['one query disappeared', 8, 9, ['fraud']],
    ['all queries disappeared', 0, 9, ['fraud']],
    ['no query disappeared', 9, 9, []],
    ['queries were added', 10, 9, []],
    ['the graph had no queries', 0, 0, []],
    ['the count of an hour ago is unknown', 3, undefined, []],
  ])('finds $3 if $0', (_, count, before, firing) => {
    expect(firingIdentities(queryDisappeared, queries(count, before))).toEqual(firing);
  });

  it('states how many there were', () => {
    expect(findings(queryDisappeared, queries(1, 3))[0]?.facts).toEqual({ queries: '1 query', before: '3' });
  });
});
