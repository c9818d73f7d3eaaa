import { livePageSchema } from '../../api/fields.ts';
import { type EndpointReport, endpointSchema } from '../../api/queries.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import type { Sample } from '../../metric/metric.ts';
import { liveReply } from './live-list.ts';
import { listErrors, pagingParameters } from './paging.ts';
import { filterParameters } from './query-parameters.ts';
import type { RouteDependencies } from './route-dependencies.ts';
import type { Route } from './routes.ts';

const filters: Readonly<Record<string, (item: EndpointReport) => string>> = {
  cluster: (item) => item.cluster,
  node: (item) => item.node,
  graph: (item) => item.graph,
  path: (item) => item.path,
};

/** Returns the list of endpoints with their latency, from the latest statistics. Sends no upstream request. */
export function endpointsRoute(dependencies: Pick<RouteDependencies, 'pipeline' | 'board' | 'replicas'>): Route {
  return {
    method: 'GET',
    path: '/api/v1/endpoints',
    about: 'Lists the endpoints of each node, such as installed queries, with requests and latency of the last minute.',
    parameters: [...filterParameters(Object.keys(filters), endpointSchema), ...pagingParameters],
    response: { type: 'application/json', schema: livePageSchema(endpointSchema) },
    errorResponses: listErrors,
    handle: (request) =>
      liveReply(dependencies.replicas, request, {
        path: '/api/v1/endpoints',
        item: endpointSchema,
        items: reportEndpoints(dependencies),
        filters,
      }),
  };
}

const requests = 'graphdb_endpoint_recent_requests';
const family = 'graphdb_endpoint_latency';

/** Returns the endpoints of all nodes whose latest statistics are neither failed nor overdue. */
function reportEndpoints({
  pipeline,
  board,
}: Pick<RouteDependencies, 'pipeline' | 'board'>): readonly EndpointReport[] {
  return pipeline.feeds().flatMap(({ feed: { cluster, node, collector, definition } }) => {
    const entry = board.latest({ cluster, node, collector });
    const isSource = definition.metrics.some(({ name }) => name === requests);
    if (!isSource || entry?.fresh !== true || !entry.pollResult.result.ok) return [];
    const { result, ended } = entry.pollResult;
    const ofEndpoints = [...definition.samples(result.value, ended)].filter(isOfEndpoint);
    const byEndpoint = Map.groupBy(ofEndpoints, endpointKey);
    const labels = { cluster, node, asOf: formatTimestamp(ended.wall) };
    return [...byEndpoint.values()].map((samples) => ({ ...labels, ...reportEndpoint(samples) }));
  });
}

function isOfEndpoint({ labels }: Sample): boolean {
  return labels.path !== undefined;
}

function endpointKey({ labels: { graph, method, path } }: Sample): string {
  return JSON.stringify([graph, method, path]);
}

function reportEndpoint(samples: readonly Sample[]): Omit<EndpointReport, 'cluster' | 'node' | 'asOf'> {
  const { graph = '', method = '', path = '' } = samples[0]?.labels ?? {};
  const value = (name: string, label: Readonly<Record<string, string>> = {}): number | null =>
    samples.find(
      ({ metric, labels }) =>
        metric.name === name && Object.entries(label).every(([key, wanted]) => labels[key] === wanted),
    )?.value ?? null;
  return {
    graph,
    method,
    path,
    completed: value(requests, { outcome: 'completed' }) ?? 0,
    timeouts: value(requests, { outcome: 'timeout' }) ?? 0,
    averageSeconds: value(`${family}_average_seconds`),
    p50Seconds: value(`${family}_seconds`, { quantile: '0.5' }),
    p90Seconds: value(`${family}_seconds`, { quantile: '0.9' }),
    p99Seconds: value(`${family}_seconds`, { quantile: '0.99' }),
    maxSeconds: value(`${family}_max_seconds`),
  };
}
