import { Buffer } from 'node:buffer';
import type { Exemplar, Metric } from '../metric/metric.ts';
import type { FamilyType, ParsedSeries } from '../model/exposition.ts';
import { formatValue } from './labels.ts';
import type { LineRows, RenderedLines } from './lines.ts';
import type { Format } from './metrics-page.ts';

/** Identity of a row: a series of the server, or the labels of a sample. */
export type RowKey = ParsedSeries | Readonly<Record<string, string>>;

/** Rendered lines of one family of one source, without header. */
export interface Fragment {
  readonly family: Family;
  /** Value of `cluster_name`; `''` without. */
  readonly cluster: string;
  /** Rendered labels at the start of every line: lines of fragments with different labels are never the same series. */
  readonly base: string;
  readonly lines: RenderedLines<RowKey>;
  /** The same lines with exemplars, for OpenMetrics. Absent without exemplars. */
  readonly annotated?: Uint8Array;
}

/** Family of a source before rendering. */
export interface FamilyDraft {
  readonly family: Family;
  readonly rows: LineRows<RowKey>;
  readonly exemplars?: RowExemplars;
  /** Previous fragment of the source, if it has the same rows and values. */
  readonly unchanged?: Fragment;
}

/** Returns whether the key is a series of the server, without reading `pairs`, which the parser creates lazily. */
export function isSeries(key: RowKey): key is ParsedSeries {
  return 'pairs' in key && 'name' in key;
}

/** Header of a family. */
export interface Family {
  readonly name: string;
  readonly type: FamilyType;
  readonly help: string;
  /** Declaration of the metric; absent for a family of the server. */
  readonly metric?: Metric;
}

const units = ['seconds', 'bytes', 'ratio'];

/** Returns the header lines of a family. `taken` returns whether another family of the page has a name. */
export function renderHeader(family: Family, format: Format, taken: (name: string) => boolean): string {
  if (format === 'text') return describeFamily(family.name, family.type, escapeHelp(family.help));
  const { name, type } = openMetricsFamily(family, taken);
  const unit = family.metric === undefined ? undefined : units.find((word) => name.endsWith(`_${word}`));
  const unitLine = unit === undefined ? '' : `# UNIT ${name} ${unit}\n`;
  return describeFamily(name, type, escapeHelp(family.help).replaceAll('"', '\\"')) + unitLine;
}

/**
 * Returns name and type in OpenMetrics, where the name of a counter lacks the `_total` of its samples. Other counters
 * become `unknown`, which allows any sample name: the lines are the same in both formats.
 */
function openMetricsFamily({ name, type }: Family, taken: (name: string) => boolean): { name: string; type: string } {
  if (type === 'untyped') return { name, type: 'unknown' };
  if (type !== 'counter') return { name, type };
  const stem = name.endsWith('_total') ? name.slice(0, -'_total'.length) : '';
  return stem === '' || taken(stem) ? { name, type: 'unknown' } : { name: stem, type: 'counter' };
}

function describeFamily(name: string, type: string, help: string): string {
  return `${help === '' ? '' : `# HELP ${name} ${help}\n`}# TYPE ${name} ${type}\n`;
}

function escapeHelp(help: string): string {
  return help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

/** Exemplars by row index. */
export type RowExemplars = ReadonlyMap<number, Exemplar>;

/** Renders lines with their exemplars; undefined without exemplars. */
export function renderExemplars<Key>(
  { bytes, offsets, keys, repeated }: RenderedLines<Key>,
  exemplars: RowExemplars,
): Buffer | undefined {
  // Without the dropped rows, the indexes of the exemplars are wrong.
  const shown = repeated > 0 ? [] : [...exemplars].filter(([at]) => at < keys.length);
  if (shown.length === 0) return undefined;
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const [at, exemplar] of shown.toSorted(([one], [other]) => one - other)) {
    const lineFeed = (offsets[2 * at + 2] ?? bytes.length) - 1;
    pieces.push(bytes.subarray(from, lineFeed), Buffer.from(exemplarText(exemplar)));
    from = lineFeed;
  }
  return Buffer.concat([...pieces, bytes.subarray(from)]);
}

/** Formats an exemplar for OpenMetrics; the labels are far shorter than the limit of 128 characters. */
function exemplarText({ traceId, spanId, value, at }: Exemplar): string {
  return ` # {trace_id="${traceId}",span_id="${spanId}"} ${formatValue(value)} ${at / 1000}`;
}
