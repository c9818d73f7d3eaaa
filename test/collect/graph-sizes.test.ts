import { describe, expect, it } from 'vitest';
import { graphSizes } from '../../src/collect/graph-sizes.ts';
import { ok } from '../../src/kernel/result.ts';
import type { GraphSize } from '../../src/model/inventory.ts';
import { failed } from '../support/fake-graphdb.ts';
import { pollOnce } from '../support/poll-results.ts';

const fraud: GraphSize = {
  graph: 'fraud',
  vertices: [
    { type: 'Account', count: 5 },
    { type: 'Person', count: 3 },
  ],
  edges: [{ type: 'owns', count: 7 }],
};
const empty = (graph: string): GraphSize => ({ graph, vertices: [], edges: [] });

describe('graph_sizes', () => {
  it('shows the numbers of each graph and of its types', async () => {
    const sizes = { fraud: ok(fraud), risk: ok(empty('risk')) };
    const { error, lines, calls } = await pollOnce(graphSizes, { graphs: ok(['fraud', 'risk']), graphSize: sizes });
    expect(error).toBeUndefined();
    expect(calls).toEqual(['graphs', 'graphSize fraud', 'graphSize risk']);
    expect(lines).toEqual([
      'graphdb_graph_vertices{graph="fraud"} 8',
      'graphdb_graph_edges{graph="fraud"} 7',
      'graphdb_graph_type_vertices{graph="fraud",type="Account"} 5',
      'graphdb_graph_type_vertices{graph="fraud",type="Person"} 3',
      'graphdb_graph_type_edges{graph="fraud",type="owns"} 7',
      'graphdb_graph_other_types{graph="fraud"} 0',
      'graphdb_graph_vertices{graph="risk"} 0',
      'graphdb_graph_edges{graph="risk"} 0',
      'graphdb_graph_other_types{graph="risk"} 0',
      'graphdb_graphs_uncounted 0',
    ]);
  });

  it('sums the parts of a type', async () => {
    const parts = [1, 2, 4].map((count) => ({ type: 'owns', count }));
    const { lines } = await pollOnce(graphSizes, {
      graphs: ok(['g']),
      graphSize: { g: ok({ graph: 'g', vertices: [], edges: parts }) },
    });
    expect(lines).toContain('graphdb_graph_edges{graph="g"} 7');
    expect(lines).toContain('graphdb_graph_type_edges{graph="g",type="owns"} 7');
  });

  it('sums the types beyond the limit, and counts them', async () => {
    const vertices = Array.from({ length: 10_000 }, (_, at) => ({ type: `T${at}`, count: at }));
    const { lines } = await pollOnce(graphSizes, {
      graphs: ok(['g']),
      graphSize: { g: ok({ graph: 'g', vertices: [...vertices, { type: 'other', count: 1 }], edges: [] }) },
    });
    const types = lines.filter((line) => line.startsWith('graphdb_graph_type_vertices'));
    expect(types).toHaveLength(51);
    expect(types).toContain('graphdb_graph_type_vertices{graph="g",type="T9999"} 9999');
    const others = (9949 * 9950) / 2 + 1;
    expect(types).toContain(`graphdb_graph_type_vertices{graph="g",type="other"} ${others}`);
    expect(lines).toContain('graphdb_graph_other_types{graph="g"} 9951');
    expect(lines[0]).toBe(`graphdb_graph_vertices{graph="g"} ${(9999 * 10_000) / 2 + 1}`);
  });

  it('requests the first graphs only, and counts the others', async () => {
    const graphs = Array.from({ length: 1000 }, (_, at) => `g${String(at).padStart(4, '0')}`);
    const calls = graphs.slice(0, 200);
    const { lines } = await pollOnce(graphSizes, {
      graphs: ok(graphs),
      graphSize: Object.fromEntries(calls.map((graph) => [graph, ok(empty(graph))])),
    });
    expect(lines.filter((line) => line.startsWith('graphdb_graph_vertices'))).toHaveLength(200);
    expect(lines.at(-1)).toBe('graphdb_graphs_uncounted 800');
  });

  it('keeps the graphs that answered when another fails', async () => {
    const sizes = { fraud: ok(fraud), risk: failed('auth') };
    const { error, lines } = await pollOnce(graphSizes, { graphs: ok(['fraud', 'risk']), graphSize: sizes });
    expect(error?.reason).toBe('auth');
    expect(lines[0]).toBe('graphdb_graph_vertices{graph="fraud"} 8');
  });

  it('returns a failure unchanged', async () => {
    expect((await pollOnce(graphSizes, { graphs: failed('unreachable') })).error?.reason).toBe('unreachable');
    const { error, lines } = await pollOnce(graphSizes, { graphs: ok(['g']), graphSize: { g: failed('unsupported') } });
    expect([error?.reason, lines]).toEqual(['unsupported', []]);
  });
});
