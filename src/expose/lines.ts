import { Buffer } from 'node:buffer';
import type { Slices } from '../kernel/slices.ts';

/** Rows to be rendered: `values[i]` is the number text of `keys[i]`. */
export interface Rows<Key> {
  readonly keys: readonly Key[];
  readonly values: readonly string[];
  /** True where two keys render to the same prefix. May be false for equal ones, which costs time alone. */
  same(one: Key, other: Key): boolean;
  /** All of the line before the value. */
  prefix(key: Key): string;
}

/** Rendered rows, with what it takes to render them again with other values. */
export interface Lines<Key> {
  readonly bytes: Uint8Array;
  readonly keys: readonly Key[];
  /** Where line i begins; one more element tells where the last one ends. */
  readonly starts: Uint32Array;
  /** Where the value of line i begins. */
  readonly values: Uint32Array;
  /** Rows left out because an earlier one has the same prefix. */
  readonly repeated: number;
}

/** Rows looked at between two checks of the clock. */
const portion = 2048;
const newline = 10;

/**
 * Renders rows. The same keys in the same order as `before` are the rule from one reading to the next: then
 * the prefixes are copied as bytes, and repeats need not be looked for.
 */
export async function renderLines<Key>(rows: Rows<Key>, before: Lines<Key> | undefined, slices: Slices) {
  if (before !== undefined && before.repeated === 0 && (await alike(rows, before.keys, slices))) {
    return renderValues(rows, before, slices);
  }
  return renderAfresh(rows, slices);
}

async function alike<Key>(rows: Rows<Key>, keys: readonly Key[], slices: Slices): Promise<boolean> {
  if (rows.keys.length !== keys.length) return false;
  for (let from = 0; from < keys.length; from += portion) {
    if (!alikePortion(rows, keys, from)) return false;
    if (slices.due()) await slices.rest();
  }
  return true;
}

function alikePortion<Key>(rows: Rows<Key>, keys: readonly Key[], from: number): boolean {
  const end = Math.min(keys.length, from + portion);
  for (let at = from; at < end; at += 1) {
    const [one, other] = [rows.keys[at], keys[at]];
    if (one === undefined || other === undefined || (one !== other && !rows.same(one, other))) return false;
  }
  return true;
}

async function renderValues<Key>(rows: Rows<Key>, before: Lines<Key>, slices: Slices): Promise<Lines<Key>> {
  const writer = new LineWriter(rows.keys.length, sizeLike(before, rows.values));
  const source = Buffer.from(before.bytes.buffer, before.bytes.byteOffset, before.bytes.length);
  for (let from = 0; from < rows.keys.length; from += portion) {
    const end = Math.min(rows.keys.length, from + portion);
    for (let at = from; at < end; at += 1) {
      writer.copy(source, before.starts[at] ?? 0, before.values[at] ?? 0);
      writer.value(rows.values[at] ?? '');
    }
    if (slices.due()) await slices.rest();
  }
  return { ...writer.done(), keys: rows.keys, repeated: 0 };
}

function sizeLike<Key>(before: Lines<Key>, values: readonly string[]): number {
  let size = values.length;
  for (let at = 0; at < values.length; at += 1) {
    size += (before.values[at] ?? 0) - (before.starts[at] ?? 0) + (values[at] ?? '').length;
  }
  return size;
}

async function renderAfresh<Key>(rows: Rows<Key>, slices: Slices): Promise<Lines<Key>> {
  const prefixes = new Map<string, Key>();
  const values: string[] = [];
  let size = 0;
  for (let from = 0; from < rows.keys.length; from += portion / 8) {
    for (let at = from; at < Math.min(rows.keys.length, from + portion / 8); at += 1) {
      const key = rows.keys[at];
      const prefix = key === undefined ? undefined : rows.prefix(key);
      if (key === undefined || prefix === undefined || prefixes.has(prefix)) continue;
      prefixes.set(prefix, key);
      const value = rows.values[at] ?? '';
      values.push(value);
      size += Buffer.byteLength(prefix) + value.length + 1;
    }
    if (slices.due()) await slices.rest();
  }
  const writer = new LineWriter(values.length, size);
  for (const prefix of prefixes.keys()) {
    writer.text(prefix);
    writer.value(values[writer.count] ?? '');
    if (writer.count % portion === 0 && slices.due()) await slices.rest();
  }
  return { ...writer.done(), keys: [...prefixes.values()], repeated: rows.keys.length - values.length };
}

/** Writes lines into a buffer of the exact size. */
class LineWriter {
  count = 0;
  readonly #bytes: Buffer;
  readonly #starts: Uint32Array;
  readonly #values: Uint32Array;
  #at = 0;

  constructor(lines: number, size: number) {
    // Not from the pool: a fragment of 200 bytes must not keep a slab of 8 KiB alive.
    this.#bytes = Buffer.allocUnsafeSlow(size);
    this.#starts = new Uint32Array(lines + 1);
    this.#values = new Uint32Array(lines);
  }

  copy(source: Buffer, start: number, end: number): void {
    this.#at += source.copy(this.#bytes, this.#at, start, end);
  }

  text(prefix: string): void {
    this.#at += this.#bytes.write(prefix, this.#at);
  }

  /** Ends the line. Number texts are ASCII and short: a loop is faster than a call. */
  value(text: string): void {
    this.#values[this.count] = this.#at;
    for (let at = 0; at < text.length; at += 1) this.#bytes[this.#at + at] = text.charCodeAt(at);
    this.#at += text.length;
    this.#bytes[this.#at] = newline;
    this.#at += 1;
    this.count += 1;
    this.#starts[this.count] = this.#at;
  }

  done(): { readonly bytes: Uint8Array; readonly starts: Uint32Array; readonly values: Uint32Array } {
    return { bytes: this.#bytes, starts: this.#starts, values: this.#values };
  }
}
