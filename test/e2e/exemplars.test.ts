import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { readExposition } from '../support/exposition.ts';
import { send } from '../support/http.ts';
import { startInProcessDaemon } from '../support/in-process-daemon.ts';
import { type Prometheus, startPrometheus } from '../support/prometheus.ts';
import { RecordedSpans } from '../support/recorded-spans.ts';
import { findTool } from '../support/tools.ts';
import { startEnvironment } from './guard-environment.ts';

const quick = { interval: '1s', timeout: '1s' };
const openMetrics = { accept: 'application/openmetrics-text; version=1.0.0' };

/** Half of all traces. */
const isSampled = (traceId: string): boolean => Number.parseInt(traceId.slice(-1), 16) % 2 === 0;

/** A daemon that watches two simulated nodes and traces half of its cycles. */
async function traced(recordedSpans: RecordedSpans) {
  const simulator = await startSimulator({ nodes: 2 }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  const clusters = [{ name: 'prod', nodes: simulator.nodes.map(({ name, url }) => ({ name, url })) }];
  const collectors = { queries: quick, health: quick };
  const daemon = await startInProcessDaemon(
    { clusters, collectors, telemetry: { traces: { cycles: true } } },
    { spans: recordedSpans },
  );
  onTestFinished(() => daemon.stop());
  return { simulator, daemon: daemon };
}

it('a page has exemplars of exported traces only, in OpenMetrics only', async () => {
  const recordedSpans = new RecordedSpans(isSampled);
  const environment = await startEnvironment({
    guard: {},
    simulated: { nodes: 2 },
    world: { spans: recordedSpans },
    more: { telemetry: { traces: { cycles: true } } },
  });
  onTestFinished(() => environment.stop());
  await environment.run(60_000);
  const daemon = environment.daemon();
  const text = await send(`${daemon.url}/metrics`);
  expect(text.text).not.toContain('trace_id');
  const open = readExposition((await send(`${daemon.url}/metrics`, { headers: openMetrics })).text, 'openmetrics');
  const all = [...open.values()].flatMap(({ samples }) => samples.flatMap(({ exemplar }) => exemplar ?? []));
  expect(all.length).toBeGreaterThanOrEqual(1);
  const spans = new Map(recordedSpans.spans.map((span) => [`${span.traceId}/${span.spanId}`, span]));
  for (const { labels, value } of all) {
    const span = spans.get(`${labels.trace_id}/${labels.span_id}`) ?? expect.fail(`no span ${labels.span_id}`);
    expect(span.kind).toBe('client');
    expect((span.end - span.start) / 1000).toBeCloseTo(value, 6);
  }
});

it.skipIf(findTool('prometheus') === undefined)(
  'Prometheus scrapes exemplars and returns them in queries',
  async () => {
    const recordedSpans = new RecordedSpans(isSampled);
    const { daemon } = await traced(recordedSpans);
    const job = { job_name: 'graphwarden', static_configs: [{ targets: [daemon.host] }] };
    const prometheus: Prometheus = await startPrometheus([job], '1s', ['--enable-feature=exemplar-storage']);
    onTestFinished(() => prometheus.stop());
    const stored = () => prometheus.exemplars('graphwarden_call_duration_seconds_bucket');
    await eventually('exemplars are stored', async () => (await stored()).length >= 1);
    const spans = new Map(recordedSpans.spans.map((span) => [`${span.traceId}/${span.spanId}`, span]));
    for (const { series, labels } of await stored()) {
      expect([...spans.keys()]).toContain(`${labels.trace_id}/${labels.span_id}`);
      expect(series).toMatchObject({ cluster_name: 'prod', outcome: 'good' });
    }
  },
);
