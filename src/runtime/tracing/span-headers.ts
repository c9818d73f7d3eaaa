import { err, ok, type Result } from '../../kernel/result.ts';
import type { Files } from '../../kernel/system.ts';

/** Headers by name. They hold secrets. */
export type SpanHeaders = Readonly<Record<string, string>>;

/** Reads headers from a file, one `Name: value` a line; `#` begins a comment. The error is a sentence without contents. */
export async function readSpanHeaders(file: string, files: Files): Promise<Result<SpanHeaders, string>> {
  const text = await files.readText(file);
  if (!text.ok) return err('the file with the headers cannot be read');
  const lines = text.value.split(/\r?\n/).filter((line) => !/^\s*(?:#.*)?$/.test(line));
  const headers = lines.map(header);
  const wrong = headers.indexOf(undefined);
  if (wrong >= 0) return err('the file with the headers has a line that is not `Name: value`');
  return ok(Object.fromEntries(headers.filter((one) => one !== undefined)));
}

function header(line: string): readonly [name: string, value: string] | undefined {
  const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*:\s*([\t\x20-\x7e]*?)\s*$/.exec(line) ?? [];
  return name === undefined || value === undefined ? undefined : [name, value];
}
