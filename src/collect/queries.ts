import type { GraphDb, RawProcessList } from '../graphdb/graph-db.ts';
import { mapResult } from '../kernel/result.ts';
import type { Instant, Millis } from '../kernel/time.ts';
import { gauge, type Sample, sample } from '../metric/metric.ts';
import type { ListedQuery, RunningQuery } from '../model/query.ts';
import { type Collector, collector, type PollOutcome } from './collector.ts';
import { distinctBy, getOrCreate } from './keyed-rows.ts';
import { isOverdue, perGraphSamples, queryAge } from './per-graph.ts';
import { mapPollOutcome, pollEach } from './poll-each.ts';

/** Running queries of a node, and the graphs that the list covers. */
interface RunningFacts {
  readonly graphs: readonly string[];
  readonly queries: readonly RunningQuery[];
  /** Absent if the list was read graph by graph. */
  readonly raw?: RawProcessList;
}

/** Maximum number of graphs whose queries are listed one by one. */
const maxGraphs = 1000;

const source = 'GET /restpp/showprocesslistall or /restpp/showprocesslist/{graph}';

const running = gauge({
  name: 'graphdb_queries_running',
  help: 'Running queries of the node; 0 for a known graph without queries, of the first 1000 in alphabetical order.',
  labels: ['graph'],
  source: `${source}: entries`,
});

const oldestAge = gauge({
  name: 'graphdb_query_oldest_age_seconds',
  help: 'Age of the oldest running query in seconds; 0 without queries, absent if no age is known.',
  labels: ['graph'],
  source: `${source}: elapsedTime, requestid`,
});

const overdue = gauge({
  name: 'graphdb_queries_overdue',
  help: 'Running queries that exceed their granted timeout, or collectors.queries.overdue_after if that is set.',
  labels: ['graph', 'query'],
  source: `${source}: elapsedTime, startTime, expirationTime, requestid`,
});

/** Running queries of one node, from the cheapest list that the privileges allow. */
export const queries = queriesCollector(Number.POSITIVE_INFINITY);

/** Creates the collector; queries older than `overdueAfter` are overdue, whatever their timeout. */
function queriesCollector(overdueAfter: Millis): Collector {
  return collector<RunningFacts>({
    name: 'queries',
    about: 'Running queries of a node, the age of the oldest one, and queries past their timeout.',
    scope: 'node',
    metrics: [running, oldestAge, overdue],
    defaults: { enabled: true, interval: 5000, timeout: 3000 },
    calls: ['graphs', 'processListAll', 'processList'],
    privilege: 'READ_DATA, global or on each graph',
    poll,
    samples: (facts, at) => samples(facts, at, overdueAfter),
    processList: ({ raw }) => raw,
    listedQueries: (facts, at) => facts.queries.map((query) => toListedQuery(query, at, overdueAfter)),
    withOverdueAfter: queriesCollector,
  });
}

async function poll(db: GraphDb, signal: AbortSignal): Promise<PollOutcome<RunningFacts>> {
  const graphs = await db.graphs(signal);
  const known = graphs.ok ? graphs.value : [];
  const all = await db.processListAll(signal);
  if (!all.ok)
    return all.error.reason === 'auth' && known.length > 0 ? pollEachGraph(db, known.slice(0, maxGraphs), signal) : all;
  const facts = { graphs: known, ...all.value };
  return graphs.ok ? { ok: true, value: facts } : { ...graphs, partial: facts };
}

/** Polls graph by graph, without the global privilege. A graph whose list failed is not exposed as idle. */
async function pollEachGraph(
  db: GraphDb,
  graphs: readonly string[],
  signal: AbortSignal,
): Promise<PollOutcome<RunningFacts>> {
  const lists = await pollEach(graphs, async (graph) =>
    mapResult(await db.processList(graph, signal), (listed) => ({ graph, listed })),
  );
  return mapPollOutcome(lists, (answered) => ({
    graphs: answered.map(({ graph }) => graph),
    // A built-in query that belongs to no graph is in the list of every graph.
    queries: [
      ...distinctBy(
        answered.flatMap(({ listed }) => listed),
        ({ requestId }) => requestId,
      ),
    ],
  }));
}

function* samples({ graphs, queries: listed }: RunningFacts, at: Instant, overdueAfter: Millis): Generator<Sample> {
  const ages = listed.values().map((query) => ({ graph: query.graph, age: queryAge(query, at) }));
  yield* perGraphSamples({ count: running, oldest: oldestAge }, graphs, ages);
  yield* overdueSamples(listed, at, overdueAfter);
}

/** Yields a series for each listed query, so that the first overrun of a query is an increase from 0. */
function* overdueSamples(listed: readonly RunningQuery[], at: Instant, overdueAfter: Millis): Generator<Sample> {
  const late = new Map<string, Map<string, { count: number }>>();
  for (const query of listed) {
    const name = query.kind === 'installed' ? query.query : query.kind;
    const counter = getOrCreate(
      getOrCreate(late, query.graph, () => new Map()),
      name,
      () => ({ count: 0 }),
    );
    if (isOverdue(query, at, overdueAfter)) counter.count += 1;
  }
  for (const [graph, counters] of late) {
    for (const [query, { count }] of counters) yield sample(overdue, { graph, query }, count);
  }
}

function toListedQuery(query: RunningQuery, at: Instant, overdueAfter: Millis): ListedQuery {
  const { graph, query: name, kind, requestId: id, grantedTimeout } = query;
  const age = queryAge(query, at);
  return {
    state: 'running',
    id,
    graph,
    query: name,
    kind,
    ...(age === undefined ? {} : { age: Math.max(0, age) }),
    ...(grantedTimeout === undefined ? {} : { grantedTimeout }),
    ...(isOverdue(query, at, overdueAfter) && { overdue: true }),
  };
}
