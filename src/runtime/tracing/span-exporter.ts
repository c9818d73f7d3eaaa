import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { NodeSDKConfiguration } from '@opentelemetry/sdk-node';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Files } from '../../kernel/system.ts';
import type { SpanExportSettings } from '../../model/span.ts';
import { type ExportStatistics, HeadersError } from './export-statistics.ts';

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
