import { randomUUID } from 'node:crypto';
import { context, logs, trace } from '@opentelemetry/api';
import { NodeSDK, type NodeSDKConfiguration } from '@opentelemetry/sdk-node';
import type { Millis } from '../../kernel/time.ts';
import type { OpenSpanExports, SpanExportPorts, SpanExports, SpanRoute } from '../../model/tracing.ts';
import { ExportTally } from './export-tally.ts';
import { queueCapacity } from './queue-capacity.ts';
import { resourceOf } from './resource.ts';
import { shareOf } from './sampling.ts';
import { countedExporter, otlpExporter, type SpanExporter } from './span-exporter.ts';
import { SpanWriter } from './span-writer.ts';

/** Sends spans through the OpenTelemetry library, set up by the configuration and the standard variables. */
export const openSpanExports: OpenSpanExports = async (route, ports) =>
  openExportsThrough(otlpExporter(route, ports.files), route, ports);

/** The same over any exporter: a test brings one that never answers. */
export function openExportsThrough(exporter: SpanExporter, route: SpanRoute, ports: SpanExportPorts): SpanExports {
  const { clock, build } = ports;
  const tally = new ExportTally(queueCapacity(process.env), ports.log);
  const writer = new SpanWriter(tally, route.sample ?? shareOf(process.env));
  const sdk = silently(
    () =>
      new NodeSDK({
        ...quiet,
        resourceDetectors: [{ detect: () => ({ attributes: { ...resourceAttributes(build.version) } }) }],
        traceExporter: countedExporter(exporter, tally),
        idGenerator: writer.ids,
      }),
  );
  sdk.start();
  writer.begin(trace.getTracer('graphwarden', build.version));
  // What it made known to the whole process: nobody else is to write spans with our ids.
  context.disable();
  trace.disable();
  logs.disable();
  return {
    keeps: (traceId, anyway) => writer.keeps(traceId, anyway),
    take: (span) => writer.take(span),
    tally: () => tally.figures(),
    close: async (within) => {
      writer.end();
      await atMost(
        within,
        sdk.shutdown().catch(() => undefined),
        clock,
      );
      tally.end();
    },
  };
}

/** With this variable the library would write to standard output; what matters of it is in our log. */
function silently<Made>(make: () => Made): Made {
  const level = process.env.OTEL_LOG_LEVEL;
  delete process.env.OTEL_LOG_LEVEL;
  const made = make();
  if (level !== undefined) process.env.OTEL_LOG_LEVEL = level;
  return made;
}

/** Spans alone: no metrics, no logs, nothing that follows calls through the process. */
const quiet: Partial<NodeSDKConfiguration> = {
  textMapPropagator: null,
  metricReaders: [],
  logRecordProcessors: [],
  instrumentations: [],
  // What comes here was chosen before.
  sampler: { shouldSample: () => ({ decision: 2 }), toString: () => 'AlwaysOnSampler' },
};

function resourceAttributes(version: string): ReturnType<typeof resourceOf> {
  const own = { 'service.name': 'graphwarden', 'service.version': version, 'service.instance.id': randomUUID() };
  return resourceOf(own, process.env);
}

async function atMost(length: Millis, work: Promise<unknown>, clock: SpanExportPorts['clock']): Promise<void> {
  const over = new AbortController();
  await Promise.race([work, clock.sleep(length, over.signal)]);
  over.abort();
}
