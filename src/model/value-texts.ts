/**
 * The number texts of many samples, end to end in ASCII: a string for each of 100,000 samples would cost more
 * than all else that is done with them. Text `i` lies between `starts[i]` and `starts[i + 1]`.
 */
export interface ValueTexts {
  readonly length: number;
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
}

const decoder = new TextDecoder('latin1');
const zero = 48;
const dot = 46;

/** Powers of ten that a double holds exactly, as far as digits that it holds exactly may need them. */
const powers: readonly number[] = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);

/** Texts from strings of ASCII. */
export function valueTexts(texts: Iterable<string>): ValueTexts {
  const writer = new ValueWriter();
  for (const text of texts) writer.add(text);
  return writer.done();
}

/** Text `at` as a string. */
export function textAt({ bytes, starts }: ValueTexts, at: number): string {
  return decoder.decode(bytes.subarray(starts[at], starts[at + 1]));
}

/** Text `at` as the number nearest to it. */
export function numberAt(values: ValueTexts, at: number): number {
  const { bytes, starts } = values;
  const [from = 0, to = 0] = [starts[at], starts[at + 1]];
  let digits = 0;
  let point = to;
  for (let next = from; next < to; next += 1) {
    const code = bytes[next] ?? 0;
    if (code === dot) point = next + 1;
    else if (code >= zero && code < zero + 10) digits = digits * 10 + code - zero;
    else return numberOf(textAt(values, at));
  }
  // Of two exact doubles the quotient is the nearest one to the true value, which is what `Number` gives too.
  return to - from > 15 ? numberOf(textAt(values, at)) : digits / (powers[to - point] ?? 1);
}

/** A value text of the format as a number (`+Inf`, `-Inf` and `NaN` included). */
export function numberOf(text: string): number {
  if (text === '+Inf' || text === 'Inf') return Number.POSITIVE_INFINITY;
  return text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text);
}

/** Collects the texts of samples, one after the other. */
export class ValueWriter {
  #length = 0;
  #bytes: Uint8Array;
  #starts: Uint32Array;

  /** `expected` texts fit in at once. */
  constructor(expected = 8) {
    this.#bytes = new Uint8Array(8 * expected);
    this.#starts = new Uint32Array(expected + 1);
  }

  /** Adds a string of ASCII. */
  add(text: string): void {
    let at = this.#room(text.length);
    for (let next = 0; next < text.length; next += 1, at += 1) this.#bytes[at] = text.charCodeAt(next);
    this.#end(at);
  }

  /** Adds the part of `source` between `from` and `to`. Such texts are short: a loop is faster than a call. */
  copy(source: Uint8Array, from: number, to: number): void {
    let at = this.#room(to - from);
    for (let next = from; next < to; next += 1, at += 1) this.#bytes[at] = source[next] ?? 0;
    this.#end(at);
  }

  /** What was added. The writer must not be used afterwards. */
  done(): ValueTexts {
    const end = this.#starts[this.#length] ?? 0;
    return {
      length: this.#length,
      bytes: this.#bytes.subarray(0, end),
      starts: this.#starts.subarray(0, this.#length + 1),
    };
  }

  /** Where the next text begins, with room for it. */
  #room(length: number): number {
    const at = this.#starts[this.#length] ?? 0;
    if (at + length > this.#bytes.length) this.#bytes = enlarged(this.#bytes, at + length);
    return at;
  }

  #end(at: number): void {
    this.#length += 1;
    if (this.#length === this.#starts.length) this.#starts = enlarged(this.#starts, this.#length + 1);
    this.#starts[this.#length] = at;
  }
}

function enlarged<T extends Uint8Array | Uint32Array>(full: T, least: number): T;
function enlarged(full: Uint8Array | Uint32Array, least: number): Uint8Array | Uint32Array {
  const length = Math.max(least, 2 * full.length);
  const larger = full instanceof Uint8Array ? new Uint8Array(length) : new Uint32Array(length);
  larger.set(full);
  return larger;
}
