import { randomUUID } from 'node:crypto';
import { context, logs, trace } from '@opentelemetry/api';
import { NodeSDK, type NodeSDKConfiguration } from '@opentelemetry/sdk-node';
import type { Millis } from '../../kernel/time.ts';
import type { OpenTraceExporter, SpanExportPorts, SpanExportSettings, TraceExporter } from '../../model/span.ts';
import { ExportStatistics } from './export-statistics.ts';
import { queueCapacity, resourceAttributesFrom, samplingRatio } from './otel-environment.ts';
import { instrumentedExporter, otlpExporter, type SpanExporter } from './span-exporter.ts';
import { SpanWriter } from './span-writer.ts';

/** Sends spans through the OpenTelemetry library, set up by the configuration and the standard variables. */
export const openSpanExports: OpenTraceExporter = async (route, ports) =>
  openSpanExportsWith(otlpExporter(route, ports.files), route, ports);

/** The same over any exporter: a test brings one that never answers. */
export function openSpanExportsWith(
  exporter: SpanExporter,
  route: SpanExportSettings,
  ports: SpanExportPorts,
): TraceExporter {
  const { clock, build } = ports;
  const tally = new ExportStatistics(queueCapacity(process.env), ports.log);
  const writer = new SpanWriter(tally, route.sample ?? samplingRatio(process.env));
  const sdk = withoutConsoleExport(
    () =>
      new NodeSDK({
        ...tracesOnlyConfiguration,
        resourceDetectors: [{ detect: () => ({ attributes: { ...processAttributes(build.version) } }) }],
        traceExporter: instrumentedExporter(exporter, tally),
        idGenerator: writer.ids,
      }),
  );
  sdk.start();
  writer.begin(trace.getTracer('graphwarden', build.version));
  // Removes the global registration: no other library writes spans with these IDs.
  context.disable();
  trace.disable();
  logs.disable();
  return {
    isSampled: (traceId, anyway) => writer.isSampled(traceId, anyway),
    record: (span) => writer.record(span),
    counts: () => tally.counts(),
    close: async (within) => {
      writer.end();
      await withDeadline(
        within,
        sdk.shutdown().catch(() => undefined),
        clock,
      );
      tally.end();
    },
  };
}

/** With this variable the library would write to standard output; what matters of it is in our log. */
function withoutConsoleExport<Made>(make: () => Made): Made {
  const level = process.env.OTEL_LOG_LEVEL;
  delete process.env.OTEL_LOG_LEVEL;
  const made = make();
  if (level !== undefined) process.env.OTEL_LOG_LEVEL = level;
  return made;
}

/** Spans alone: no metrics, no logs, nothing that follows calls through the process. */
const tracesOnlyConfiguration: Partial<NodeSDKConfiguration> = {
  textMapPropagator: null,
  metricReaders: [],
  logRecordProcessors: [],
  instrumentations: [],
  // What comes here was chosen before.
  sampler: { shouldSample: () => ({ decision: 2 }), toString: () => 'AlwaysOnSampler' },
};

function processAttributes(version: string): ReturnType<typeof resourceAttributesFrom> {
  const own = { 'service.name': 'graphwarden', 'service.version': version, 'service.instance.id': randomUUID() };
  return resourceAttributesFrom(own, process.env);
}

async function withDeadline(length: Millis, work: Promise<unknown>, clock: SpanExportPorts['clock']): Promise<void> {
  const over = new AbortController();
  await Promise.race([work, clock.sleep(length, over.signal)]);
  over.abort();
}
