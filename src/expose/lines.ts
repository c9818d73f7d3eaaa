import { Buffer } from 'node:buffer';
import type { Slices } from '../kernel/slices.ts';
import type { ValueTexts } from '../model/value-texts.ts';

/** Rows to be rendered: the i-th of `values` is the number text of `keys[i]`. */
export interface Rows<Key> {
  readonly keys: readonly Key[];
  readonly values: ValueTexts;
  /** True where two keys render to the same prefix. May be false for equal ones, which costs time alone. */
  same(one: Key, other: Key): boolean;
  /** All of the line before the value. */
  prefix(key: Key): string;
  /** True where no other key can have the same prefix. Left out where that is never known. */
  unique?(key: Key): boolean;
}

/** What lines are written into. */
type Memory = Pick<Lines<unknown>, 'bytes' | 'starts' | 'values'>;

/** Rendered rows, with what it takes to render them again with other values. */
export interface Lines<Key> {
  readonly bytes: Buffer;
  readonly keys: readonly Key[];
  /** Where line i begins; one more element tells where the last one ends. */
  readonly starts: Uint32Array;
  /** Where the value of line i begins. */
  readonly values: Uint32Array;
  /** Rows left out because an earlier one has the same prefix. */
  readonly repeated: number;
  /** Each prefix is known to be unique, however the keys come. */
  readonly unique: boolean;
  /** Memory of an earlier rendering, to be written over by the next one; absent while somebody may still read it. */
  readonly spare?: Memory | undefined;
}

/** Rows looked at between two checks of the clock. */
const portion = 2048;

/** From here on, new memory for each rendering would keep the garbage collector busy. */
const worthSparing = 65_536;
const newline = 10;

/**
 * Renders rows. The same keys in the same order as `before` are the rule from one reading to the next: then
 * the prefixes are copied as bytes, and repeats need not be looked for.
 */
export async function renderLines<Key>(
  rows: Rows<Key>,
  before: Lines<Key> | undefined,
  slices: Slices,
): Promise<Lines<Key>> {
  if (before !== undefined && before.repeated === 0 && (await alike(rows, before.keys, slices))) {
    return renderValues(rows, before, slices);
  }
  return (await renderUnique(rows, before, slices)) ?? renderAfresh(rows, slices);
}

async function alike<Key>(rows: Rows<Key>, keys: readonly Key[], slices: Slices): Promise<boolean> {
  if (rows.keys === keys) return true;
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
  const { keys, values } = rows;
  const writer = new LineWriter(keys.length, sizeLike(before, values), before.spare);
  for (let at = 0; at < keys.length; at += 1) {
    writer.copy(before, at);
    writer.value(values, at);
    if (at % portion === 0 && slices.due()) await slices.rest();
  }
  const spare = before.bytes.length < worthSparing ? undefined : before;
  return { ...writer.done(), keys, repeated: 0, unique: before.unique, spare: memoryOf(spare) };
}

function memoryOf(lines: Memory | undefined): Memory | undefined {
  return lines && { bytes: lines.bytes, starts: lines.starts, values: lines.values };
}

function sizeLike<Key>({ bytes, starts, values: ends, keys }: Lines<Key>, values: ValueTexts): number {
  let size = values.bytes.length + values.length;
  for (let at = 0; at < keys.length; at += 1) size += (ends[at] ?? 0) - (starts[at] ?? bytes.length);
  return size;
}

/** Renders what is new and copies the rest; undefined where repeats have to be looked for. */
async function renderUnique<Key>(
  rows: Rows<Key>,
  before: Lines<Key> | undefined,
  slices: Slices,
): Promise<Lines<Key> | undefined> {
  if (rows.unique === undefined) return undefined;
  const { keys, values } = rows;
  const known = new KnownLines(before?.unique === true ? before : undefined);
  const writer = new LineWriter(keys.length, before?.bytes.length);
  for (const [at, key] of keys.entries()) {
    const line = known.find(key);
    if (line !== undefined) writer.copy(line.lines, line.at);
    else if (rows.unique(key)) writer.text(rows.prefix(key));
    else return undefined;
    writer.value(values, at);
    if (at % (portion / 8) === 0 && slices.due()) await slices.rest();
  }
  return { ...writer.done(), keys, repeated: 0, unique: true };
}

async function renderAfresh<Key>(rows: Rows<Key>, slices: Slices): Promise<Lines<Key>> {
  const writer = new LineWriter(rows.keys.length);
  const seen = new Set<string>();
  const keys: Key[] = [];
  for (const [at, key] of rows.keys.entries()) {
    const prefix = rows.prefix(key);
    if (at % (portion / 8) === 0 && slices.due()) await slices.rest();
    if (seen.has(prefix)) continue;
    seen.add(prefix);
    keys.push(key);
    writer.text(prefix);
    writer.value(rows.values, at);
  }
  return { ...writer.done(), keys, repeated: rows.keys.length - keys.length, unique: false };
}

/** Finds the lines of an earlier rendering by their keys, fast as long as they are asked for in their order. */
class KnownLines<Key> {
  readonly #lines: Lines<Key> | undefined;
  #places: ReadonlyMap<Key, number> | undefined;
  #next = 0;

  constructor(lines: Lines<Key> | undefined) {
    this.#lines = lines;
  }

  find(key: Key): { readonly lines: Lines<Key>; readonly at: number } | undefined {
    const lines = this.#lines;
    if (lines === undefined) return undefined;
    const at = lines.keys[this.#next] === key ? this.#next : this.#lookUp(lines.keys, key);
    if (at === undefined) return undefined;
    this.#next = at + 1;
    return { lines, at };
  }

  #lookUp(keys: readonly Key[], key: Key): number | undefined {
    this.#places ??= new Map(keys.map((one, at) => [one, at]));
    return this.#places.get(key);
  }
}

/** Writes lines into a buffer, which is of the exact size where that is known. */
class LineWriter {
  readonly #starts: Uint32Array;
  readonly #values: Uint32Array;
  #bytes: Buffer;
  #count = 0;
  #at = 0;

  constructor(lines: number, size = lines * 128, spare?: Memory) {
    this.#bytes = roomFor(size, spare);
    this.#starts = spare?.starts.length === lines + 1 ? spare.starts : new Uint32Array(lines + 1);
    this.#values = spare?.values.length === lines ? spare.values : new Uint32Array(lines);
  }

  /** Begins a line as line `at` of `lines` begins. */
  copy<Key>({ bytes, starts, values }: Lines<Key>, at: number): void {
    const [from = 0, to = 0] = [starts[at], values[at]];
    this.#makeRoom(to - from);
    this.#at += bytes.copy(this.#bytes, this.#at, from, to);
  }

  /** Begins a line. */
  text(prefix: string): void {
    this.#makeRoom(3 * prefix.length);
    this.#at += this.#bytes.write(prefix, this.#at);
  }

  /** Ends a line. Number texts are short: a loop is faster than a call. */
  value({ bytes, starts }: ValueTexts, at: number): void {
    const [from = 0, to = 0] = [starts[at], starts[at + 1]];
    this.#makeRoom(to - from + 1);
    this.#values[this.#count] = this.#at;
    for (let next = from; next < to; next += 1) this.#bytes[this.#at + next - from] = bytes[next] ?? 0;
    this.#at += to - from + 1;
    this.#bytes[this.#at - 1] = newline;
    this.#count += 1;
    this.#starts[this.#count] = this.#at;
  }

  done(): Memory {
    return {
      bytes: this.#bytes.subarray(0, this.#at),
      starts: this.#starts.subarray(0, this.#count + 1),
      values: this.#values.subarray(0, this.#count),
    };
  }

  #makeRoom(length: number): void {
    if (this.#at + length <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#at + length, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

function roomFor(size: number, spare: Memory | undefined): Buffer {
  const capacity = spare?.bytes.buffer.byteLength ?? 0;
  if (spare !== undefined && capacity >= size && capacity <= 2 * size) return Buffer.from(spare.bytes.buffer);
  // Not from the pool: a fragment of 200 bytes must not keep a slab of 8 KiB alive. With some room to grow into.
  return Buffer.allocUnsafeSlow(size < worthSparing ? size : Math.ceil(size * 1.05));
}
