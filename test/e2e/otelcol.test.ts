import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemFiles } from '../../src/runtime/files.ts';
import { digest } from '../../src/runtime/system-ports.ts';
import { openMetricExports } from '../../src/runtime/telemetry/open-metric-exports.ts';
import { querySpanContext } from '../../src/trace/span-context.ts';
import { eventually, startChild } from '../support/child.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/live-ports.ts';
import { recordingLogger } from '../support/logger.ts';
import { startEnvironment } from './guard-environment.ts';
import { otelcol } from './otelcol.ts';
import { exportsTo } from './span-lookups.ts';

const attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: z.array(attribute),
});
const dataPoint = z.object({
  attributes: z.array(attribute).prefault([]),
  startTimeUnixNano: z.string().optional(),
  asDouble: z.union([z.number(), z.string()]).optional(),
  count: z.string().optional(),
});
const pointList = z.object({ dataPoints: z.array(dataPoint), isMonotonic: z.boolean().optional() });
const metric = z.object({
  name: z.string(),
  gauge: pointList.optional(),
  sum: pointList.optional(),
  histogram: pointList.optional(),
});
const exportedMetrics = z.object({
  resourceMetrics: z.array(z.object({ scopeMetrics: z.array(z.object({ metrics: z.array(metric) })) })),
});
const exported = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});

/** Takes what the collector hands on, as JSON. */
async function forwarded() {
  const spans: z.infer<typeof span>[] = [];
  const server = createServer((request, reply) => void take(request, reply));
  const metrics: z.infer<typeof metric>[] = [];
  const take = async (request: IncomingMessage, reply: ServerResponse) => {
    if (request.url?.endsWith('/metrics') === true) {
      const { resourceMetrics } = exportedMetrics.parse(JSON.parse(await text(request)));
      metrics.push(...resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics)));
      reply.setHeader('content-type', 'application/json').end('{}');
      return;
    }
    const { resourceSpans } = exported.parse(JSON.parse(await text(request)));
    spans.push(...resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)));
    reply.setHeader('content-type', 'application/json').end('{}');
  };
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { port, spans, metrics };
}

async function collector(to: number): Promise<string> {
  const port = await freePort();
  const file = join(await temporaryFolder(), 'otelcol.yaml');
  const config = {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    exporters: { otlp_http: { endpoint: `http://127.0.0.1:${to}`, encoding: 'json', compression: 'none' } },
    service: {
      telemetry: { metrics: { level: 'none' } },
      pipelines: {
        traces: { receivers: ['otlp'], exporters: ['otlp_http'] },
        metrics: { receivers: ['otlp'], exporters: ['otlp_http'] },
      },
    },
  };
  writeFileSync(file, JSON.stringify(config));
  const child = startChild(otelcol ?? '', ['--config', file]);
  onTestFinished(async () => void (await child.stop()));
  await eventually('the collector is ready', async () => child.stderr().includes('Everything is ready'));
  return `http://127.0.0.1:${port}`;
}

it.skipIf(otelcol === undefined)('the OpenTelemetry Collector accepts the exported spans unchanged', async () => {
  const { port, spans } = await forwarded();
  const exports = await exportsTo(await collector(port));
  const environment = await startEnvironment({ guard: {}, world: { spanExports: exports } });
  onTestFinished(() => environment.stop());
  const node = environment.simulator.nodes[0]?.name ?? '';
  const order = { node, graph: 'fraud', query: 'ring_scan', runsFor: 30_000, timeout: 60_000 };
  const query = environment.simulator.control.startQuery(order);
  await environment.run(50_000);
  await exports.close(5000);
  expect(exports.counts().exported).toBeGreaterThan(0);
  const context = querySpanContext('prod', query?.requestId ?? '', digest);
  const found = await eventually('it hands the span on', async () =>
    spans.find(({ traceId }) => traceId === context.traceId),
  );
  expect(found).toMatchObject({ ...context, name: 'RUN QUERY ring_scan', kind: 2 });
  expect(Math.abs(Number(found.startTimeUnixNano) / 1e6 - (query?.arrivedAt ?? 0))).toBeLessThan(5000);
  const attributes = Object.fromEntries(found.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
  expect(attributes).toMatchObject({ 'db.namespace': 'fraud', 'graphwarden.query.outcome': 'ended' });
});

/** Names without those of the runtime, which appear and disappear. */
function stableNames(names: Iterable<string>): ReadonlySet<string> {
  return new Set([...names].filter((name) => !name.startsWith('nodejs_')));
}

it.skipIf(otelcol === undefined)(
  'the OpenTelemetry Collector accepts the exported metrics and passes on each sample',
  async () => {
    const { port, metrics } = await forwarded();
    const url = `${await collector(port)}/v1/metrics`;
    const ports = { clock: systemClock, files: systemFiles, log: recordingLogger(), build: { version: '0.0.0' } };
    const metricExports = await openMetricExports({ url }, ports);
    const environment = await startEnvironment({ guard: {}, simulated: { nodes: 2 }, world: { metricExports } });
    onTestFinished(() => environment.stop());
    await environment.run(20_000);
    const { families } = await environment.daemon().page();
    await metricExports.close(10_000);
    const { exported: count, dropped } = metricExports.counts();
    expect(dropped).toEqual({ unreachable: 0, timeout: 0, refused: 0, headers: 0 });
    const lists = () => metrics.flatMap(({ gauge, sum, histogram }) => gauge ?? sum ?? histogram ?? []);
    const pointCount = () => lists().reduce((all, { dataPoints }) => all + dataPoints.length, 0);
    await eventually('it passes on all data points', async () => pointCount() === count);
    expect(stableNames(metrics.map(({ name }) => name))).toEqual(stableNames(families.keys()));
    const up = metrics.find(({ name }) => name === 'graphdb_up');
    expect(up?.gauge?.dataPoints.map(({ asDouble }) => asDouble)).toEqual([1, 1]);
    expect(metrics.find(({ name }) => name === 'graphwarden_collector_failures_total')?.sum?.isMonotonic).toBe(true);
  },
);
