import type { GraphDb } from '../graphdb/graph-db.ts';
import { gauge, type Sample } from '../metric/metric.ts';
import type { DelayedQuery } from '../model/query.ts';
import { collector, type PollOutcome } from './collector.ts';
import { perGraphSamples } from './per-graph.ts';

/** Delayed queries of a node, and the graphs that the list covers. */
interface DelayedFacts {
  readonly graphs: readonly string[];
  readonly queries: readonly DelayedQuery[];
}

const source = 'GET /restpp/showdelayedlistall';

const delayed = gauge({
  name: 'graphdb_queries_delayed',
  help: 'Delayed queries of the node; 0 for a known graph without queries, of the first 1000 in alphabetical order.',
  labels: ['graph'],
  source: `${source}: entries`,
});

const oldestAge = gauge({
  name: 'graphdb_delayed_query_oldest_age_seconds',
  help: 'Time in seconds that the oldest delayed query has waited; 0 without queries, absent if no age is known.',
  labels: ['graph'],
  source: `${source}: elapsedTime`,
});

/** Delayed queries of one node. Their partial ids collide, so every entry counts. */
export const delayedQueries = collector<DelayedFacts>({
  name: 'delayed_queries',
  about: 'Delayed queries of a node, and the waiting time of the oldest one.',
  scope: 'node',
  metrics: [delayed, oldestAge],
  defaults: { enabled: true, interval: 5000, timeout: 3000 },
  calls: ['graphs', 'delayedList'],
  privilege: 'READ_DATA, global',
  poll,
  samples,
  listedQueries: (facts) =>
    facts.queries.map(({ partialId, graph, query, kind, elapsed }) => ({
      state: 'delayed',
      id: partialId,
      graph,
      query,
      kind,
      ...(elapsed !== undefined && { age: elapsed }),
    })),
});

async function poll(db: GraphDb, signal: AbortSignal): Promise<PollOutcome<DelayedFacts>> {
  const graphs = await db.graphs(signal);
  const list = await db.delayedList(signal);
  if (!list.ok) return list;
  if (!graphs.ok) return { ...graphs, partial: { graphs: [], queries: list.value } };
  return { ok: true, value: { graphs: graphs.value, queries: list.value } };
}

function samples({ graphs, queries }: DelayedFacts): Iterable<Sample> {
  const ages = queries.values().map(({ graph, elapsed }) => ({ graph, age: elapsed }));
  return perGraphSamples({ count: delayed, oldest: oldestAge }, graphs, ages);
}
