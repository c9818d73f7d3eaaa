import { expect, it, onTestFinished } from 'vitest';
import { createTextParser } from '../../src/graphdb/exposition-parser.ts';
import { labelPairs, type ParsedFamily, valueAt } from '../../src/model/exposition.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemFiles } from '../../src/runtime/files.ts';
import { createSelfMetrics } from '../../src/runtime/self-metrics.ts';
import { openMetricExports } from '../../src/runtime/telemetry/open-metric-exports.ts';
import { send } from '../support/http.ts';
import { recordingLogger } from '../support/logger.ts';
import { otlpReceiver, type WirePoint } from '../support/otlp.ts';
import { startEnvironment } from './guard-environment.ts';

const on = { enabled: true };

/** Samples of a page by name and labels. A label without a value is the same as none. */
function samplesOf(families: readonly ParsedFamily[]): readonly (readonly [series: string, value: number])[] {
  return families.flatMap(({ series, values }) =>
    series.map((one, at) => [seriesKey(one.name, [...labelPairs(one)]), valueAt(values, at)] as const),
  );
}

/** The samples that a data point stands for, as a page would have them. */
function samplesOfPoint(point: WirePoint): readonly (readonly [series: string, value: number])[] {
  const { metric, attributes, value, histogram } = point;
  const labels = Object.entries(attributes).map(([name, text]) => [name, String(text)] as const);
  if (histogram === undefined) return [[seriesKey(metric, labels), value]];
  const { bounds, counts, sum, count } = histogram;
  const buckets = counts.map((_, at) => {
    const le = at < bounds.length ? String(bounds[at]) : '+Inf';
    const below = counts.slice(0, at + 1).reduce((all, one) => all + one, 0);
    return [seriesKey(`${metric}_bucket`, [...labels, ['le', le]]), below] as const;
  });
  return [...buckets, [seriesKey(`${metric}_sum`, labels), sum], [seriesKey(`${metric}_count`, labels), count]];
}

function seriesKey(name: string, labels: readonly (readonly [name: string, value: string])[]): string {
  const shown = labels
    .filter(([, value]) => value !== '')
    .map(([key, value]) => [key, key === 'le' ? bound(value) : value]);
  return `${name}${JSON.stringify(shown.toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)))}`;
}

/** `1.0` and `1` are one bound. */
function bound(text: string): string {
  return text === '+Inf' ? text : String(Number(text));
}

it('metric export › exports each sample of /metrics once, with its value', async () => {
  const receiver = await otlpReceiver();
  onTestFinished(() => receiver.close());
  const ports = { clock: systemClock, files: systemFiles, log: recordingLogger(), build: { version: '0.0.0' } };
  // Metrics of the process change all the time.
  const self = createSelfMetrics({ version: '0.0.0', commit: 'test' });
  onTestFinished(() => self.stop());
  const tail = await self.tail('text');
  const metricExports = await openMetricExports({ url: `${receiver.url}/v1/metrics` }, ports);
  const environment = await startEnvironment({
    guard: {},
    simulated: { nodes: 3 },
    collectors: { metrics: on, license: on, statistics: on, workload_queues: on, delayed_queries: on },
    world: { metricExports, tail: async () => tail },
  });
  onTestFinished(() => environment.stop());
  const node = environment.simulator.nodes[0]?.name ?? '';
  environment.simulator.control.startQuery({ node, graph: 'fraud', query: 'ring_scan', runsFor: 15_000 });
  await environment.run(60_000);
  const page = await send(`${environment.daemon().url}/metrics`);
  await metricExports.close(10_000);
  const parsed = await createTextParser(systemClock).parse(new TextEncoder().encode(page.text));
  if (!parsed.ok) throw new Error(parsed.error);
  const scraped = samplesOf(parsed.value.families);
  const exported = receiver.points.flatMap(samplesOfPoint);
  expect(scraped.length).toBeGreaterThan(500);
  expect(new Set(exported.map(([series]) => series)).size).toBe(exported.length);
  expect(new Map(exported)).toEqual(new Map(scraped));
  const types = new Set(receiver.points.map(({ type }) => type));
  expect(types).toEqual(new Set(['gauge', 'sum', 'histogram']));
});
