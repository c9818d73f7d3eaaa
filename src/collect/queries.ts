import type { GraphDb } from '../graphdb/graph-db.ts';
import { map } from '../kernel/result.ts';
import type { Instant, Millis } from '../kernel/time.ts';
import { gauge, type Sample, sample } from '../metric/metric.ts';
import type { RunningQuery } from '../model/query.ts';
import { askEach } from './ask-each.ts';
import { collector, type ReadResult } from './collector.ts';
import { distinct, keyOf } from './distinct.ts';
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
    queries: answered.flatMap(({ listed }) => listed),
  }));
}

function* samples(facts: RunningFacts, at: Instant): Generator<Sample> {
  // A built-in that belongs to no graph shows up in the list of every graph.
  const listed = [...distinct(facts.queries, ({ requestId }) => requestId)];
  const aged = listed.map((query) => ({ query, graph: query.graph, age: ageOf(query, at) }));
  yield* perGraph({ count: running, oldest: oldestAge }, facts.graphs, aged);
  yield* overdueSamples(aged);
}

function* overdueSamples(
  aged: readonly { readonly query: RunningQuery; readonly age: Millis | undefined }[],
): Generator<Sample> {
  const late = new Map<string, { graph: string; query: string; count: number }>();
  for (const { query, age } of aged) {
    const name = query.kind === 'installed' ? query.query : query.kind;
    const key = keyOf(query.graph, name);
    const known = late.get(key) ?? { graph: query.graph, query: name, count: 0 };
    const isLate = age !== undefined && query.grantedTimeout !== undefined && age > query.grantedTimeout;
    late.set(key, { ...known, count: known.count + (isLate ? 1 : 0) });
  }
  for (const { graph, query, count } of late.values()) yield sample(overdue, { graph, query }, count);
}

/** Never negative: the node's clock may be ahead of ours. */
function ageOf({ elapsed, arrivedAt }: RunningQuery, at: Instant): Millis | undefined {
  if (elapsed !== undefined) return Math.max(0, elapsed);
  return arrivedAt === undefined ? undefined : Math.max(0, at.wall - arrivedAt);
}
