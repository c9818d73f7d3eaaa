import type { GraphDb } from '../graphdb/graph-db.ts';
import type { Instant } from '../kernel/time.ts';
import { counter, gauge, type Sample, sample } from '../metric/metric.ts';
import { type DetachedQueries, detachedOutcomes } from '../model/query.ts';
import { collector, type PollOutcome } from './collector.ts';
import { distinctBy } from './keyed-rows.ts';
import { isOverdue, perGraphSamples, queryAge } from './per-graph.ts';
import { mapPollOutcome, pollEach } from './poll-each.ts';

const source = 'GET /restpp/query_status';

/** Maximum number of graphs whose queries are requested. */
const maxGraphs = 100;

const running = gauge({
  name: 'graphdb_detached_queries_running',
  help: 'Queries of the node that run in detached mode (GSQL-ASYNC); graphdb_queries_running contains them as well.',
  labels: ['graph'],
  source: `${source}: status`,
});

const oldestAge = gauge({
  name: 'graphdb_detached_query_oldest_age_seconds',
  help: 'Age of the oldest query that runs in detached mode; 0 without queries, absent if no age is known.',
  labels: ['graph'],
  source: `${source}: elapsedTime, requestid`,
});

const overdue = gauge({
  name: 'graphdb_detached_queries_overdue',
  help: 'Queries in detached mode that exceed their granted timeout; graphdb_queries_overdue contains them as well.',
  labels: ['graph'],
  source: `${source}: elapsedTime, startTime, expirationTime`,
});

const ended = counter({
  name: 'graphdb_detached_queries_ended_total',
  help: 'Total number of queries in detached mode that ended after a poll listed them, by outcome.',
  labels: ['graph', 'outcome'],
  source: `${source}?requestid=…: status`,
});

const uncounted = gauge({
  name: 'graphdb_detached_queries_uncounted_graphs',
  help: `Number of graphs beyond the first ${maxGraphs} in alphabetical order, whose queries in detached mode are not requested.`,
  source: 'GET /gsql/v1/schema/graphs',
  countsDropped: true,
});

interface DetachedFacts {
  readonly graphs: readonly DetachedQueries[];
  readonly uncounted: number;
}

/** Queries in detached mode: no client waits for them, and their outcome is shown nowhere else. */
export const detachedQueries = collector<DetachedFacts>({
  name: 'detached_queries',
  about:
    'Queries in detached mode: number of running and overdue ones, age of the oldest one, and outcome of those that ended. One request per node, graph and poll, and one more when queries of the graph have ended. Disabled by default.',
  scope: 'node',
  metrics: [running, oldestAge, overdue, ended, uncounted],
  defaults: { enabled: false, interval: 120_000, timeout: 20_000 },
  calls: ['graphs', 'detachedQueries'],
  privilege: 'READ_DATA on each graph',
  poll,
  samples,
});

async function poll(db: GraphDb, signal: AbortSignal): Promise<PollOutcome<DetachedFacts>> {
  const graphs = await db.graphs(signal);
  if (!graphs.ok) return graphs;
  const requested = graphs.value.slice(0, maxGraphs);
  const polled = await pollEach(requested, (graph) => db.detachedQueries(graph, signal));
  return mapPollOutcome(polled, (listed) => ({ graphs: listed, uncounted: graphs.value.length - requested.length }));
}

function* samples({ graphs, uncounted: more }: DetachedFacts, at: Instant): Generator<Sample> {
  const distinct = [...distinctBy(graphs, ({ graph }) => graph)];
  const ages = distinct.flatMap((one) => one.running.map((query) => ({ graph: one.graph, age: queryAge(query, at) })));
  yield* perGraphSamples(
    { count: running, oldest: oldestAge },
    distinct.map(({ graph }) => graph),
    ages,
  );
  for (const { graph, running: listed, ended: counts } of distinct) {
    yield sample(overdue, { graph }, listed.filter((query) => isOverdue(query, at)).length);
    for (const outcome of detachedOutcomes) yield sample(ended, { graph, outcome }, counts[outcome]);
  }
  yield sample(uncounted, {}, more);
}
