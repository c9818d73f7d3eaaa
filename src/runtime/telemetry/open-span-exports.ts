import type { Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { Resource } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import { waitAtMost } from '../../kernel/deadline.ts';
import type { OpenTraceExporter, Span } from '../../model/span.ts';
import { SpanStatistics } from './export-statistics.ts';
import { batchOptions, samplingRatio, spanLimits } from './otel-environment.ts';
import { otlpOptions } from './otlp-options.ts';
import { processResource, schemaUrl, serviceResource } from './resources.ts';
import { SpanWriter } from './span-writer.ts';

/** Sends spans through the OpenTelemetry library, set up by the configuration and the standard variables. */
export const openSpanExports: OpenTraceExporter = async (route, { clock, log, files, build: { version } }) => {
  const batches = batchOptions(process.env);
  const statistics = new SpanStatistics(batches.maxQueueSize, log);
  const writer = new SpanWriter(statistics, route.sample ?? samplingRatio(process.env));
  const exporter = instrumentedExporter(new OTLPTraceExporter(otlpOptions(route, files)), statistics);
  const processor = new BatchSpanProcessor({ ...batches, exporter });
  const own = await processResource(version);
  // Sampling takes place before spans are recorded.
  const options = {
    sampler: new AlwaysOnSampler(),
    spanProcessors: [processor],
    spanLimits: spanLimits(process.env),
    idGenerator: writer.ids,
  };
  const tracerOf = (resource: Resource): Tracer =>
    new TracerProvider({ ...options, resource }).getTracer('graphwarden', version, { schemaUrl });
  writer.begin(tracersByResource(tracerOf(own), (attributes) => tracerOf(serviceResource(attributes))));
  return {
    isSampled: (traceId, anyway) => writer.isSampled(traceId, anyway),
    record: (span) => writer.record(span),
    counts: () => statistics.counts(),
    close: async (within) => {
      writer.end();
      await waitAtMost(
        clock,
        within,
        processor.shutdown().catch(() => undefined),
      );
      statistics.end();
    },
  };
};

/** Limit of remembered resources: there is one per node. */
const maxResources = 1000;

/** Returns a function that keeps one tracer per resource. They share a processor, and with it the batches. */
function tracersByResource(
  own: Tracer,
  create: (attributes: NonNullable<Span['resource']>) => Tracer,
): (resource: Span['resource']) => Tracer {
  const others = new Map<string, Tracer>();
  return (attributes) => {
    if (attributes === undefined) return own;
    const key = JSON.stringify(attributes);
    const tracer = others.get(key) ?? create(attributes);
    if (others.size >= maxResources) others.clear();
    others.set(key, tracer);
    return tracer;
  };
}

/** Exporter that counts each batch. */
export function instrumentedExporter(exporter: SpanExporter, statistics: SpanStatistics): SpanExporter {
  return {
    export: (spans, done) => {
      statistics.sent(spans.length);
      exporter.export(spans, (result) => {
        const code: number = result.code;
        if (code === 0) statistics.recordExported(spans.length);
        else statistics.failed(spans.length, result.error);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
