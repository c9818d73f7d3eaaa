import { describe, expect, it, vi } from 'vitest';
import { pageReader, telemetryMetrics, telemetrySamples } from '../../../src/app/page/telemetry-metrics.ts';
import { metricDropReasons } from '../../../src/model/metric-export.ts';
import { spanDropReasons } from '../../../src/model/span.ts';
import { FakeClock } from '../../support/clock.ts';

describe('telemetrySamples', () => {
  const spans = { queue_full: 1, unreachable: 2, timeout: 3, refused: 4, headers: 5, stopped: 6 };
  const points = { unreachable: 1, timeout: 2, refused: 3, headers: 4 };

  it('counts exported and dropped spans and data points, with all reasons from the start', () => {
    const spanExports = { counts: () => ({ exported: 7, dropped: spans }) };
    const metricExports = { counts: () => ({ exported: 8, dropped: points }) };
    const samples = [...telemetrySamples({ spanExports, metricExports })];
    expect(samples.map(({ metric, labels, value }) => [metric.name, labels.reason, value])).toEqual([
      ['graphwarden_spans_exported_total', undefined, 7],
      ...spanDropReasons.map((reason) => ['graphwarden_spans_dropped_total', reason, spans[reason]]),
      ['graphwarden_metric_points_exported_total', undefined, 8],
      ...metricDropReasons.map((reason) => ['graphwarden_metric_points_dropped_total', reason, points[reason]]),
    ]);
    expect(new Set(samples.map(({ metric }) => metric))).toEqual(new Set(telemetryMetrics));
  });

  it('is empty without exporters', () => {
    expect([...telemetrySamples({})]).toEqual([]);
  });
});

function pageOf(texts: readonly string[], tail: string) {
  const release = vi.fn<() => void>();
  const body = async (_: string, __: string, end: string) => {
    return { pieces: [...texts, end].map((text) => new TextEncoder().encode(text)), release };
  };
  return { release, read: pageReader({ page: () => ({ body }) }, { clock: new FakeClock(), tail: async () => tail }) };
}

describe('pageReader', () => {
  it('reads the families of the page and of the process, and releases the page', async () => {
    const { read, release } = pageOf(['# TYPE a gauge\na{x="1"} 2\n'], '# TYPE b_total counter\nb_total 3\n');
    const families = await read();
    expect(families.map(({ name, type, series }) => [name, type, series.length])).toEqual([
      ['a', 'gauge', 1],
      ['b_total', 'counter', 1],
    ]);
    expect(release).toHaveBeenCalledTimes(1);
  });

  it('returns no families of an empty page', async () => {
    expect(await pageOf([], '').read()).toEqual([]);
  });
});
