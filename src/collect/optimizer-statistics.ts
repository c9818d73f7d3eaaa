import type { GraphDb } from '../graphdb/graph-db.ts';
import { gauge, type Sample, sample } from '../metric/metric.ts';
import type { GraphSize } from '../model/inventory.ts';
import { collector, type PollOutcome } from './collector.ts';
import { otherNames } from './inventory.ts';
import { distinctBy } from './keyed-rows.ts';
import { mapPollOutcome, pollEach } from './poll-each.ts';
import { maxTypes, sumByType, typeSamples } from './type-counts.ts';

const source = 'GET /gsql/v1/stats/cardinality';

/** Maximum number of graphs whose statistics are requested. */
const maxGraphs = 100;

const vertices = gauge({
  name: 'graphdb_optimizer_type_vertices',
  help: `Number of vertices of the type in the stored statistics of the optimizer; type="${otherNames}" are the types beyond the ${maxTypes} largest of the graph.`,
  labels: ['graph', 'type'],
  source: `${source}: vertex_counts`,
});

const edges = gauge({
  name: 'graphdb_optimizer_type_edges',
  help: `Number of edges of the type in the stored statistics of the optimizer; type="${otherNames}" are the types beyond the ${maxTypes} largest of the graph.`,
  labels: ['graph', 'type'],
  source: `${source}: edge_counts`,
});

const otherTypes = gauge({
  name: 'graphdb_optimizer_other_types',
  help: `Number of vertex and edge types in the statistics that are counted as type="${otherNames}".`,
  labels: ['graph'],
  source,
  countsDropped: true,
});

const uncounted = gauge({
  name: 'graphdb_optimizer_uncounted_graphs',
  help: `Number of graphs beyond the first ${maxGraphs} in alphabetical order, whose statistics are not requested.`,
  source: 'GET /gsql/v1/schema/graphs',
  countsDropped: true,
});

interface Statistics {
  readonly sizes: readonly GraphSize[];
  readonly uncounted: number;
}

/** Stored statistics of the optimizer. They do not follow the data, and old ones lead to slow plans. */
export const optimizerStatistics = collector<Statistics>({
  name: 'optimizer_statistics',
  about:
    'Number of vertices and edges by graph and type in the stored statistics of the optimizer, for comparison with `graph_sizes`. One request to the GSQL server per graph and poll. Disabled by default.',
  scope: 'cluster',
  metrics: [vertices, edges, otherTypes, uncounted],
  defaults: { enabled: false, interval: 900_000, timeout: 60_000 },
  calls: ['graphs', 'cardinality'],
  privilege: '',
  poll,
  samples,
});

async function poll(db: GraphDb, signal: AbortSignal): Promise<PollOutcome<Statistics>> {
  const graphs = await db.graphs(signal);
  if (!graphs.ok) return graphs;
  const requested = graphs.value.slice(0, maxGraphs);
  const polled = await pollEach(requested, (graph) => db.cardinality(graph, signal));
  return mapPollOutcome(polled, (sizes) => ({ sizes, uncounted: graphs.value.length - requested.length }));
}

function* samples({ sizes, uncounted: more }: Statistics): Generator<Sample> {
  for (const { graph, ...size } of distinctBy(sizes, (one) => one.graph)) {
    const otherVertices = yield* typeSamples(vertices, graph, sumByType(size.vertices));
    const otherEdges = yield* typeSamples(edges, graph, sumByType(size.edges));
    yield sample(otherTypes, { graph }, otherVertices + otherEdges);
  }
  yield sample(uncounted, {}, more);
}
