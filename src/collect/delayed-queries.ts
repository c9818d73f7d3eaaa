import type { GraphDb } from '../graphdb/graph-db.ts';
import { gauge, type Sample } from '../metric/metric.ts';
import type { DelayedQuery } from '../model/query.ts';
import { collector, type ReadResult } from './collector.ts';
import { perGraph } from './per-graph.ts';

/** What waits on a node, and the graphs that the list speaks for. */
interface DelayedFacts {
  readonly graphs: readonly string[];
  readonly queries: readonly DelayedQuery[];
}

const source = 'GET /restpp/showdelayedlistall';

const delayed = gauge({
  name: 'graphdb_queries_delayed',
  help: 'Queries that wait in the delay queue of the node; 0 for a known graph without one.',
  labels: ['graph'],
  source: `${source}: entries`,
});

const oldestAge = gauge({
  name: 'graphdb_delayed_query_oldest_age_seconds',
  help: 'Longest time that a query has waited in the delay queue: elapsedTime, ms / 1000; 0 without a query.',
  labels: ['graph'],
  source: `${source}: elapsedTime`,
});

/** The queries that wait on one node. Their partial ids collide, so every entry counts. */
export const delayedQueries = collector<DelayedFacts>({
  name: 'delayed_queries',
  about: 'Delayed queries of a node and how long the oldest has waited.',
  scope: 'node',
  metrics: [delayed, oldestAge],
  defaults: { enabled: true, every: 5000, timeout: 3000 },
  calls: ['graphs', 'delayedList'],
  privilege: 'READ_DATA, global',
  read,
  samples,
  listed: (facts) =>
    facts.queries.map(({ partialId, graph, query, kind, elapsed }) => ({
      state: 'delayed',
      id: partialId,
      graph,
      query,
      kind,
      age: elapsed,
    })),
});

async function read(db: GraphDb, signal: AbortSignal): Promise<ReadResult<DelayedFacts>> {
  const graphs = await db.graphs(signal);
  const list = await db.delayedList(signal);
  if (!list.ok) return list;
  if (!graphs.ok) return { ...graphs, partial: { graphs: [], queries: list.value } };
  return { ok: true, value: { graphs: graphs.value, queries: list.value } };
}

function samples({ graphs, queries }: DelayedFacts): Iterable<Sample> {
  const ages = queries.values().map(({ graph, elapsed }) => ({ graph, age: elapsed }));
  return perGraph({ count: delayed, oldest: oldestAge }, graphs, ages);
}
