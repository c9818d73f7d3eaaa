import { Buffer } from 'node:buffer';
import type { TimeSlices } from '../kernel/time-slices.ts';
import type { SampleValues } from '../model/exposition.ts';

/** Rows to render: the i-th of `values` is the number text of `keys[i]`. */
export interface LineRows<Key> {
  readonly keys: readonly Key[];
  readonly values: SampleValues;
  /** Returns whether two keys render to the same prefix. May be false for equal keys, which only costs time. */
  same(one: Key, other: Key): boolean;
  /** Returns the part of the line before the value. */
  prefix(key: Key): string;
  /** Returns whether no other key can have the same prefix. Absent if that is never known. */
  unique?(key: Key): boolean;
}

/** Buffers that lines are written into. */
type LineBuffers = Pick<RenderedLines<unknown>, 'bytes' | 'offsets'>;

/** Rendered rows, with the data to render them again with other values. */
export interface RenderedLines<Key> {
  readonly bytes: Buffer;
  readonly keys: readonly Key[];
  /**
   * Start of line i at 2i, and of its value at 2i + 1; after the last line, its end. One array, because most fragments have
   * few lines, and each array takes more memory than their offsets.
   */
  readonly offsets: Uint32Array;
  /** Rows dropped because an earlier row has the same prefix. */
  readonly repeated: number;
  /** Each prefix is known to be unique, whatever the order of the keys. */
  readonly unique: boolean;
  /** Memory of an earlier rendering for the next one to overwrite; absent while a response may still use it. */
  readonly reusableBuffers?: LineBuffers | undefined;
}

/** Rows between two checks of the clock. */
const portionRows = 2048;

/** Minimum size for reuse, in bytes: new memory for each rendering would keep the garbage collector busy. */
const reuseThreshold = 65_536;
const newline = 10;

/**
 * Renders rows. Between polls, keys and order rarely change from `before`: then the prefixes are copied as bytes
 * without a search for duplicates. Returns `before` if no value differs either.
 */
export async function renderLines<Key>(
  rows: LineRows<Key>,
  before: RenderedLines<Key> | undefined,
  slices: TimeSlices,
): Promise<RenderedLines<Key>> {
  if (before !== undefined && before.repeated === 0 && (await haveSameKeys(rows, before.keys, slices))) {
    return hasSameValues(rows.values, before) ? before : renderValues(rows, before, slices);
  }
  return (await renderUnique(rows, before, slices)) ?? renderFromScratch(rows, slices);
}

async function haveSameKeys<Key>(rows: LineRows<Key>, keys: readonly Key[], slices: TimeSlices): Promise<boolean> {
  if (rows.keys === keys) return true;
  if (rows.keys.length !== keys.length) return false;
  for (let from = 0; from < keys.length; from += portionRows) {
    if (!portionHasSameKeys(rows, keys, from)) return false;
    if (slices.shouldYield()) await slices.nextSlice();
  }
  return true;
}

function portionHasSameKeys<Key>(rows: LineRows<Key>, keys: readonly Key[], from: number): boolean {
  const end = Math.min(keys.length, from + portionRows);
  for (let at = from; at < end; at += 1) {
    const [one, other] = [rows.keys[at], keys[at]];
    if (one === undefined || other === undefined || (one !== other && !rows.same(one, other))) return false;
  }
  return true;
}

function hasSameValues({ bytes, starts }: SampleValues, before: RenderedLines<unknown>): boolean {
  for (let at = 0; at < before.keys.length; at += 1) {
    const from = starts[at] ?? 0;
    const offset = before.offsets[2 * at + 1] ?? 0;
    const length = (starts[at + 1] ?? 0) - from;
    if ((before.offsets[2 * at + 2] ?? 0) - 1 - offset !== length) return false;
    for (let next = 0; next < length; next += 1) if (bytes[from + next] !== before.bytes[offset + next]) return false;
  }
  return true;
}

async function renderValues<Key>(
  rows: LineRows<Key>,
  before: RenderedLines<Key>,
  slices: TimeSlices,
): Promise<RenderedLines<Key>> {
  const { keys, values } = rows;
  const writer = new LineBufferWriter(keys.length, estimateSize(before, values), before.reusableBuffers);
  for (let at = 0; at < keys.length; at += 1) {
    writer.copy(before, at);
    writer.value(values, at);
    if (at % portionRows === 0 && slices.shouldYield()) await slices.nextSlice();
  }
  const spare = before.bytes.length < reuseThreshold ? undefined : before;
  return { ...writer.finish(), keys, repeated: 0, unique: before.unique, reusableBuffers: buffersOf(spare) };
}

function buffersOf(lines: LineBuffers | undefined): LineBuffers | undefined {
  return lines && { bytes: lines.bytes, offsets: lines.offsets };
}

function estimateSize<Key>({ offsets, keys }: RenderedLines<Key>, values: SampleValues): number {
  let size = (values.starts[values.length] ?? 0) + values.length;
  for (let at = 0; at < keys.length; at += 1) size += (offsets[2 * at + 1] ?? 0) - (offsets[2 * at] ?? 0);
  return size;
}

/** Renders new rows and copies the others; undefined if duplicates must be searched for. */
async function renderUnique<Key>(
  rows: LineRows<Key>,
  before: RenderedLines<Key> | undefined,
  slices: TimeSlices,
): Promise<RenderedLines<Key> | undefined> {
  if (rows.unique === undefined) return undefined;
  const { keys, values } = rows;
  const known = new PreviousLines(before?.unique === true ? before : undefined);
  const writer = new LineBufferWriter(keys.length, before?.bytes.length);
  for (const [at, key] of keys.entries()) {
    const line = known.find(key);
    if (line !== undefined) writer.copy(line.lines, line.at);
    else if (rows.unique(key)) writer.text(rows.prefix(key));
    else return undefined;
    writer.value(values, at);
    if (at % (portionRows / 8) === 0 && slices.shouldYield()) await slices.nextSlice();
  }
  return { ...writer.finish(), keys, repeated: 0, unique: true };
}

async function renderFromScratch<Key>(rows: LineRows<Key>, slices: TimeSlices): Promise<RenderedLines<Key>> {
  const writer = new LineBufferWriter(rows.keys.length);
  const seen = new Set<string>();
  const keys: Key[] = [];
  for (const [at, key] of rows.keys.entries()) {
    const prefix = rows.prefix(key);
    if (at % (portionRows / 8) === 0 && slices.shouldYield()) await slices.nextSlice();
    if (seen.has(prefix)) continue;
    seen.add(prefix);
    keys.push(key);
    writer.text(prefix);
    writer.value(rows.values, at);
  }
  return { ...writer.finish(), keys, repeated: rows.keys.length - keys.length, unique: false };
}

/** Finds the lines of an earlier rendering by key; fast while the keys are in the same order. */
class PreviousLines<Key> {
  readonly #lines: RenderedLines<Key> | undefined;
  #positions: ReadonlyMap<Key, number> | undefined;
  #next = 0;

  constructor(lines: RenderedLines<Key> | undefined) {
    this.#lines = lines;
  }

  find(key: Key): { readonly lines: RenderedLines<Key>; readonly at: number } | undefined {
    const lines = this.#lines;
    if (lines === undefined) return undefined;
    const at = lines.keys[this.#next] === key ? this.#next : this.#lookUp(lines.keys, key);
    if (at === undefined) return undefined;
    this.#next = at + 1;
    return { lines, at };
  }

  #lookUp(keys: readonly Key[], key: Key): number | undefined {
    this.#positions ??= new Map(keys.map((one, at) => [one, at]));
    return this.#positions.get(key);
  }
}

/** Writes lines into a buffer, which grows if it is larger than the expected size. */
class LineBufferWriter {
  readonly #offsets: Uint32Array;
  #bytes: Buffer;
  #count = 0;
  #at = 0;

  constructor(lines: number, size = lines * 128, spare?: LineBuffers) {
    this.#bytes = allocate(size, spare);
    const length = 2 * lines + 1;
    this.#offsets = spare?.offsets.length === length ? spare.offsets : new Uint32Array(length);
  }

  /** Starts a line with the prefix of line `at` of `lines`. */
  copy<Key>({ bytes, offsets }: RenderedLines<Key>, at: number): void {
    const [from = 0, to = 0] = [offsets[2 * at], offsets[2 * at + 1]];
    this.#reserve(to - from);
    this.#at += bytes.copy(this.#bytes, this.#at, from, to);
  }

  /** Starts a line with a prefix that no earlier rendering has. */
  text(prefix: string): void {
    this.#reserve(3 * prefix.length);
    this.#at += this.#bytes.write(prefix, this.#at);
  }

  /** Writes the value and ends the line. Number texts are short: a loop is faster than a call. */
  value({ bytes, starts }: SampleValues, at: number): void {
    const [from = 0, to = 0] = [starts[at], starts[at + 1]];
    this.#reserve(to - from + 1);
    this.#offsets[2 * this.#count + 1] = this.#at;
    for (let next = from; next < to; next += 1) this.#bytes[this.#at + next - from] = bytes[next] ?? 0;
    this.#at += to - from + 1;
    this.#bytes[this.#at - 1] = newline;
    this.#count += 1;
    this.#offsets[2 * this.#count] = this.#at;
  }

  finish(): LineBuffers {
    return { bytes: this.#exact(), offsets: this.#offsets };
  }

  /** Returns the written bytes. Lines whose values never change are kept as they are: they must not keep unused memory. */
  #exact(): Buffer {
    if (this.#at === this.#bytes.length) return this.#bytes;
    const written = this.#bytes.subarray(0, this.#at);
    if (this.#at >= reuseThreshold || this.#at > 0.9 * this.#bytes.length) return written;
    const exact = Buffer.allocUnsafeSlow(this.#at);
    written.copy(exact);
    return exact;
  }

  #reserve(length: number): void {
    if (this.#at + length <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#at + length, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

function allocate(size: number, spare: LineBuffers | undefined): Buffer {
  const capacity = spare?.bytes.buffer.byteLength ?? 0;
  if (spare !== undefined && capacity >= size && capacity <= 2 * size) return Buffer.from(spare.bytes.buffer);
  // Not from the pool: a fragment of 200 bytes must not keep a slab of 8 KiB alive. Large buffers get some room to grow.
  return Buffer.allocUnsafeSlow(size < reuseThreshold ? size : Math.ceil(size * 1.05));
}
