import type { GraphDb } from '../graphdb/graph-db.ts';
import { gauge, type Sample, sample } from '../metric/metric.ts';
import type { VectorStatus } from '../model/inventory.ts';
import { collector, type PollOutcome } from './collector.ts';
import { distinctBy } from './keyed-rows.ts';
import { mapPollOutcome, pollEach } from './poll-each.ts';

/** Maximum number of graphs whose indexes are requested. */
const maxGraphs = 100;

const rebuilding = gauge({
  name: 'graphdb_vector_index_rebuilding_engines',
  help: 'Number of engines that rebuild vector indexes of the graph; 0 if all indexes are ready for queries.',
  labels: ['graph'],
  source: 'GET /restpp/vector/status/{graph}: NeedRebuildServers',
});

const uncounted = gauge({
  name: 'graphdb_vector_index_uncounted_graphs',
  help: `Number of graphs beyond the first ${maxGraphs} in alphabetical order, whose vector indexes are not requested.`,
  source: 'GET /gsql/v1/schema/graphs',
  countsDropped: true,
});

interface VectorIndexes {
  readonly statuses: readonly VectorStatus[];
  readonly uncounted: number;
}

/** Vector indexes. Until an index is rebuilt, searches do not find the vertices that were loaded last. */
export const vectorIndexes = collector<VectorIndexes>({
  name: 'vector_indexes',
  about:
    'Number of engines that rebuild vector indexes of each graph; requires server version 4.2 or later. One request per graph and poll. Disabled by default.',
  scope: 'cluster',
  metrics: [rebuilding, uncounted],
  defaults: { enabled: false, interval: 300_000, timeout: 30_000 },
  calls: ['graphs', 'vectorStatus'],
  privilege: '',
  poll,
  samples,
});

async function poll(db: GraphDb, signal: AbortSignal): Promise<PollOutcome<VectorIndexes>> {
  const graphs = await db.graphs(signal);
  if (!graphs.ok) return graphs;
  const requested = graphs.value.slice(0, maxGraphs);
  const polled = await pollEach(requested, (graph) => db.vectorStatus(graph, signal));
  return mapPollOutcome(polled, (statuses) => ({ statuses, uncounted: graphs.value.length - requested.length }));
}

function* samples({ statuses, uncounted: more }: VectorIndexes): Generator<Sample> {
  for (const { graph, rebuilding: engines } of distinctBy(statuses, (one) => one.graph)) {
    yield sample(rebuilding, { graph }, engines);
  }
  yield sample(uncounted, {}, more);
}
