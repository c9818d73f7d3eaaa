import type { GraphDb } from '../graphdb/graph-db.ts';
import { gauge, type Metric, type Sample, sample } from '../metric/metric.ts';
import type { GraphSize, TypeCount } from '../model/inventory.ts';
import { collector, type PollOutcome } from './collector.ts';
import { largestNames, otherNames } from './inventory.ts';
import { distinctBy } from './keyed-rows.ts';
import { mapPollOutcome, pollEach } from './poll-each.ts';

const source = 'POST /restpp/builtins/{graph}';

/** Graphs that are counted, and types of a graph with a series of their own. */
const mostGraphs = 200;
const mostTypes = 50;

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
  help: `Number of vertices of the type; type="${otherNames}" are the types beyond the ${mostTypes} largest of the graph.`,
  labels: ['graph', 'type'],
  source: `${source}: stat_vertex_number`,
});

const typeEdges = gauge({
  name: 'graphdb_graph_type_edges',
  help: `Number of edges of the type; type="${otherNames}" are the types beyond the ${mostTypes} largest of the graph.`,
  labels: ['graph', 'type'],
  source: `${source}: stat_edge_number`,
});

const otherTypes = gauge({
  name: 'graphdb_graph_other_types',
  help: `Number of vertex and edge types that are counted as type="${otherNames}".`,
  labels: ['graph'],
  source,
});

const uncounted = gauge({
  name: 'graphdb_graphs_uncounted',
  help: `Number of graphs beyond the first ${mostGraphs} in the alphabet, whose vertices and edges are not requested.`,
  source: 'GET /gsql/v1/schema/graphs',
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
});

async function poll(db: GraphDb, signal: AbortSignal): Promise<PollOutcome<GraphSizes>> {
  const graphs = await db.graphs(signal);
  if (!graphs.ok) return graphs;
  const counted = graphs.value.slice(0, mostGraphs);
  const polled = await pollEach(counted, (graph) => db.graphSize(graph, signal));
  return mapPollOutcome(polled, (sizes) => ({ sizes, uncounted: graphs.value.length - counted.length }));
}

function* samples({ sizes, uncounted: more }: GraphSizes): Generator<Sample> {
  for (const { graph, ...size } of distinctBy(sizes, (one) => one.graph)) {
    const [vertexCounts, edgeCounts] = [sumByType(size.vertices), sumByType(size.edges)];
    yield sample(vertices, { graph }, total(vertexCounts));
    yield sample(edges, { graph }, total(edgeCounts));
    const otherVertices = yield* typeSamples(typeVertices, graph, vertexCounts);
    const otherEdges = yield* typeSamples(typeEdges, graph, edgeCounts);
    yield sample(otherTypes, { graph }, otherVertices + otherEdges);
  }
  yield sample(uncounted, {}, more);
}

/** Yields the largest types, then the sum of the others; returns the number of the others. */
function* typeSamples(
  metric: Metric<'graph' | 'type'>,
  graph: string,
  counts: ReadonlyMap<string, number>,
): Generator<Sample, number> {
  const shown = largestNames(counts, mostTypes);
  const labels = [...counts].map(([type, count]) => ({ type: shown.has(type) ? type : otherNames, count }));
  for (const [type, count] of sumByType(labels)) yield sample(metric, { graph, type }, count);
  return counts.size - shown.size;
}

function sumByType(counts: readonly TypeCount[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { type, count } of counts) sums.set(type, (sums.get(type) ?? 0) + count);
  return sums;
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
