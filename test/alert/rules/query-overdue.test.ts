import { expect, it } from 'vitest';
import { queryOverdue } from '../../../src/alert/rules/query-overdue.ts';
import { findings, firingIdentities, situationWith } from './rule-fixtures.ts';

const labels = { node: 'm1', graph: 'fraud', query: 'ring_scan' };

function overdue(count: number) {
  return situationWith({ graphdb_queries_overdue: [[labels, count]] });
}

it.each([
  [0, {}, 0],
  [1, {}, 1],
  [3, { more_than: 3 }, 0],
  [4, { more_than: 3 }, 1],
])('query_overdue › with %d overdue queries and %j', (count, changed, expected) => {
  expect(firingIdentities(queryOverdue, overdue(count), changed)).toHaveLength(expected);
});

it('query_overdue › names the query', () => {
  expect(findings(queryOverdue, overdue(2))).toEqual([{ labels, facts: { runs: '2 runs' } }]);
});
