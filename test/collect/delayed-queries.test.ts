import { describe, expect, it } from 'vitest';
import { delayedQueries } from '../../src/collect/delayed-queries.ts';
import { ok } from '../../src/kernel/result.ts';
import type { DelayedQuery } from '../../src/model/query.ts';
import { failed } from '../support/fake-graphdb.ts';
import { pollOnce } from '../support/poll-results.ts';

const waiting: DelayedQuery = {
  graph: 'fraud',
  query: 'ring_scan',
  kind: 'installed',
  partialId: '1790000000942',
  elapsed: 2023,
};

function delayed(graph: string, count: number): string {
  return `graphdb_queries_delayed{graph="${graph}"} ${count}`;
}

function oldest(graph: string, seconds: number): string {
  return `graphdb_delayed_query_oldest_age_seconds{graph="${graph}"} ${seconds}`;
}

describe('delayed_queries', () => {
  it('exposes 0 for each known graph without delayed queries', async () => {
    const { error, lines } = await pollOnce(delayedQueries, { graphs: ok(['fraud', 'risk']), delayedList: ok([]) });
    expect(error).toBeUndefined();
    expect(lines).toEqual([delayed('fraud', 0), delayed('risk', 0), oldest('fraud', 0), oldest('risk', 0)]);
  });

  it('counts every entry, because partial ids collide', async () => {
    const { lines } = await pollOnce(delayedQueries, {
      graphs: ok(['fraud']),
      delayedList: ok([
        waiting,
        { ...waiting, elapsed: 61_000 },
        { ...waiting, graph: 'new' },
        { ...waiting, graph: '' },
      ]),
    });
    expect(lines).toEqual([
      delayed('fraud', 2),
      delayed('new', 1),
      delayed('', 1),
      oldest('fraud', 61),
      oldest('new', 2.023),
      oldest('', 2.023),
    ]);
  });

  it('exposes delayed queries and fails if the list of graphs cannot be requested', async () => {
    const { error, lines } = await pollOnce(delayedQueries, { graphs: failed('auth'), delayedList: ok([waiting]) });
    expect(error?.reason).toBe('auth');
    expect(lines).toEqual([delayed('fraud', 1), oldest('fraud', 2.023)]);
  });

  it('exposes no samples if the list failed', async () => {
    const { error, lines } = await pollOnce(delayedQueries, { graphs: ok(['fraud']), delayedList: failed('auth') });
    expect(error?.reason).toBe('auth');
    expect(lines).toEqual([]);
  });
});

it('delayed_queries › lists waiting queries one by one', () => {
  const at = { wall: 0, mono: 0 };
  expect(delayedQueries.listedQueries?.({ graphs: [], queries: [waiting] }, at)).toEqual([
    { state: 'delayed', id: '1790000000942', graph: 'fraud', query: 'ring_scan', kind: 'installed', age: 2023 },
  ]);
});
