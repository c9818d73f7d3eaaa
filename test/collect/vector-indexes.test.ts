import { describe, expect, it } from 'vitest';
import { vectorIndexes } from '../../src/collect/vector-indexes.ts';
import { ok } from '../../src/kernel/result.ts';
import { failed } from '../support/fake-graphdb.ts';
import { pollOnce } from '../support/poll-results.ts';

describe('vector_indexes', () => {
  it('shows the engines that rebuild, and 0 for indexes that are ready', async () => {
    const { error, lines, calls } = await pollOnce(vectorIndexes, {
      graphs: ok(['fraud', 'risk']),
      vectorStatus: { fraud: ok({ graph: 'fraud', rebuilding: 2 }), risk: ok({ graph: 'risk', rebuilding: 0 }) },
    });
    expect(error).toBeUndefined();
    expect(calls).toEqual(['graphs', 'vectorStatus fraud', 'vectorStatus risk']);
    expect(lines).toEqual([
      'graphdb_vector_index_rebuilding_engines{graph="fraud"} 2',
      'graphdb_vector_index_rebuilding_engines{graph="risk"} 0',
      'graphdb_vector_index_uncounted_graphs 0',
    ]);
  });

  it('requests the first graphs only, and counts the others', async () => {
    const graphs = Array.from({ length: 1000 }, (_, at) => `g${String(at).padStart(4, '0')}`);
    const requested = Object.fromEntries(graphs.slice(0, 100).map((graph) => [graph, ok({ graph, rebuilding: 0 })]));
    const { lines, calls } = await pollOnce(vectorIndexes, { graphs: ok(graphs), vectorStatus: requested });
    expect(calls).toHaveLength(101);
    expect(lines.at(-1)).toBe('graphdb_vector_index_uncounted_graphs 900');
  });

  it('keeps the graphs that answered when another fails', async () => {
    const answers = { fraud: ok({ graph: 'fraud', rebuilding: 0 }), risk: failed('auth') };
    const { error, lines } = await pollOnce(vectorIndexes, { graphs: ok(['fraud', 'risk']), vectorStatus: answers });
    expect([error?.reason, lines[0]]).toEqual(['auth', 'graphdb_vector_index_rebuilding_engines{graph="fraud"} 0']);
  });

  it.each(['unsupported', 'auth'] as const)('returns the failure %s unchanged', async (reason) => {
    const { error, lines } = await pollOnce(vectorIndexes, { graphs: ok(['g']), vectorStatus: { g: failed(reason) } });
    expect([error?.reason, lines]).toEqual([reason, []]);
  });
});
