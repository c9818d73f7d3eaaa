import { afterEach, expect, it } from 'vitest';
import { type OtlpReceiver, otlpReceiver } from '../support/otlp.ts';
import { type EnvironmentSettings, type GuardEnvironment, startEnvironment } from './guard-environment.ts';
import { errorsOf, exportsTo, spanOfQuery } from './span-lookups.ts';

/** Lists come that often. */
const interval = 5000;
/** What a list may take on its way, there and back. */
const way = 60;

const open: { close: () => Promise<unknown> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

async function traced(settings: Partial<EnvironmentSettings> = {}) {
  const receiver: OtlpReceiver = await otlpReceiver();
  const exports = await exportsTo(receiver.url);
  const environment: GuardEnvironment = await startEnvironment({
    guard: {},
    world: { spanExports: exports },
    ...settings,
  });
  open.push(receiver, { close: () => environment.stop() });
  const sent = async () => {
    await exports.close(5000);
    return receiver.spans;
  };
  const run = (length: number) => environment.run(length);
  return { simulator: environment.simulator, run, exports, sent, node: environment.simulator.nodes[0]?.name ?? '' };
}

it('a query of 30 s is a span from its arrival to its last list, for any clock of its node', async () => {
  const skews = [0, 7_200_000, -45_000];
  for (const clockSkew of skews) {
    const { simulator, run, sent, node } = await traced({ simulated: { clockSkew } });
    await run(23_000);
    const order = { node, graph: 'fraud', query: 'ring_scan', runsFor: 30_000, timeout: 60_000 };
    const query = simulator.control.startQuery({ ...order, parameters: 'customer=canary-42' });
    await run(50_000);
    const spans = await sent();
    const span = spanOfQuery(spans, query?.requestId ?? '');
    const { start, end } = errorsOf(span, query);
    expect(Math.abs(start)).toBeLessThan(interval);
    expect(end).toBeGreaterThanOrEqual(-way);
    expect(end).toBeLessThan(interval + way);
    expect(span).toMatchObject({ name: 'RUN QUERY ring_scan', kind: 2, parentId: '', status: { code: 0 } });
    expect(span.attributes).toMatchObject({
      'db.system.name': 'graphdb',
      'db.namespace': 'fraud',
      'db.operation.name': 'RUN QUERY',
      'db.stored_procedure.name': 'ring_scan',
      'server.address': '127.0.0.1',
      'graphwarden.cluster': 'prod',
      'graphwarden.node': node,
      'graphwarden.query.outcome': 'ended',
      'graphwarden.query.granted_timeout_seconds': 60,
    });
    expect(JSON.stringify(spans, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
      'canary',
    );
  }
});

it('of 1,000 concurrent queries, each that runs for two intervals has exactly one span', async () => {
  const most = { nodes: 2, maxConcurrentQueries: 2000 };
  const { simulator, run, sent, exports } = await traced({ simulated: most });
  await run(11_000);
  const queries = Array.from({ length: 1000 }, (_, at) => {
    const node = simulator.nodes[at % 2]?.name ?? '';
    const runsFor = 1000 + at * 40;
    return simulator.control.startQuery({ node, graph: 'fraud', query: 'pagerank', runsFor, timeout: 600_000 });
  }).filter((query) => query !== undefined);
  expect(queries).toHaveLength(1000);
  await run(70_000);
  const spans = await sent();
  expect(new Set(spans.map(({ traceId, spanId }) => traceId + spanId)).size).toBe(spans.length);
  const lasting = queries.filter(({ runsFor }) => runsFor >= 2 * interval);
  expect(lasting.length).toBeGreaterThan(700);
  const errors = lasting.map((query) => errorsOf(spanOfQuery(spans, query.requestId), query));
  expect(Math.max(...errors.map(({ start }) => Math.abs(start)))).toBeLessThan(interval);
  expect(Math.max(...errors.map(({ end }) => Math.abs(end)))).toBeLessThan(interval + way);
  expect(exports.counts()).toMatchObject({ exported: spans.length, dropped: { queue_full: 0, stopped: 0 } });
});

it('the spans of delayed, timed-out and aborted queries have these attributes', async () => {
  const when = { query: 'pagerank', age: '> 12s' };
  const { simulator, run, sent, node } = await traced({
    simulated: { maxConcurrentQueries: 3 },
    guard: { mode: 'enforce', policies: [{ name: 'runaway', mode: 'enforce', when, grace: '5s' }] },
  });
  // A query that runs at once shows the offset of the server's clock, from which the waiting time follows.
  const start = (query: string, runsFor: number, timeout = 600_000) =>
    simulator.control.startQuery({ node, graph: 'fraud', query, runsFor, timeout });
  start('shortest_path', 20_000);
  await run(12_000);
  const expiring = start('ring_scan', 300_000, 26_000);
  const aborted = start('pagerank', 300_000);
  const waiting = start('ring_scan', 20_000);
  await run(90_000);
  const spans = await sent();
  const outcomes = [expiring, aborted, waiting].map((query) => spanOfQuery(spans, query?.requestId ?? ''));
  expect(outcomes.map(({ attributes }) => attributes['graphwarden.query.outcome'])).toEqual([
    'expired',
    'aborted',
    'ended',
  ]);
  expect(outcomes.map(({ status }) => status.code)).toEqual([2, 2, 0]);
  expect(outcomes.map(({ attributes }) => attributes['error.type'])).toEqual(['timeout', 'aborted', undefined]);
  expect(outcomes[1]?.attributes['graphwarden.query.policy']).toBe('runaway');
  const queued = outcomes.map(({ attributes }) => Number(attributes['graphwarden.query.queued_seconds']));
  expect(queued[0]).toBe(0);
  expect(queued[2]).toBeGreaterThan(3);
});

it('a query that still runs when the daemon stops gets its span from the next daemon', async () => {
  const receiver = await otlpReceiver();
  const first = await exportsTo(receiver.url);
  const environment = await startEnvironment({ guard: {}, world: { spanExports: first } });
  open.push(receiver, { close: () => environment.stop() });
  const node = environment.simulator.nodes[0]?.name ?? '';
  const order = { node, graph: 'fraud', query: 'ring_scan', runsFor: 60_000, timeout: 600_000 };
  const query = environment.simulator.control.startQuery(order);
  await environment.run(20_000);
  await environment.restart();
  await environment.run(60_000);
  await first.close(5000);
  expect(errorsOf(spanOfQuery(receiver.spans, query?.requestId ?? ''), query).end).toBeLessThan(interval + way);
});
