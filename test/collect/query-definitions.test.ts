import { describe, expect, it } from 'vitest';
import { queryDefinitions } from '../../src/collect/query-definitions.ts';
import { ok } from '../../src/kernel/result.ts';
import type { QueryDefinition, QueryState } from '../../src/model/inventory.ts';
import { failed } from '../support/fake-graphdb.ts';
import { pollOnce } from '../support/poll-results.ts';

function query(name: string, state: QueryState = 'installed', graph = 'fraud'): QueryDefinition {
  return { graph, name, state };
}

function facts(...queries: readonly QueryDefinition[]) {
  return { known: ['any'], graphs: [{ graph: 'any', queries }], uncounted: 0 };
}

function states(graph: string, counts: readonly number[]): readonly string[] {
  return ['installing', 'invalid', 'disabled', 'installed', 'draft'].map(
    (state, at) => `graphdb_query_definitions{graph="${graph}",state="${state}"} ${counts[at]}`,
  );
}

describe('query_definitions', () => {
  it('shows the queries of each graph by state, and all states', async () => {
    const fraud = [query('a'), query('b'), query('c', 'invalid'), query('d', 'installing')];
    const { error, lines, calls } = await pollOnce(queryDefinitions, {
      graphs: ok(['fraud', 'risk']),
      queryDefinitions: { fraud: ok(fraud), risk: ok([]) },
    });
    expect(error).toBeUndefined();
    expect(calls).toEqual(['graphs', 'queryDefinitions fraud', 'queryDefinitions risk']);
    expect(lines).toEqual([
      'graphdb_graph_queries{graph="fraud"} 4',
      ...states('fraud', [1, 1, 0, 2, 0]),
      'graphdb_graph_queries{graph="risk"} 0',
      ...states('risk', [0, 0, 0, 0, 0]),
      'graphdb_query_definitions_uncounted_graphs 0',
    ]);
  });

  it('counts a query once, even if the server repeats it', async () => {
    const { lines } = await pollOnce(queryDefinitions, {
      graphs: ok(['fraud']),
      queryDefinitions: { fraud: ok([query('a'), query('a', 'invalid')]) },
    });
    expect(lines[0]).toBe('graphdb_graph_queries{graph="fraud"} 1');
  });

  it('requests the first graphs only, and counts the others', async () => {
    const graphs = Array.from({ length: 1000 }, (_, at) => `g${String(at).padStart(4, '0')}`);
    const requested = Object.fromEntries(graphs.slice(0, 200).map((graph) => [graph, ok([])]));
    const { lines, calls } = await pollOnce(queryDefinitions, { graphs: ok(graphs), queryDefinitions: requested });
    expect(calls).toHaveLength(201);
    expect(lines.at(-1)).toBe('graphdb_query_definitions_uncounted_graphs 800');
  });

  it('reports queries that were added, removed or changed their state, by graph', () => {
    const inventory = queryDefinitions.inventory ?? expect.fail('no inventory');
    const before = facts(query('a'), query('b'), query('b', 'draft', 'risk'));
    const after = facts(query('a', 'invalid'), query('b', 'draft', 'risk'), query('c'));
    expect(inventory.objects).toEqual(['query']);
    expect([...inventory.changes(before, after)].map(({ change, name, detail }) => [change, name, detail])).toEqual([
      ['changed', 'fraud/a', '-installed, +invalid'],
      ['added', 'fraud/c', ''],
      ['removed', 'fraud/b', ''],
    ]);
  });

  it('reports no change of a graph that the limit newly includes, and the changes of a new graph', () => {
    const inventory = queryDefinitions.inventory ?? expect.fail('no inventory');
    const of = (graph: string, known: readonly string[]) => ({
      known,
      graphs: [{ graph, queries: [query('q', 'installed', graph)] }],
      uncounted: 0,
    });
    expect([...inventory.changes(of('a', ['a', 'b']), of('b', ['a', 'b']))]).toEqual([]);
    const found = [...inventory.changes(of('a', ['a']), of('b', ['b']))].map(({ change, name }) => [change, name]);
    expect(found).toEqual([
      ['added', 'b/q'],
      ['removed', 'a/q'],
    ]);
  });

  it('keeps the graphs that answered when another fails', async () => {
    const answers = { fraud: ok([query('a')]), risk: failed('auth') };
    const { error, lines } = await pollOnce(queryDefinitions, {
      graphs: ok(['fraud', 'risk']),
      queryDefinitions: answers,
    });
    expect([error?.reason, lines[0]]).toEqual(['auth', 'graphdb_graph_queries{graph="fraud"} 1']);
  });

  it.each(['unsupported', 'auth'] as const)('returns the failure %s unchanged', async (reason) => {
    const script = { graphs: ok(['g']), queryDefinitions: { g: failed(reason) } };
    const { error, lines } = await pollOnce(queryDefinitions, script);
    expect([error?.reason, lines]).toEqual([reason, []]);
  });
});
