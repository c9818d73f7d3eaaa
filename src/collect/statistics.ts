import type { GraphDb } from '../graphdb/graph-db.ts';
import { toSeconds } from '../kernel/time.ts';
import { gauge, type Sample, sample, summary } from '../metric/metric.ts';
import type { EndpointStatistics } from '../model/query.ts';
import { collector, type PollOutcome } from './collector.ts';
import { compositeKey, distinctBy } from './keyed-rows.ts';
import { mapPollOutcome, pollEach } from './poll-each.ts';

const source = 'GET /restpp/statistics/{graph}?seconds=60&segments=100';
const endpoint = ['graph', 'method', 'path'] as const;

/** Maximum number of graphs whose statistics are requested: the request is sent to every node. */
const maxGraphs = 100;

/** Exposed quantiles in percent. Integers, because the index in the list of percentiles must be exact. */
const shownPercents = [50, 90, 99];

const windowRequests = gauge({
  name: 'graphdb_endpoint_recent_requests',
  help: 'Number of requests that ended in the last 60 seconds, by outcome.',
  labels: [...endpoint, 'outcome'],
  source: `${source}: CompletedRequests, TimeoutRequests`,
});

const requestsPerSecond = gauge({
  name: 'graphdb_endpoint_requests_per_second',
  help: 'Completed requests per second over the last 60 seconds.',
  labels: endpoint,
  source: `${source}: QPS`,
});

const latencyAverage = gauge({
  name: 'graphdb_endpoint_latency_average_seconds',
  help: 'Average latency of the requests completed in the last 60 seconds.',
  labels: endpoint,
  source: `${source}: AverageLatency`,
});

const latencyMinimum = gauge({
  name: 'graphdb_endpoint_latency_min_seconds',
  help: 'Minimum latency of the requests completed in the last 60 seconds.',
  labels: endpoint,
  source: `${source}: MinLatency`,
});

const latencyMaximum = gauge({
  name: 'graphdb_endpoint_latency_max_seconds',
  help: 'Maximum latency of the requests completed in the last 60 seconds.',
  labels: endpoint,
  source: `${source}: MaxLatency`,
});

const latency = summary({
  name: 'graphdb_endpoint_latency_seconds',
  help: 'Quantiles of the latency over the last 60 seconds, as upper bounds of buckets; they may exceed the maximum latency.',
  labels: [...endpoint, 'quantile'],
  source: `${source}: LatencyPercentile`,
});

const uncounted = gauge({
  name: 'graphdb_endpoint_uncounted_graphs',
  help: `Number of graphs beyond the first ${maxGraphs} in alphabetical order, whose statistics are not requested.`,
  source: 'GET /gsql/v1/schema/graphs',
  countsDropped: true,
});

interface NodeStatistics {
  readonly rows: readonly EndpointStatistics[];
  readonly uncounted: number;
}

/** Statistics of every endpoint of one node over the last minute, polled graph by graph. */
export const statistics = collector<NodeStatistics>({
  name: 'statistics',
  about:
    'Requests, timeouts and latency of every query endpoint over the last minute. One request per node, graph and poll.',
  scope: 'node',
  metrics: [windowRequests, requestsPerSecond, latencyAverage, latencyMinimum, latencyMaximum, latency, uncounted],
  defaults: { enabled: true, interval: 60_000, timeout: 5000 },
  calls: ['graphs', 'statistics'],
  privilege: '',
  poll,
  samples,
});

async function poll(db: GraphDb, signal: AbortSignal): Promise<PollOutcome<NodeStatistics>> {
  const graphs = await db.graphs(signal);
  if (!graphs.ok) return graphs;
  const requested = graphs.value.slice(0, maxGraphs);
  const answers = await pollEach(requested, (graph) => db.statistics(graph, signal));
  return mapPollOutcome(answers, (perGraph) => ({
    rows: perGraph.flat(),
    uncounted: graphs.value.length - requested.length,
  }));
}

function* samples({ rows, uncounted: more }: NodeStatistics): Generator<Sample> {
  const named = rows.values().map((row) => ({ row, labels: endpointLabels(row) }));
  const onceEach = distinctBy(named, ({ labels }) => compositeKey(labels.graph, labels.method, labels.path));
  for (const { row, labels } of onceEach) yield* endpointSamples(row, labels);
  yield sample(uncounted, {}, more);
}

function* endpointSamples(row: EndpointStatistics, labels: ReturnType<typeof endpointLabels>): Generator<Sample> {
  yield sample(windowRequests, { ...labels, outcome: 'completed' }, row.completed);
  yield sample(windowRequests, { ...labels, outcome: 'timeout' }, row.timeouts);
  yield sample(requestsPerSecond, labels, row.perSecond);
  // Without completed requests, the latency is unknown and not 0.
  if (row.completed === 0) return;
  yield sample(latencyAverage, labels, toSeconds(row.average));
  yield sample(latencyMinimum, labels, toSeconds(row.minimum));
  yield sample(latencyMaximum, labels, toSeconds(row.maximum));
  for (const percent of shownPercents) {
    const bound = row.percentiles[Math.ceil((percent * row.percentiles.length) / 100) - 1];
    // A quantile below 0 would make a strict parser reject the page.
    if (bound !== undefined && bound >= 0)
      yield sample(latency, { ...labels, quantile: String(percent / 100) }, toSeconds(bound));
  }
}

function endpointLabels(row: EndpointStatistics): Record<'graph' | 'method' | 'path', string> {
  const path = row.path.split('?', 1)[0] ?? '';
  return { graph: graphOfPath(row.graph, path), method: row.method, path };
}

/**
 * Returns the graph that a path belongs to. Replies for several graphs repeat the endpoints of no graph
 * (`/statistics`) or of another graph; without this check, every sum would count them once per graph.
 */
function graphOfPath(requested: string, path: string): string {
  const segments = path.split('/');
  const [, kind, graph] = segments;
  if (kind === 'query' && graph !== undefined && !graph.startsWith('{')) return graph;
  // `/graph/vertices/{vertex_type}` names no graph, but counts the requests of one.
  if (kind === 'graph' && (graph === 'vertices' || graph === 'edges')) return requested;
  return segments.some((segment) => segment === requested || segment.startsWith('{graph')) ? requested : '';
}
