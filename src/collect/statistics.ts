import type { GraphDb } from '../graphdb/graph-db.ts';
import { inSeconds } from '../kernel/time.ts';
import { gauge, type Sample, sample, summary } from '../metric/metric.ts';
import type { EndpointStatistics } from '../model/query.ts';
import { askEach } from './ask-each.ts';
import { collector, type ReadResult } from './collector.ts';
import { distinct, keyOf } from './distinct.ts';
import { mapRead } from './map-read.ts';

const source = 'GET /restpp/statistics/{graph}?seconds=60&segments=100';
const endpoint = ['graph', 'method', 'path'] as const;

/** The quantiles that are shown, in percent: a sum of tenths would miss its element of the list. */
const shownPercents = [50, 90, 99];

const windowRequests = gauge({
  name: 'graphdb_endpoint_window_requests',
  help: 'Requests of the last 60 seconds: CompletedRequests (completed) and TimeoutRequests (timeout).',
  labels: [...endpoint, 'outcome'],
  source: `${source}: CompletedRequests, TimeoutRequests`,
});

const requestsPerSecond = gauge({
  name: 'graphdb_endpoint_requests_per_second',
  help: 'Completed requests per second as the server counts them over the last 60 seconds: QPS.',
  labels: endpoint,
  source: `${source}: QPS`,
});

const latencyAverage = gauge({
  name: 'graphdb_endpoint_latency_average_seconds',
  help: 'Average latency of the requests completed in the last 60 seconds: AverageLatency, ms / 1000.',
  labels: endpoint,
  source: `${source}: AverageLatency`,
});

const latencyMinimum = gauge({
  name: 'graphdb_endpoint_latency_min_seconds',
  help: 'Lowest latency of the requests completed in the last 60 seconds: MinLatency, ms / 1000.',
  labels: endpoint,
  source: `${source}: MinLatency`,
});

const latencyMaximum = gauge({
  name: 'graphdb_endpoint_latency_max_seconds',
  help: 'Highest latency of the requests completed in the last 60 seconds: MaxLatency, ms / 1000.',
  labels: endpoint,
  source: `${source}: MaxLatency`,
});

const latency = summary({
  name: 'graphdb_endpoint_latency_seconds',
  help: 'Quantiles of latency over the last 60 seconds: LatencyPercentile, upper bucket bounds, ms / 1000; may exceed the highest latency.',
  labels: [...endpoint, 'quantile'],
  source: `${source}: LatencyPercentile`,
});

/** What each endpoint did on one node in the last minute, asked for graph by graph. */
export const statistics = collector<readonly EndpointStatistics[]>({
  name: 'statistics',
  about: 'Requests, time-outs and latency of every query endpoint over the last minute.',
  scope: 'node',
  metrics: [windowRequests, requestsPerSecond, latencyAverage, latencyMinimum, latencyMaximum, latency],
  defaults: { enabled: true, every: 30_000, timeout: 5000 },
  calls: ['graphs', 'statistics'],
  privilege: '',
  read,
  samples,
});

async function read(db: GraphDb, signal: AbortSignal): Promise<ReadResult<readonly EndpointStatistics[]>> {
  const graphs = await db.graphs(signal);
  if (!graphs.ok) return graphs;
  const answers = await askEach(graphs.value, (graph) => db.statistics(graph, signal));
  return mapRead(answers, (perGraph) => perGraph.flat());
}

function* samples(rows: readonly EndpointStatistics[]): Generator<Sample> {
  const named = rows.values().map((row) => ({ row, labels: labelsOf(row) }));
  const onceEach = distinct(named, ({ labels }) => keyOf(labels.graph, labels.method, labels.path));
  for (const { row, labels } of onceEach) yield* endpointSamples(row, labels);
}

function* endpointSamples(row: EndpointStatistics, labels: ReturnType<typeof labelsOf>): Generator<Sample> {
  yield sample(windowRequests, { ...labels, outcome: 'completed' }, row.completed);
  yield sample(windowRequests, { ...labels, outcome: 'timeout' }, row.timeouts);
  yield sample(requestsPerSecond, labels, row.perSecond);
  if (row.completed === 0) return; // the latency of nothing is unknown, not 0
  yield sample(latencyAverage, labels, inSeconds(row.average));
  yield sample(latencyMinimum, labels, inSeconds(row.minimum));
  yield sample(latencyMaximum, labels, inSeconds(row.maximum));
  for (const percent of shownPercents) {
    const bound = row.percentiles[Math.ceil((percent * row.percentiles.length) / 100) - 1];
    if (bound !== undefined) yield sample(latency, { ...labels, quantile: String(percent / 100) }, inSeconds(bound));
  }
}

function labelsOf(row: EndpointStatistics): Record<'graph' | 'method' | 'path', string> {
  const path = row.path.split('?', 1)[0] ?? '';
  return { graph: graphOf(row.graph, path), method: row.method, path };
}

/**
 * The graph that a path speaks of. Answers for several graphs repeat what belongs to none (`/statistics`)
 * or to another: without this every sum would count it once per graph.
 */
function graphOf(asked: string, path: string): string {
  const segments = path.split('/');
  const [, kind, graph] = segments;
  if (kind === 'query' && graph !== undefined && !graph.startsWith('{')) return graph;
  return segments.some((segment) => segment === asked || segment.startsWith('{graph')) ? asked : '';
}
