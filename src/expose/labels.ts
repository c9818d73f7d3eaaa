import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';

/** Rendered labels of a source, at the start of every series. */
export interface BaseLabels {
  readonly names: ReadonlySet<string>;
  /** `cluster_name="prod",node="m1"`, without braces. */
  readonly text: string;
}

/** Limit of label values, with the number of values that were cut. */
export interface LabelLimit {
  readonly valueBytes: number;
  cut: number;
}

/** Renders the labels of a source, in their given order. */
export function baseLabels(labels: Readonly<Record<string, string>>, limit: LabelLimit): BaseLabels {
  const pairs = Object.entries(labels);
  return {
    names: new Set(pairs.map(([name]) => name)),
    text: pairs.map(([name, value]) => formatLabel(name, value, limit)).join(','),
  };
}

/** Renders `name="value"`, escaped and limited. */
export function formatLabel(name: string, value: string, limit: LabelLimit): string {
  return `${name}="${escapeLabel(truncate(wellFormed(value), limit))}"`;
}

/** Returns the part of a line before its value, including the blank. */
export function linePrefix(name: string, base: string, own: readonly string[]): string {
  const labels = base === '' ? own.join(',') : [base, ...own].join(',');
  return labels === '' ? `${name} ` : `${name}{${labels}} `;
}

/** Replaces half of a surrogate pair, which JSON may contain and UTF-8 cannot represent. */
function wellFormed(value: string): string {
  return value.isWellFormed() ? value : value.toWellFormed();
}

function escapeLabel(value: string): string {
  return /["\\\n]/.test(value) ? value.replace(/["\\\n]/g, (code) => (code === '\n' ? '\\n' : `\\${code}`)) : value;
}

/** Cuts between two characters and adds a checksum of the whole, so that different values stay different. */
function truncate(value: string, limit: LabelLimit): string {
  const { valueBytes: most } = limit;
  // One UTF-16 unit is at most three bytes of UTF-8: short values need no exact count.
  if (value.length * 3 <= most) return value;
  const bytes = Buffer.from(value);
  if (bytes.length <= most) return value;
  limit.cut += 1;
  const mark = `~${crc32(bytes).toString(16).padStart(8, '0')}`;
  let stop = Math.max(0, most - mark.length);
  while (stop > 0 && ((bytes[stop] ?? 0) & 0xc0) === 0x80) stop -= 1;
  return bytes.toString('utf8', 0, stop) + mark;
}

/** Formats a number for both exposition formats. */
export function formatValue(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
