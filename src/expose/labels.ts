import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';

/** The labels that a source puts before those of every series, rendered once. */
export interface BaseLabels {
  readonly names: ReadonlySet<string>;
  /** `cluster_name="prod",node="m1"`, without braces. */
  readonly text: string;
}

/** Renders the labels of a source, in the order in which they were given. */
export function baseLabels(labels: Readonly<Record<string, string>>, valueBytes: number): BaseLabels {
  const pairs = Object.entries(labels);
  return {
    names: new Set(pairs.map(([name]) => name)),
    text: pairs.map(([name, value]) => labelText(name, value, valueBytes)).join(','),
  };
}

/** `name="value"`, escaped, the value no longer than `valueBytes`. */
export function labelText(name: string, value: string, valueBytes: number): string {
  return `${name}="${escapeLabel(shorten(wellFormed(value), valueBytes))}"`;
}

/** The part of a line before its value, with the blank that ends it. */
export function linePrefix(name: string, base: string, own: readonly string[]): string {
  const labels = base === '' ? own.join(',') : [base, ...own].join(',');
  return labels === '' ? `${name} ` : `${name}{${labels}} `;
}

/** Half of a surrogate pair, which JSON may hold, has no bytes in UTF-8. */
function wellFormed(value: string): string {
  return value.isWellFormed() ? value : value.toWellFormed();
}

function escapeLabel(value: string): string {
  return /["\\\n]/.test(value) ? value.replace(/["\\\n]/g, (code) => (code === '\n' ? '\\n' : `\\${code}`)) : value;
}

/** Cuts between two characters and adds a checksum of the whole, so that different values stay different. */
function shorten(value: string, most: number): string {
  // One UTF-16 unit is at most three bytes of UTF-8: short values need no exact count.
  if (value.length * 3 <= most) return value;
  const bytes = Buffer.from(value);
  if (bytes.length <= most) return value;
  const mark = `~${crc32(bytes).toString(16).padStart(8, '0')}`;
  let stop = Math.max(0, most - mark.length);
  while (stop > 0 && ((bytes[stop] ?? 0) & 0xc0) === 0x80) stop -= 1;
  return bytes.toString('utf8', 0, stop) + mark;
}

/** A number as both formats write it. */
export function valueText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
