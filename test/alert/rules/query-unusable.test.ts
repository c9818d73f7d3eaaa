import { describe, expect, it } from 'vitest';
import { queryUnusable } from '../../../src/alert/rules/query-unusable.ts';
import { findings, firingIdentities, situationWith } from './rule-fixtures.ts';

function queries(counts: Readonly<Record<string, number>>, graph = 'fraud') {
  const rows = Object.entries(counts).map(([state, count]) => [{ graph, state }, count] as const);
  return situationWith({ graphdb_query_definitions: rows });
}

describe('query_unusable', () => {
  it.each([
    ['all queries are installed', { installed: 9, invalid: 0, disabled: 0 }, []],
    ['queries are drafts or being installed', { draft: 2, installing: 1 }, []],
    ['a query is invalid', { installed: 8, invalid: 1, disabled: 0 }, ['fraud invalid']],
    ['a query is disabled', { disabled: 1 }, ['fraud disabled']],
    ['queries are invalid and disabled', { invalid: 2, disabled: 1 }, ['fraud invalid', 'fraud disabled']],
    ['the graph has no queries', {}, []],
  ])('finds $2 if $0', (_, counts, firing) => {
    expect(firingIdentities(queryUnusable, queries(counts))).toEqual(firing);
  });

  it('states how many', () => {
    expect(findings(queryUnusable, queries({ invalid: 1 }))[0]?.facts).toEqual({ queries: '1 query' });
    expect(findings(queryUnusable, queries({ invalid: 3 }))[0]?.facts).toEqual({ queries: '3 queries' });
  });

  it('carries any name of a graph', () => {
    expect(findings(queryUnusable, queries({ invalid: 1 }, '"\n<b>'))[0]?.labels.graph).toBe('"\n<b>');
  });
});
