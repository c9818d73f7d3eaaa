import { describe, expect, it } from 'vitest';
import { statistics } from '../../src/collect/statistics.ts';
import { ok } from '../../src/kernel/result.ts';
import type { EndpointStatistics } from '../../src/model/query.ts';
import { failed } from '../support/fake-graphdb.ts';
import { pollOnce } from '../support/poll-results.ts';

const scan: EndpointStatistics = {
  graph: 'fraud',
  method: 'GET',
  path: '/query/fraud/ring_scan',
  completed: 41,
  timeouts: 2,
  perSecond: 0.68,
  average: 812,
  minimum: 14,
  maximum: 9120,
  percentiles: [50, 80, 120, 200, 300, 500, 900, 1500, 4000, 10000],
};
const labels = 'graph="fraud",method="GET",path="/query/fraud/ring_scan"';

async function show(...rows: readonly EndpointStatistics[]): Promise<readonly string[]> {
  return (await pollOnce(statistics, { graphs: ok(['fraud']), statistics: { fraud: ok(rows) } })).lines;
}

async function quantiles(percentiles: readonly number[]): Promise<readonly string[]> {
  const lines = await show({ ...scan, percentiles });
  return lines.filter((line) => line.startsWith('graphdb_endpoint_latency_seconds{'));
}

async function endpointsOf(calls: Readonly<Record<string, readonly string[]>>): Promise<readonly string[]> {
  const answers = Object.entries(calls).map(([graph, paths]) => [
    graph,
    ok(paths.map((path) => ({ ...scan, graph, path }))),
  ]);
  const script = { graphs: ok(Object.keys(calls)), statistics: Object.fromEntries(answers) };
  const { lines } = await pollOnce(statistics, script);
  const shown = lines.filter((line) => line.startsWith('graphdb_endpoint_requests_per_second'));
  return shown.map((line) => line.replace(/^.*graph="(.*)",method="GET",path="(.*)".*$/, '$1 $2'));
}

describe('statistics', () => {
  it('exposes an endpoint in requests and seconds', async () => {
    expect(await show(scan)).toEqual([
      `graphdb_endpoint_recent_requests{${labels},outcome="completed"} 41`,
      `graphdb_endpoint_recent_requests{${labels},outcome="timeout"} 2`,
      `graphdb_endpoint_requests_per_second{${labels}} 0.68`,
      `graphdb_endpoint_latency_average_seconds{${labels}} 0.812`,
      `graphdb_endpoint_latency_min_seconds{${labels}} 0.014`,
      `graphdb_endpoint_latency_max_seconds{${labels}} 9.12`,
      `graphdb_endpoint_latency_seconds{${labels},quantile="0.5"} 0.3`,
      `graphdb_endpoint_latency_seconds{${labels},quantile="0.9"} 4`,
      `graphdb_endpoint_latency_seconds{${labels},quantile="0.99"} 10`,
      'graphdb_endpoint_uncounted_graphs 0',
    ]);
  });

  it('requests the first hundred graphs, and counts the others', async () => {
    const graphs = Array.from({ length: 10_000 }, (_, at) => `g${10_000 + at}`);
    const requested = Object.fromEntries(graphs.slice(0, 100).map((graph) => [graph, ok([])]));
    const { lines, calls } = await pollOnce(statistics, { graphs: ok(graphs), statistics: requested });
    expect(calls).toHaveLength(101);
    expect(lines).toEqual(['graphdb_endpoint_uncounted_graphs 9900']);
  });

  it('exposes no latency without completed requests, because it would be 0 seconds', async () => {
    expect(await show({ ...scan, completed: 0, perSecond: 0 })).toEqual([
      `graphdb_endpoint_recent_requests{${labels},outcome="completed"} 0`,
      `graphdb_endpoint_recent_requests{${labels},outcome="timeout"} 2`,
      `graphdb_endpoint_requests_per_second{${labels}} 0`,
      'graphdb_endpoint_uncounted_graphs 0',
    ]);
  });

  it.each<[string, readonly number[], readonly number[]]>([
    ['100 segments', Array.from({ length: 100 }, (_, at) => (at + 1) * 1000), [50, 90, 99]],
    ['10 segments', Array.from({ length: 10 }, (_, at) => (at + 1) * 1000), [5, 9, 10]],
    ['3 segments', [1000, 2000, 3000], [2, 3, 3]],
    ['1 segment', [7000], [7, 7, 7]],
    ['none', [], []],
  ])('exposes the quantiles from %s', async (_, percentiles, expected) => {
    const shown = ['0.5', '0.9', '0.99'].slice(0, expected.length);
    expect(await quantiles(percentiles)).toEqual(
      shown.map((quantile, at) => `graphdb_endpoint_latency_seconds{${labels},quantile="${quantile}"} ${expected[at]}`),
    );
  });

  it('requests each graph, and keeps templates as the path', async () => {
    expect(await endpointsOf({ fraud: ['/graph/{graph_name}/vertices/{vertex_type}'], risk: [] })).toEqual([
      'fraud /graph/{graph_name}/vertices/{vertex_type}',
    ]);
  });

  it('exposes an endpoint once that several graphs return', async () => {
    const query = '/query/fraud/ring_scan';
    expect(await endpointsOf({ fraud: ['/statistics', query], risk: ['/statistics', query, '/echo'] })).toEqual([
      ' /statistics',
      `fraud ${query}`,
      ' /echo',
    ]);
  });

  it('keeps the same endpoint of two graphs separate', async () => {
    const template = '/graph/{graph_name}/edges';
    const calls = { fraud: ['/query/{graph_name}/{query_name}'], risk: ['/query/{graph_name}/{query_name}'] };
    expect(await endpointsOf(calls)).toEqual([
      'fraud /query/{graph_name}/{query_name}',
      'risk /query/{graph_name}/{query_name}',
    ]);
    const named = { fraud: ['/graph/fraud/edges', template], risk: ['/graph/risk/edges', template] };
    expect(await endpointsOf(named)).toEqual([
      'fraud /graph/fraud/edges',
      `fraud ${template}`,
      'risk /graph/risk/edges',
      `risk ${template}`,
    ]);
  });

  it('shows both of two graphs with the same built-in endpoint, which names no graph', async () => {
    const path = '/graph/vertices/{vertex_type}/{vertex_id}';
    expect(await endpointsOf({ fraud: [path], risk: [path] })).toEqual([`fraud ${path}`, `risk ${path}`]);
  });

  it('shows no negative quantile, which a strict parser rejects', async () => {
    expect(await quantiles([-5, -5, 10])).toEqual([
      `graphdb_endpoint_latency_seconds{${labels},quantile="0.9"} 0.01`,
      `graphdb_endpoint_latency_seconds{${labels},quantile="0.99"} 0.01`,
    ]);
  });

  it('never exposes the query string of a URL', async () => {
    expect((await show({ ...scan, path: '/query/fraud/ring_scan?account=4711' }))[2]).toBe(
      `graphdb_endpoint_requests_per_second{${labels}} 0.68`,
    );
  });

  it('keeps the graphs that answered when one fails', async () => {
    const { error, lines, calls } = await pollOnce(statistics, {
      graphs: ok(['risk', 'fraud']),
      statistics: { risk: failed('auth'), fraud: ok([scan]) },
    });
    expect(error?.reason).toBe('auth');
    expect(calls).toEqual(['graphs', 'statistics risk', 'statistics fraud']);
    expect(lines).toHaveLength(10);
  });

  it('fails when no graph answers, or the graphs are unknown', async () => {
    const refused = await pollOnce(statistics, { graphs: ok(['fraud']), statistics: { fraud: failed('status') } });
    expect(refused).toMatchObject({ error: { reason: 'status' }, lines: [] });
    const unknown = await pollOnce(statistics, { graphs: failed('timeout') });
    expect(unknown).toMatchObject({ error: { reason: 'timeout' }, lines: [] });
  });

  it('succeeds on a server without graphs', async () => {
    expect(await pollOnce(statistics, { graphs: ok([]) })).toEqual({
      error: undefined,
      lines: ['graphdb_endpoint_uncounted_graphs 0'],
      calls: ['graphs'],
    });
  });
});
