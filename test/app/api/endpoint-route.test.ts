import { describe, expect, it } from 'vitest';
import { endpointsRoute } from '../../../src/app/api/endpoint-route.ts';
import { createHandler } from '../../../src/app/api/routes.ts';
import { collector } from '../../../src/collect/collector.ts';
import { LatestResults } from '../../../src/collect/latest-results.ts';
import { statistics } from '../../../src/collect/statistics.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import type { EndpointStatistics } from '../../../src/model/query.ts';
import { createRouteDependencies } from '../fake-route-dependencies.ts';
import { clusterOf, configOf, sendRequest, testbed } from '../fakes.ts';

const at = { wall: Date.parse('2026-01-31T12:00:00Z'), mono: 0 };
const scan: EndpointStatistics = {
  graph: 'fraud',
  method: 'GET',
  path: '/query/fraud/ring_scan',
  completed: 41,
  timeouts: 1,
  perSecond: 0.7,
  average: 2100,
  minimum: 100,
  maximum: 8700,
  percentiles: [1500, 9000],
};
const unused = { ...scan, path: '/query/fraud/unused', completed: 0, timeouts: 2 };

/** Two nodes, of which the second has no statistics. */
async function setUp() {
  const bed = testbed();
  const collectors = bed.parts.collectors.map((one) =>
    one.name === 'lists'
      ? collector({ ...one, metrics: statistics.metrics, samples: (facts, ended) => statistics.samples(facts, ended) })
      : one,
  );
  const parts = { ...bed.parts, collectors };
  const { pipeline } = await createRouteDependencies(configOf([clusterOf('prod', ['m1', 'm2'])]), { ...bed, parts });
  const board = new LatestResults();
  const identity = { cluster: 'prod', collector: 'lists' };
  const times = { started: at, ended: at };
  board.record(
    { ...identity, node: 'm1' },
    { result: ok({ rows: [scan, unused], uncounted: 0 }), source: 'm1', ...times },
    Infinity,
  );
  board.record({ ...identity, node: 'm2' }, { result: err(failure('timeout', '')), source: 'm2', ...times }, Infinity);
  const handler = createHandler([endpointsRoute({ pipeline, board })], () => '');
  return async (query = '') => {
    const { status, body } = await sendRequest(handler, `/api/v1/endpoints${query}`);
    return { status, answer: JSON.parse(body) };
  };
}

describe('GET /api/v1/endpoints', () => {
  it('lists requests and latency of each endpoint of the nodes with statistics', async () => {
    const list = await setUp();
    const { status, answer } = await list();
    const identity = { cluster: 'prod', node: 'm1', graph: 'fraud', method: 'GET', asOf: '2026-01-31T12:00:00.000Z' };
    const latency = { averageSeconds: 2.1, p50Seconds: 1.5, p90Seconds: 9, p99Seconds: 9, maxSeconds: 8.7 };
    const unknown = { averageSeconds: null, p50Seconds: null, p90Seconds: null, p99Seconds: null, maxSeconds: null };
    expect(status).toBe(200);
    expect(answer.items).toEqual([
      { ...identity, path: '/query/fraud/ring_scan', completed: 41, timeouts: 1, ...latency },
      { ...identity, path: '/query/fraud/unused', completed: 0, timeouts: 2, ...unknown },
    ]);
  });

  it('filters by parameters', async () => {
    const list = await setUp();
    expect((await list('?path=/query/fraud/unused')).answer.total).toBe(1);
    expect((await list('?graph=other')).answer.total).toBe(0);
    expect((await list('?query=x')).status).toBe(400);
  });
});
