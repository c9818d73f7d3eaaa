import { expect, it, onTestFinished } from 'vitest';
import type { Span, SpanReference } from '../../src/model/span.ts';
import { readExposition } from '../support/exposition.ts';
import { send } from '../support/http.ts';
import { RecordedSpans } from '../support/recorded-spans.ts';
import { listen } from '../support/reusable-port.ts';
import { startSimulatedReceivers } from '../support/simulated-receivers.ts';
import { startEnvironment } from './guard-environment.ts';
import { NetworkClock } from './network-clock.ts';

const guard = {
  mode: 'enforce',
  policies: [{ name: 'runaway', mode: 'enforce', when: { query: 'ring_*', age: '> 20s' }, grace: '5s' }],
};
const order = { node: 'm1', graph: 'fraud', query: 'ring_scan', runsFor: 3_600_000, timeout: 3_600_000 };
const openMetrics = { accept: 'application/openmetrics-text; version=1.0.0' };

/** Traced daemon that guards two nodes and sends all alerts to a receiver. */
async function traced(recordedSpans: RecordedSpans) {
  const clock = new NetworkClock();
  const receivers = await startSimulatedReceivers([{ name: 'oncall', kind: 'webhook' }], { listen, clock });
  onTestFinished(() => receivers.close());
  const notified = receivers.all.map(({ name, url }) => ({ name, webhook: { url } }));
  const routes = [{ receivers: ['oncall'], group_wait: '1s', group_interval: '1s' }];
  const environment = await startEnvironment({
    guard,
    clock,
    simulated: { nodes: 2 },
    world: { spans: recordedSpans, spanExports: recordedSpans },
    more: { alerts: { receivers: notified, routes } },
  });
  onTestFinished(() => environment.stop());
  return { environment: environment, receivers };
}

function rootAt(recordedSpans: RecordedSpans, { traceId, spanId }: SpanReference): Span | undefined {
  return recordedSpans.spans.find(
    (one) => one.traceId === traceId && one.spanId === spanId && one.parentId === undefined,
  );
}

it('an abort links to the cycle with the list of the query, also if that trace was not sampled', async () => {
  const recordedSpans = new RecordedSpans(() => false);
  const { environment } = await traced(recordedSpans);
  environment.simulator.control.startQuery(order);
  await environment.run(60_000);
  const [arrived = expect.fail(), ...others] = environment.simulator.aborts();
  expect(others).toEqual([]);
  const [abort = expect.fail()] = recordedSpans.roots('abort query');
  expect(abort.attributes).toMatchObject({ 'graphwarden.node': 'm1', 'graphwarden.outcome': 'accepted' });
  expect(recordedSpans.childrenOf(abort).map(({ name }) => name)).toEqual(['GET /restpp/abortquery/{graph}']);
  const [seen = expect.fail()] = abort.links;
  const cycle = rootAt(recordedSpans, seen) ?? expect.fail('the cycle was not kept');
  expect(cycle).toMatchObject({ name: 'collect queries', attributes: { 'graphwarden.node': 'm1' } });
  expect(cycle.start).toBeLessThanOrEqual(abort.start);
  expect(abort.start - cycle.start).toBeLessThan(5000);
  expect(recordedSpans.childrenOf(cycle).map(({ name }) => name)).toContain('GET /restpp/showprocesslistall');
  expect(arrived).toBeDefined();
  // Of the many good cycles beside it, none.
  const kept = recordedSpans.roots('collect queries').filter(({ error }) => error === undefined);
  expect(kept.length).toBeLessThanOrEqual(2);
});

it('a notification links to the poll cycle that failed', async () => {
  const recordedSpans = new RecordedSpans(() => false);
  const { environment, receivers } = await traced(recordedSpans);
  await environment.run(10_000);
  await environment.clock.through(environment.simulator.control.stopNode('m2'));
  await environment.run(180_000);
  expect(receivers.requests().length).toBeGreaterThanOrEqual(1);
  const notified = recordedSpans
    .roots('notify oncall')
    .filter(({ attributes }) => String(attributes['graphwarden.rules']).includes('node_unreachable'));
  const [first = expect.fail()] = notified;
  expect(first).toMatchObject({
    kind: 'client',
    attributes: {
      'graphwarden.outcome': 'accepted',
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'server.address': '127.0.0.1',
      'url.full': expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/REDACTED$/),
    },
  });
  // The first link is the incident, which is still open.
  const cycles = first.links.slice(1).map((link) => rootAt(recordedSpans, link));
  expect(cycles.length).toBeGreaterThanOrEqual(1);
  expect(cycles.filter((one) => one?.error === undefined)).toEqual([]);
  expect(cycles.map((one) => one?.attributes['graphwarden.node'])).toContain('m2');
});

it('healthy cycles are traced by default only if an abort or a notification links to them', async () => {
  const recordedSpans = new RecordedSpans();
  const { environment } = await traced(recordedSpans);
  environment.simulator.control.startQuery(order);
  await environment.run(60_000);
  const [abort = expect.fail()] = recordedSpans.roots('abort query');
  const links = abort.links.map((link) => rootAt(recordedSpans, link));
  expect(new Set(links.map((span) => span?.name))).toEqual(new Set(['RUN QUERY ring_scan', 'collect queries']));
  const notifications = recordedSpans.roots('notify oncall');
  expect(notifications.length).toBeGreaterThanOrEqual(1);
  const about = notifications.filter(({ attributes }) =>
    String(attributes['graphwarden.rules']).includes('query_aborted'),
  );
  expect(about.length).toBeGreaterThanOrEqual(1);
  const isLinkToAbort = ({ spanId }: SpanReference) => spanId === abort.spanId;
  expect(about.filter((span) => !span.links.some(isLinkToAbort))).toEqual([]);
  const linked = new Set([abort, ...notifications].flatMap((span) => span.links.map(({ traceId }) => traceId)));
  const healthy = recordedSpans.spans.filter(({ name, error }) => name.startsWith('collect ') && error === undefined);
  expect(healthy.filter(({ traceId }) => !linked.has(traceId))).toEqual([]);
});

it('the duration of a query has an exemplar with its span', async () => {
  const recordedSpans = new RecordedSpans();
  const { environment } = await traced(recordedSpans);
  environment.simulator.control.startQuery(order);
  await environment.run(90_000);
  const { text } = await environment.clock.through(
    send(`${environment.daemon().url}/metrics`, { headers: openMetrics }),
  );
  const family = readExposition(text, 'openmetrics').get('graphdb_long_query_duration_seconds');
  const found = family?.samples.filter(({ exemplar }) => exemplar !== undefined) ?? [];
  const [bucket = expect.fail()] = found.filter(({ labels }) => labels.outcome === 'aborted');
  const { trace_id: traceId = '', span_id: spanId = '' } = bucket.exemplar?.labels ?? {};
  expect(bucket.labels).toMatchObject({ node: 'm1', graph: 'fraud', query: 'ring_scan' });
  expect(rootAt(recordedSpans, { traceId, spanId })).toMatchObject({ name: 'RUN QUERY ring_scan', kind: 'server' });
  const [abort = expect.fail()] = recordedSpans.roots('abort query');
  expect(abort.links).toContainEqual({ traceId, spanId });
});
