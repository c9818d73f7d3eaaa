/** Family types of the Prometheus text format. */
export type FamilyType = 'counter' | 'gauge' | 'histogram' | 'summary' | 'untyped';

/**
 * One series of an upstream page. The parser returns the same object for the same series on every poll, so that
 * renderers can cache by object.
 */
export interface ParsedSeries {
  /** Sample name; for histograms and summaries it may have a suffix that the family lacks. */
  readonly name: string;
  /** Label names and values in turn, unescaped; use {@link labelValue} and {@link labelPairs}. */
  readonly pairs: readonly string[];
  /**
   * Name and labels exactly as the format writes them (`name{label="value"}`, without blanks and needless escapes);
   * absent if the page wrote them in another form.
   */
  readonly text?: string | undefined;
}

/** One family of an upstream page: the i-th of `values` is the valid number text of `series[i]`. */
export interface ParsedFamily {
  readonly name: string;
  readonly type: FamilyType;
  readonly help: string;
  readonly series: readonly ParsedSeries[];
  readonly values: SampleValues;
}

/**
 * Reasons why a sample is withheld: NaN, a negative value or a fraction where only counts are allowed, buckets that do not
 * grow or differ from the count, a histogram without its last bucket or its sum, an invalid `le` or `quantile`, and a name
 * that another family of the page has.
 */
export type WithheldReason = 'nan' | 'negative' | 'fraction' | 'decreasing' | 'incomplete' | 'label' | 'name';

/** Samples of one family that OpenMetrics forbids. */
export interface WithheldSamples {
  readonly family: string;
  readonly reason: WithheldReason;
  readonly samples: number;
}

/** Parsed upstream page in the text format. */
export interface ParsedPage {
  readonly families: readonly ParsedFamily[];
  /** Samples that were not returned, because a strict parser would reject the whole page. */
  readonly withheld: readonly WithheldSamples[];
  /** Lines that were skipped because they were malformed, repeated a series or contradicted its family. */
  readonly rejected: number;
  /** Series that only the previous page contained: it did not return them, because they may have been garbled. */
  readonly unconfirmed: number;
}

/** Returns the value of a label, `''` if the series does not have it. */
export function labelValue(series: ParsedSeries, name: string): string {
  const { pairs } = series;
  for (let at = 0; at < pairs.length; at += 2) {
    if (pairs[at] === name) return pairs[at + 1] ?? '';
  }
  return '';
}

/** Returns all labels of a series, in the order of the page. */
export function* labelPairs(series: ParsedSeries): Generator<readonly [name: string, value: string]> {
  const { pairs } = series;
  for (let at = 0; at < pairs.length; at += 2) yield [pairs[at] ?? '', pairs[at + 1] ?? ''];
}

/**
 * Number texts of many samples, end to end in ASCII: a string for each of 100,000 samples would cost more than all
 * other work on them. Text `i` lies between `starts[i]` and `starts[i + 1]`. Both arrays may be longer than the texts: a part of
 * an array would be one more object, and make V8 allocate memory outside of its heap for a short one.
 */
export interface SampleValues {
  readonly length: number;
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
}

const decoder = new TextDecoder('latin1');
const zero = 48;
const dot = 46;

/** Powers of ten for values of at most 15 digits; a double holds each of them exactly. */
const powers: readonly number[] = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);

/** Creates texts from ASCII strings. */
export function sampleValues(texts: Iterable<string>): SampleValues {
  const writer = new SampleValueWriter();
  for (const text of texts) writer.add(text);
  return writer.finish();
}

/** Returns text `at` as a string. */
export function valueTextAt({ bytes, starts }: SampleValues, at: number): string {
  return decoder.decode(bytes.subarray(starts[at], starts[at + 1]));
}

/** Returns text `at` as the nearest number. */
export function valueAt(values: SampleValues, at: number): number {
  const { bytes, starts } = values;
  const [from = 0, to = 0] = [starts[at], starts[at + 1]];
  let digits = 0;
  let point = to;
  for (let next = from; next < to; next += 1) {
    const code = bytes[next] ?? 0;
    if (code === dot) point = next + 1;
    else if (code >= zero && code < zero + 10) digits = digits * 10 + code - zero;
    else return parseSampleValue(valueTextAt(values, at));
  }
  // The quotient of two exact doubles is the number nearest to the true value, the same that `Number` returns.
  return to - from > 15 ? parseSampleValue(valueTextAt(values, at)) : digits / (powers[to - point] ?? 1);
}

/** Parses a value of the text format (`+Inf`, `-Inf` and `NaN` included). */
export function parseSampleValue(text: string): number {
  if (text === '+Inf' || text === 'Inf') return Number.POSITIVE_INFINITY;
  return text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text);
}

/** Collects number texts, one after another. */
export class SampleValueWriter {
  #length = 0;
  #bytes: Uint8Array;
  #starts: Uint32Array;

  /** Allocates space for `expected` texts. */
  constructor(expected = 8) {
    this.#bytes = new Uint8Array(8 * expected);
    this.#starts = new Uint32Array(expected + 1);
  }

  /** Adds an ASCII string. */
  add(text: string): void {
    let at = this.#reserve(text.length);
    for (let next = 0; next < text.length; next += 1, at += 1) this.#bytes[at] = text.charCodeAt(next);
    this.#end(at);
  }

  /** Adds the part of `source` between `from` and `to`. Such texts are short: a loop is faster than a call. */
  copy(source: Uint8Array, from: number, to: number): void {
    let at = this.#reserve(to - from);
    for (let next = from; next < to; next += 1, at += 1) this.#bytes[at] = source[next] ?? 0;
    this.#end(at);
  }

  /** Returns the texts. Do not use the writer afterwards. */
  finish(): SampleValues {
    return { length: this.#length, bytes: this.#bytes, starts: this.#starts };
  }

  /** Returns the position of the next text, after ensuring that it fits. */
  #reserve(length: number): number {
    const at = this.#starts[this.#length] ?? 0;
    if (at + length > this.#bytes.length) this.#bytes = grow(this.#bytes, at + length);
    return at;
  }

  #end(at: number): void {
    this.#length += 1;
    if (this.#length === this.#starts.length) this.#starts = grow(this.#starts, this.#length + 1);
    this.#starts[this.#length] = at;
  }
}

function grow<T extends Uint8Array | Uint32Array>(full: T, least: number): T;
function grow(full: Uint8Array | Uint32Array, least: number): Uint8Array | Uint32Array {
  const length = Math.max(least, 2 * full.length);
  const larger = full instanceof Uint8Array ? new Uint8Array(length) : new Uint32Array(length);
  larger.set(full);
  return larger;
}
