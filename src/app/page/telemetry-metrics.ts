import { createTextParser } from '../../graphdb/exposition-parser.ts';
import { counter, type Metric, type Sample, sample } from '../../metric/metric.ts';
import type { ParsedFamily } from '../../model/exposition.ts';
import { type MetricExporter, metricDropReasons } from '../../model/metric-export.ts';
import { spanDropReasons, type TraceExporter } from '../../model/span.ts';
import type { Pipeline } from '../poll/pipeline.ts';
import type { AppPorts } from '../ports/app-ports.ts';

const source = 'measured by graphwarden';
const spansExported = counter({
  name: 'graphwarden_spans_exported_total',
  help: 'Spans accepted by the OTLP endpoint.',
  source,
});
const spansDropped = counter({
  name: 'graphwarden_spans_dropped_total',
  help: 'Dropped spans by reason.',
  labels: ['reason'],
  source,
});
const pointsExported = counter({
  name: 'graphwarden_metric_points_exported_total',
  help: 'Metric data points accepted by the OTLP endpoint.',
  source,
});
const pointsDropped = counter({
  name: 'graphwarden_metric_points_dropped_total',
  help: 'Dropped metric data points by reason.',
  labels: ['reason'],
  source,
});

/** Metric families of the exporters; present for the signals that are exported. */
export const telemetryMetrics: readonly Metric[] = [spansExported, spansDropped, pointsExported, pointsDropped];

/** Exporters with samples. */
export interface TelemetryComponents {
  readonly spanExports?: Pick<TraceExporter, 'counts'>;
  readonly metricExports?: Pick<MetricExporter, 'counts'>;
}

/** Returns the samples of the exporters. */
export function* telemetrySamples({ spanExports, metricExports }: TelemetryComponents): Generator<Sample> {
  if (spanExports !== undefined) {
    const { exported, dropped } = spanExports.counts();
    yield sample(spansExported, {}, exported);
    for (const reason of spanDropReasons) yield sample(spansDropped, { reason }, dropped[reason]);
  }
  if (metricExports !== undefined) {
    const { exported, dropped } = metricExports.counts();
    yield sample(pointsExported, {}, exported);
    for (const reason of metricDropReasons) yield sample(pointsDropped, { reason }, dropped[reason]);
  }
}

/** Returns a function that reads the families of `/metrics`, so that an export contains what a scrape would. */
export function pageReader(
  { page }: { readonly page: () => Pick<Pipeline['page'], 'body'> },
  { tail, clock }: Pick<AppPorts, 'tail' | 'clock'>,
): () => Promise<readonly ParsedFamily[]> {
  const parser = createTextParser(clock, { maxSeries: Number.MAX_SAFE_INTEGER, keepsForbidden: true });
  return async () => {
    const { pieces, release } = await page().body('text', 'identity', await tail('text'));
    const bytes = concat(pieces);
    release();
    const parsed = await parser.parse(bytes);
    return parsed.ok ? parsed.value.families : [];
  };
}

function concat(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
