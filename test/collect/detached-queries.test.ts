import { describe, expect, it } from 'vitest';
import { detachedQueries } from '../../src/collect/detached-queries.ts';
import { ok } from '../../src/kernel/result.ts';
import type { DetachedQueries, RunningQuery } from '../../src/model/query.ts';
import { failed } from '../support/fake-graphdb.ts';
import { pollEnd, pollOnce } from '../support/poll-results.ts';

const none = { success: 0, timeout: 0, aborted: 0, unknown: 0 };

function query(more: Partial<RunningQuery> = {}): RunningQuery {
  return { requestId: 'CANARY', graph: 'fraud', query: 'ring_scan', kind: 'installed', ...more };
}

function listed(graph: string, running: readonly RunningQuery[], ended = none): DetachedQueries {
  return { graph, running, ended };
}

function endings(graph: string, counts: typeof none): readonly string[] {
  return Object.entries(counts).map(
    ([outcome, count]) => `graphdb_detached_queries_ended_total{graph="${graph}",outcome="${outcome}"} ${count}`,
  );
}

describe('detached_queries', () => {
  it('shows running and overdue queries, the oldest age, and how the others ended', async () => {
    const running = [
      query({ elapsed: 20_000, grantedTimeout: 16_000 }),
      query({ elapsed: 5000, grantedTimeout: 16_000 }),
      query({ arrivedAt: pollEnd.wall - 7000 }),
    ];
    const fraud = listed('fraud', running, { success: 3, timeout: 2, aborted: 1, unknown: 4 });
    const { lines } = await pollOnce(detachedQueries, {
      graphs: ok(['fraud', 'risk']),
      detachedQueries: { fraud: ok(fraud), risk: ok(listed('risk', [])) },
    });
    expect(lines).toEqual([
      'graphdb_detached_queries_running{graph="fraud"} 3',
      'graphdb_detached_queries_running{graph="risk"} 0',
      'graphdb_detached_query_oldest_age_seconds{graph="fraud"} 20',
      'graphdb_detached_query_oldest_age_seconds{graph="risk"} 0',
      'graphdb_detached_queries_overdue{graph="fraud"} 1',
      ...endings('fraud', fraud.ended),
      'graphdb_detached_queries_overdue{graph="risk"} 0',
      ...endings('risk', none),
      'graphdb_detached_queries_uncounted_graphs 0',
    ]);
  });

  it('requests the first graphs only, and counts the others', async () => {
    const graphs = Array.from({ length: 1000 }, (_, at) => `g${String(at).padStart(4, '0')}`);
    const requested = Object.fromEntries(graphs.slice(0, 100).map((graph) => [graph, ok(listed(graph, []))]));
    const { lines, calls } = await pollOnce(detachedQueries, { graphs: ok(graphs), detachedQueries: requested });
    expect(calls).toHaveLength(101);
    expect(lines.at(-1)).toBe('graphdb_detached_queries_uncounted_graphs 900');
  });

  it('keeps the graphs that answered when another fails', async () => {
    const { error, lines } = await pollOnce(detachedQueries, {
      graphs: ok(['fraud', 'risk']),
      detachedQueries: { fraud: ok(listed('fraud', [query()])), risk: failed('auth') },
    });
    expect(error?.reason).toBe('auth');
    expect(lines[0]).toBe('graphdb_detached_queries_running{graph="fraud"} 1');
  });

  it.each(['unsupported', 'auth'] as const)('returns the failure %s unchanged', async (reason) => {
    const script = { graphs: ok(['g']), detachedQueries: { g: failed(reason) } };
    const { error, lines } = await pollOnce(detachedQueries, script);
    expect([error?.reason, lines]).toEqual([reason, []]);
    expect((await pollOnce(detachedQueries, { graphs: failed(reason) })).error?.reason).toBe(reason);
  });
});
