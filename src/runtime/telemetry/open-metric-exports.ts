import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import {
  PeriodicExportingMetricReader,
  type PushMetricExporter,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import { waitAtMost } from '../../kernel/deadline.ts';
import { startTimeSlices } from '../../kernel/time-slices.ts';
import type { OpenMetricExporter } from '../../model/metric-export.ts';
import { MetricStatistics } from './export-statistics.ts';
import { MetricPoints } from './metric-points.ts';
import { metricExportTimes } from './otel-environment.ts';
import { otlpOptions } from './otlp-options.ts';
import { processResource, schemaUrl } from './resources.ts';

/** Data points of one request: far below the 20 MiB that a collector accepts, and serialized in one short step. */
const maxExportBatchSize = 2000;

/** Sends metrics through the OpenTelemetry library, set up by the configuration and the standard variables. */
export const openMetricExports: OpenMetricExporter = async (settings, ports) => {
  const { clock, log, files, build } = ports;
  const statistics = new MetricStatistics(log);
  const resource = await processResource(build.version);
  const points = new MetricPoints();
  const reader = new PeriodicExportingMetricReader({
    ...metricExportTimes(process.env, settings.interval),
    exporter: countedExporter(new OTLPMetricExporter(otlpOptions(settings, files)), statistics),
    maxExportBatchSize,
  });
  const scope = { name: 'graphwarden', version: build.version, schemaUrl };
  return {
    start: (page) =>
      reader.setMetricProducer({
        collect: async () => {
          const { wall } = clock.now();
          const metrics = await points.convert(await page(), wall, startTimeSlices(clock));
          return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] };
        },
      }),
    counts: () => statistics.counts(),
    close: async (within) => {
      await waitAtMost(
        clock,
        within,
        reader.shutdown().catch(() => undefined),
      );
    },
  };
};

/** Exporter that counts each request. */
function countedExporter(exporter: PushMetricExporter, statistics: MetricStatistics): PushMetricExporter {
  return {
    export: (metrics, done) =>
      exporter.export(metrics, (result) => {
        const code: number = result.code;
        if (code === 0) statistics.recordExported(countPoints(metrics));
        else statistics.failed(countPoints(metrics), result.error);
        done(result);
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}

function countPoints({ scopeMetrics }: ResourceMetrics): number {
  return scopeMetrics.flatMap(({ metrics }) => metrics).reduce((sum, { dataPoints }) => sum + dataPoints.length, 0);
}
