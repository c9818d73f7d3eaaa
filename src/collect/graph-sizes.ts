import type { GraphDb } from '../graphdb/graph-db.ts';
import { gauge, type Sample, sample } from '../metric/metric.ts';
import type { GraphSize, TypeCount } from '../model/inventory.ts';
import { collector, type PollOutcome } from './collector.ts';
import { otherNames } from './inventory.ts';
import { distinctBy } from './keyed-rows.ts';
import { mapPollOutcome, pollEach } from './poll-each.ts';
import { maxTypes, sumByType, typeSamples } from './type-counts.ts';

const source = 'POST /restpp/builtins/{graph}';

/** Maximum number of graphs whose sizes are polled. */
const maxGraphs = 200;

const vertices = gauge({
  name: 'graphdb_graph_vertices',
  help: 'Number of vertices of the graph.',
  labels: ['graph'],
  source: `${source}: stat_vertex_number`,
});

const edges = gauge({
  name: 'graphdb_graph_edges',
  help: 'Number of edges of the graph.',
  labels: ['graph'],
  source: `${source}: stat_edge_number`,
});

const typeVertices = gauge({
  name: 'graphdb_graph_type_vertices',
  help: `Number of vertices of the type; type="${otherNames}" are the types beyond the ${maxTypes} largest of the graph.`,
  labels: ['graph', 'type'],
  source: `${source}: stat_vertex_number`,
});

const typeEdges = gauge({
  name: 'graphdb_graph_type_edges',
  help: `Number of edges of the type; type="${otherNames}" are the types beyond the ${maxTypes} largest of the graph.`,
  labels: ['graph', 'type'],
  source: `${source}: stat_edge_number`,
});

const otherTypes = gauge({
  name: 'graphdb_graph_other_types',
  help: `Number of vertex and edge types that are counted as type="${otherNames}".`,
  labels: ['graph'],
  source,
  countsDropped: true,
});

const uncounted = gauge({
  name: 'graphdb_graphs_uncounted',
  help: `Number of graphs beyond the first ${maxGraphs} in alphabetical order, whose vertices and edges are not requested.`,
  source: 'GET /gsql/v1/schema/graphs',
  countsDropped: true,
});

interface GraphSizes {
  readonly sizes: readonly GraphSize[];
  readonly uncounted: number;
}

/** Numbers of vertices and edges, from the cache of the server, which updates them as data changes. */
export const graphSizes = collector<GraphSizes>({
  name: 'graph_sizes',
  about:
    'Number of vertices and edges by graph and type, from the cache of the server. Two requests per graph and poll. Disabled by default.',
  scope: 'cluster',
  metrics: [vertices, edges, typeVertices, typeEdges, otherTypes, uncounted],
  defaults: { enabled: false, interval: 300_000, timeout: 60_000 },
  calls: ['graphs', 'graphSize'],
  privilege: 'READ_DATA',
  poll,
  samples,
  contents: ({ sizes }) => ({ graphSizes: distinctSizes(sizes).map(withDistinctTypes) }),
});

async function poll(db: GraphDb, signal: AbortSignal): Promise<PollOutcome<GraphSizes>> {
  const graphs = await db.graphs(signal);
  if (!graphs.ok) return graphs;
  const counted = graphs.value.slice(0, maxGraphs);
  const polled = await pollEach(counted, (graph) => db.graphSize(graph, signal));
  return mapPollOutcome(polled, (sizes) => ({ sizes, uncounted: graphs.value.length - counted.length }));
}

function* samples({ sizes, uncounted: more }: GraphSizes): Generator<Sample> {
  for (const { graph, ...size } of distinctSizes(sizes)) {
    const [vertexCounts, edgeCounts] = [sumByType(size.vertices), sumByType(size.edges)];
    yield sample(vertices, { graph }, total(vertexCounts));
    yield sample(edges, { graph }, total(edgeCounts));
    const otherVertices = yield* typeSamples(typeVertices, graph, vertexCounts);
    const otherEdges = yield* typeSamples(typeEdges, graph, edgeCounts);
    yield sample(otherTypes, { graph }, otherVertices + otherEdges);
  }
  yield sample(uncounted, {}, more);
}

function distinctSizes(sizes: readonly GraphSize[]): readonly GraphSize[] {
  return [...distinctBy(sizes, (one) => one.graph)];
}

function withDistinctTypes({ graph, vertices: vertexCounts, edges: edgeCounts }: GraphSize): GraphSize {
  return { graph, vertices: distinctTypes(vertexCounts), edges: distinctTypes(edgeCounts) };
}

function distinctTypes(counts: readonly TypeCount[]): readonly TypeCount[] {
  return Array.from(sumByType(counts), ([type, count]) => ({ type, count }));
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
