import { describe, expect, it, onTestFinished } from 'vitest';
import type { Span, SpanRecorder } from '../../src/model/span.ts';
import type { SimulatedAuth } from '../../src/simulator/options.ts';
import { otlpReceiver } from '../support/otlp.ts';
import { RecordedSpans } from '../support/recorded-spans.ts';
import { startEnvironment } from './guard-environment.ts';
import { exportsTo } from './span-lookups.ts';

const canary = 'canary-83b1f04e77';
const auth: SimulatedAuth = { kind: 'secret', secret: canary };
const on = { enabled: true };

/** A traced daemon that watches a simulated cluster `prod` of two nodes, m1 and m2. */
async function traced(spans: SpanRecorder) {
  const environment = await startEnvironment({
    guard: {},
    simulated: { nodes: 2, auth },
    cluster: { read_auth: { secret: canary } },
    collectors: { license: on, statistics: on },
    world: { spans },
    more: { telemetry: { traces: { cycles: true } } },
  });
  onTestFinished(() => environment.stop());
  return environment;
}

/** What a call's span and a server's own log both know of a call. */
function statusOf({ attributes }: Span): string {
  return `${attributes['http.request.method']} ${attributes['url.template']}`;
}

describe('the cycles of a daemon', () => {
  it('are one trace each, with every call that was made', async () => {
    const recordedSpans = new RecordedSpans();
    const environment = await traced(recordedSpans);
    const { simulator } = environment;
    await environment.run(20_000);
    const roots = recordedSpans.spans.filter(({ parentId }) => parentId === undefined);
    expect(new Set(roots.map(({ traceId }) => traceId)).size).toBe(roots.length);
    const ids = new Set(recordedSpans.spans.map(({ traceId, spanId }) => `${traceId}/${spanId}`));
    expect(ids.size).toBe(recordedSpans.spans.length);
    const orphans = recordedSpans.spans.filter(
      (one) => one.parentId !== undefined && !ids.has(`${one.traceId}/${one.parentId}`),
    );
    expect(orphans).toEqual([]);
    for (const root of roots) {
      for (const child of recordedSpans.childrenOf(root)) {
        expect(child.start).toBeGreaterThanOrEqual(root.start);
        expect(child.end).toBeLessThanOrEqual(root.end + 0.001);
      }
    }
    const [cluster = expect.fail()] = recordedSpans.roots('collect license');
    const [attempt = expect.fail()] = recordedSpans.childrenOf(cluster);
    expect(recordedSpans.childrenOf(attempt).map(({ name }) => name)).toContain('GET /restpp/showlicenseinfo');
    const made = recordedSpans.spans.filter(({ kind }) => kind === 'client');
    expect(made.filter((one) => statusOf(one) !== one.name)).toEqual([]);
    const lists = made.filter(({ name }) => name === 'GET /restpp/showprocesslistall');
    const requested = simulator.calls().filter(({ path }) => path === '/restpp/showprocesslistall');
    expect(requested.length).toBeGreaterThanOrEqual(6);
    // The last reads may still be under way.
    expect(requested.length - lists.length).toBeLessThanOrEqual(2);
    expect(requested.length - lists.length).toBeGreaterThanOrEqual(0);
    expect(lists[0]?.attributes).toMatchObject({ 'server.address': '127.0.0.1', 'http.response.status_code': 200 });
  });

  it('of a failing node have the status error, and the next one links to the failed one', async () => {
    const recordedSpans = new RecordedSpans(() => false);
    const environment = await traced(recordedSpans);
    const { simulator } = environment;
    const failing = (): readonly Span[] =>
      recordedSpans.roots('collect queries').filter(({ attributes }) => attributes['graphwarden.node'] === 'm1');
    await simulator.control.injectFault('status_503', { node: 'm1', path: '/restpp/showprocesslistall' });
    await environment.run(60_000);
    const [first = expect.fail(), second = expect.fail()] = failing();
    expect(first).toMatchObject({ error: 'status', links: [] });
    expect(first.attributes).toMatchObject({ 'graphwarden.outcome': 'failed', 'error.type': 'status' });
    expect(recordedSpans.childrenOf(first).filter(({ error }) => error !== undefined)).toMatchObject([
      { name: 'GET /restpp/showprocesslistall', error: '503', attributes: { 'http.response.status_code': 503 } },
    ]);
    expect(second.links).toEqual([{ traceId: first.traceId, spanId: first.spanId }]);
  });

  it('contain no secret and no query string', async () => {
    const recordedSpans = new RecordedSpans();
    const environment = await traced(recordedSpans);
    const { simulator } = environment;
    simulator.control.startQuery({
      node: 'm1',
      graph: 'fraud',
      query: 'q',
      parameters: `name=${canary}`,
      runsFor: 60_000,
    });
    await environment.run(60_000);
    const text = JSON.stringify(recordedSpans.spans);
    expect(text).toContain('/restpp/statistics/{graph}');
    expect(text).toContain('seconds=REDACTED&segments=REDACTED');
    expect(text).not.toContain(canary);
    expect(text).not.toMatch(/seconds=\d/);
    expect(text).not.toContain('authorization');
  });

  it('arrive unchanged at a trace backend', async () => {
    const receiver = await otlpReceiver();
    onTestFinished(() => receiver.close());
    const spans = await exportsTo(receiver.url);
    const environment = await traced(spans);
    await environment.simulator.control.injectFault('status_503', { node: 'm1', path: '/restpp/showprocesslistall' });
    await environment.run(30_000);
    await environment.clock.through(spans.close(5000));
    const roots = receiver.spans.filter(({ name, parentId }) => name === 'collect queries' && parentId === '');
    const failed = roots.filter(({ attributes }) => attributes['graphwarden.outcome'] === 'failed');
    const [first = expect.fail(), second = expect.fail()] = failed;
    expect(first.status).toEqual({ code: 2, message: 'status' });
    expect(second.links).toEqual([{ traceId: first.traceId, spanId: first.spanId }]);
    const calls = receiver.spans.filter(({ parentId }) => parentId === first.spanId);
    const [call = expect.fail()] = calls.filter(({ name }) => name === 'GET /restpp/showprocesslistall');
    expect(call).toMatchObject({ traceId: first.traceId, kind: 3, status: { code: 2, message: '503' } });
    expect(call.attributes).toMatchObject({ 'http.response.status_code': 503, 'server.address': '127.0.0.1' });
    expect(call.start).toBeGreaterThanOrEqual(first.start);
    expect(call.end).toBeLessThanOrEqual(first.end);
  });
});
