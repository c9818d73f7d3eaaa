import type { GraphDb } from '../graphdb/graph-db.ts';
import { map } from '../kernel/result.ts';
import type { Instant, Millis } from '../kernel/time.ts';
import { gauge, type Sample, sample } from '../metric/metric.ts';
import type { ListedQuery, RunningQuery } from '../model/query.ts';
import { askEach } from './ask-each.ts';
import { collector, type ReadResult } from './collector.ts';
import { distinct } from './distinct.ts';
import { entryOf } from './entry-of.ts';
import { mapRead } from './map-read.ts';
import { perGraph } from './per-graph.ts';

/** What runs on a node, and the graphs that the list speaks for. */
interface RunningFacts {
  readonly graphs: readonly string[];
  readonly queries: readonly RunningQuery[];
}

const source = 'GET /restpp/showprocesslistall or /restpp/showprocesslist/{graph}';

const running = gauge({
  name: 'graphdb_queries_running',
  help: 'Queries in the process list of the node; 0 for a known graph without one.',
  labels: ['graph'],
  source: `${source}: entries`,
});

const oldestAge = gauge({
  name: 'graphdb_query_oldest_age_seconds',
  help: 'Age of the longest running query: elapsedTime, ms / 1000, or the time since the instant in its request id; 0 without a query.',
  labels: ['graph'],
  source: `${source}: elapsedTime, requestid`,
});

const overdue = gauge({
  name: 'graphdb_queries_overdue',
  help: 'Running queries that are older than their granted time-out (expirationTime - startTime); only queries now in the list.',
  labels: ['graph', 'query'],
  source: `${source}: elapsedTime, startTime, expirationTime`,
});

/** The queries that run on one node, by the cheapest list that our privileges allow. */
export const queries = collector<RunningFacts>({
  name: 'queries',
  about: 'Running queries of a node, their oldest age, and those past their time-out.',
  scope: 'node',
  metrics: [running, oldestAge, overdue],
  defaults: { enabled: true, every: 5000, timeout: 3000 },
  calls: ['graphs', 'processListAll', 'processList'],
  privilege: 'READ_DATA, global or on each graph',
  read,
  samples,
  listed: (facts, at) => facts.queries.map((query) => listedQuery(query, at)),
});

async function read(db: GraphDb, signal: AbortSignal): Promise<ReadResult<RunningFacts>> {
  const graphs = await db.graphs(signal);
  const known = graphs.ok ? graphs.value : [];
  const all = await db.processListAll(signal);
  if (!all.ok) return all.error.reason === 'auth' && known.length > 0 ? readEach(db, known, signal) : all;
  const facts = { graphs: known, queries: all.value };
  return graphs.ok ? { ok: true, value: facts } : { ...graphs, partial: facts };
}

/** Without the global privilege: graph by graph. A graph whose list failed is not shown as idle. */
async function readEach(
  db: GraphDb,
  graphs: readonly string[],
  signal: AbortSignal,
): Promise<ReadResult<RunningFacts>> {
  const lists = await askEach(graphs, async (graph) =>
    map(await db.processList(graph, signal), (listed) => ({ graph, listed })),
  );
  return mapRead(lists, (answered) => ({
    graphs: answered.map(({ graph }) => graph),
    // A built-in that belongs to no graph is in the list of every graph.
    queries: [
      ...distinct(
        answered.flatMap(({ listed }) => listed),
        ({ requestId }) => requestId,
      ),
    ],
  }));
}

function* samples({ graphs, queries: listed }: RunningFacts, at: Instant): Generator<Sample> {
  const ages = listed.values().map((query) => ({ graph: query.graph, age: ageOf(query, at) }));
  yield* perGraph({ count: running, oldest: oldestAge }, graphs, ages);
  yield* overdueSamples(listed, at);
}

/** Each seen query has a series, so that its first overrun is a step from 0. */
function* overdueSamples(listed: readonly RunningQuery[], at: Instant): Generator<Sample> {
  const late = new Map<string, Map<string, { count: number }>>();
  for (const query of listed) {
    const name = query.kind === 'installed' ? query.query : query.kind;
    const counter = entryOf(
      entryOf(late, query.graph, () => new Map()),
      name,
      () => ({ count: 0 }),
    );
    if (isOverdue(query, at)) counter.count += 1;
  }
  for (const [graph, counters] of late) {
    for (const [query, { count }] of counters) yield sample(overdue, { graph, query }, count);
  }
}

function isOverdue(query: RunningQuery, at: Instant): boolean {
  const age = ageOf(query, at);
  return age !== undefined && query.grantedTimeout !== undefined && age > query.grantedTimeout;
}

/** Negative where the node's clock is ahead of ours. */
function ageOf({ elapsed, arrivedAt }: RunningQuery, at: Instant): Millis | undefined {
  return elapsed ?? (arrivedAt === undefined ? undefined : at.wall - arrivedAt);
}

function listedQuery(query: RunningQuery, at: Instant): ListedQuery {
  const { graph, query: name, kind, requestId: id, grantedTimeout } = query;
  const age = ageOf(query, at);
  return {
    state: 'running',
    id,
    graph,
    query: name,
    kind,
    ...(age === undefined ? {} : { age: Math.max(0, age) }),
    ...(grantedTimeout === undefined ? {} : { grantedTimeout }),
  };
}
