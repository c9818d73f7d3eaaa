import { err, ok, type Result } from '../../kernel/result.ts';
import type { Files } from '../../kernel/system.ts';
import type { OtlpEndpoint } from '../../model/span.ts';
import { HeadersError } from './export-statistics.ts';

/** Options of an OTLP exporter of the library. */
interface OtlpOptions {
  readonly url: string;
  readonly headers?: () => Promise<Record<string, string>>;
}

/**
 * Returns the address and the headers of an OTLP exporter. Timeout, compression, certificates and further headers are as
 * the standard variables state.
 */
export function otlpOptions({ url, headersFile }: OtlpEndpoint, files: Files): OtlpOptions {
  if (headersFile === undefined) return { url };
  const headers = async (): Promise<Record<string, string>> => {
    const read = await readOtlpHeaders(headersFile, files);
    if (!read.ok) throw new HeadersError(read.error);
    return { ...read.value };
  };
  return { url, headers };
}

/** Headers by name. They hold secrets. */
export type OtlpHeaders = Readonly<Record<string, string>>;

/** Reads headers from a file, one `Name: value` per line; `#` begins a comment. The error is a sentence without contents. */
export async function readOtlpHeaders(file: string, files: Files): Promise<Result<OtlpHeaders, string>> {
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
