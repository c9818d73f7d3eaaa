import { describe, expect, it } from 'vitest';
import { optimizerStatistics } from '../../src/collect/optimizer-statistics.ts';
import { ok } from '../../src/kernel/result.ts';
import type { GraphSize } from '../../src/model/inventory.ts';
import { failed } from '../support/fake-graphdb.ts';
import { pollOnce } from '../support/poll-results.ts';

function stored(graph: string, vertices: GraphSize['vertices'] = [], edges: GraphSize['edges'] = []): GraphSize {
  return { graph, vertices, edges };
}

describe('optimizer_statistics', () => {
  it('shows the stored numbers of each type', async () => {
    const parts = [
      { type: 'has', count: 2 },
      { type: 'has', count: 3 },
    ];
    const { error, lines, calls } = await pollOnce(optimizerStatistics, {
      graphs: ok(['fraud', 'risk']),
      cardinality: { fraud: ok(stored('fraud', [{ type: 'Account', count: 5 }], parts)), risk: ok(stored('risk')) },
    });
    expect(error).toBeUndefined();
    expect(calls).toEqual(['graphs', 'cardinality fraud', 'cardinality risk']);
    expect(lines).toEqual([
      'graphdb_optimizer_type_vertices{graph="fraud",type="Account"} 5',
      'graphdb_optimizer_type_edges{graph="fraud",type="has"} 5',
      'graphdb_optimizer_other_types{graph="fraud"} 0',
      'graphdb_optimizer_other_types{graph="risk"} 0',
      'graphdb_optimizer_uncounted_graphs 0',
    ]);
  });

  it('sums the types beyond the limit, and counts them', async () => {
    const types = Array.from({ length: 10_000 }, (_, at) => ({ type: `t${at}`, count: 1 }));
    const { lines } = await pollOnce(optimizerStatistics, {
      graphs: ok(['fraud']),
      cardinality: { fraud: ok(stored('fraud', types)) },
    });
    expect(lines).toContain('graphdb_optimizer_type_vertices{graph="fraud",type="other"} 9950');
    expect(lines).toContain('graphdb_optimizer_other_types{graph="fraud"} 9950');
  });

  it('requests the first graphs only, and counts the others', async () => {
    const graphs = Array.from({ length: 1000 }, (_, at) => `g${String(at).padStart(4, '0')}`);
    const requested = Object.fromEntries(graphs.slice(0, 100).map((graph) => [graph, ok(stored(graph))]));
    const { lines, calls } = await pollOnce(optimizerStatistics, { graphs: ok(graphs), cardinality: requested });
    expect(calls).toHaveLength(101);
    expect(lines.at(-1)).toBe('graphdb_optimizer_uncounted_graphs 900');
  });

  it('keeps the graphs that answered when another fails', async () => {
    const answers = { fraud: ok(stored('fraud', [{ type: 'a', count: 1 }])), risk: failed('auth') };
    const script = { graphs: ok(['fraud', 'risk']), cardinality: answers };
    const { error, lines } = await pollOnce(optimizerStatistics, script);
    expect([error?.reason, lines[0]]).toEqual(['auth', 'graphdb_optimizer_type_vertices{graph="fraud",type="a"} 1']);
  });

  it.each(['unsupported', 'auth'] as const)('returns the failure %s unchanged', async (reason) => {
    const script = { graphs: ok(['g']), cardinality: { g: failed(reason) } };
    const { error, lines } = await pollOnce(optimizerStatistics, script);
    expect([error?.reason, lines]).toEqual([reason, []]);
  });
});
