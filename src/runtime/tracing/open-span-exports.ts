import { randomUUID } from 'node:crypto';
import { context, logs, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { NodeSDK, type NodeSDKConfiguration } from '@opentelemetry/sdk-node';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Files } from '../../kernel/system.ts';
import type { Millis } from '../../kernel/time.ts';
import type { OpenTraceExporter, SpanExportPorts, SpanExportSettings, TraceExporter } from '../../model/span.ts';
import { ExportStatistics, HeadersError } from './export-statistics.ts';
import { queueCapacity, resourceAttributesFrom, samplingRatio } from './otel-environment.ts';
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

/** What the library sends batches through. */
export type SpanExporter = NodeSDKConfiguration['traceExporter'];

/** OTLP as protobuf over HTTP; time-out, compression, certificates and further headers are as the environment says. */
export function otlpExporter({ url, headersFile }: SpanExportSettings, files: Files): SpanExporter {
  if (headersFile === undefined) return new OTLPTraceExporter({ url });
  const headers = async (): Promise<Record<string, string>> => {
    const read = await readSpanHeaders(headersFile, files);
    if (!read.ok) throw new HeadersError(read.error);
    return { ...read.value };
  };
  return new OTLPTraceExporter({ url, headers });
}

/** An exporter whose every batch is counted. */
export function instrumentedExporter(exporter: SpanExporter, tally: ExportStatistics): SpanExporter {
  return {
    export: (spans, done) => {
      tally.sent(spans.length);
      exporter.export(spans, (result) => {
        const code: number = result.code;
        if (code === 0) tally.recordExported(spans.length);
        else tally.failed(spans.length, result.error);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

/** Headers by name. They hold secrets. */
export type SpanHeaders = Readonly<Record<string, string>>;

/** Reads headers from a file, one `Name: value` a line; `#` begins a comment. The error is a sentence without contents. */
export async function readSpanHeaders(file: string, files: Files): Promise<Result<SpanHeaders, string>> {
  const text = await files.readText(file);
  if (!text.ok) return err('headers_file cannot be read');
  const lines = text.value.split(/\r?\n/).filter((line) => !/^\s*(?:#.*)?$/.test(line));
  const headers = lines.map(parseHeader);
  const wrong = headers.indexOf(undefined);
  if (wrong >= 0) return err('headers_file has a line that is not `Name: value`');
  return ok(Object.fromEntries(headers.filter((one) => one !== undefined)));
}

function parseHeader(line: string): readonly [name: string, value: string] | undefined {
  const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*:\s*([\t\x20-\x7e]*?)\s*$/.exec(line) ?? [];
  return name === undefined || value === undefined ? undefined : [name, value];
}
