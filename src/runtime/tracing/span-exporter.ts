import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { NodeSDKConfiguration } from '@opentelemetry/sdk-node';
import type { Files } from '../../kernel/system.ts';
import type { SpanRoute } from '../../model/tracing.ts';
import type { ExportTally } from './export-tally.ts';
import { HeadersError } from './export-trouble.ts';
import { readSpanHeaders } from './span-headers.ts';

/** What the library sends batches through. */
export type SpanExporter = NodeSDKConfiguration['traceExporter'];

/** OTLP as protobuf over HTTP; time-out, compression, certificates and further headers are as the environment says. */
export function otlpExporter({ url, headersFile }: SpanRoute, files: Files): SpanExporter {
  if (headersFile === undefined) return new OTLPTraceExporter({ url });
  const headers = async (): Promise<Record<string, string>> => {
    const read = await readSpanHeaders(headersFile, files);
    if (!read.ok) throw new HeadersError(read.error);
    return { ...read.value };
  };
  return new OTLPTraceExporter({ url, headers });
}

/** An exporter whose every batch is counted. */
export function countedExporter(exporter: SpanExporter, tally: ExportTally): SpanExporter {
  return {
    export: (spans, done) => {
      tally.sent(spans.length);
      exporter.export(spans, (result) => {
        const code: number = result.code;
        if (code === 0) tally.arrived(spans.length);
        else tally.failed(spans.length, result.error);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
