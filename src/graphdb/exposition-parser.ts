import { err, ok, type Result } from '../kernel/result.ts';
import { SerialQueue } from '../kernel/serial-queue.ts';
import type { Clock } from '../kernel/time.ts';
import { startTimeSlices, type TimeSlices } from '../kernel/time-slices.ts';
import type { ParsedFamily, ParsedPage, SampleValueWriter } from '../model/exposition.ts';
import { FamilyBuilder } from './exposition-family-builder.ts';
import { SeriesCache } from './exposition-series-cache.ts';
import { parseMetadata, parseValue, plainNumberEnd, seriesEnd, skipBlanks } from './exposition-syntax.ts';
import type { InternedSeries } from './interned-series.ts';
import { maxFamilies } from './reply-limits.ts';
import { withholdForbidden } from './strict-families.ts';

/** Parser of pages in the text format. Each cluster has its own parser, because it caches the series of the last page. */
export interface ExpositionParser {
  /**
   * Parses one page, in slices. Never throws and never rejects: an error is a sentence. An invalid line is
   * dropped and counted; a page without one valid line, or that is not UTF-8, is an error.
   */
  parse(body: Uint8Array, signal?: AbortSignal): Promise<Result<ParsedPage, string>>;
}

/** Parser of the pages of several nodes, which share the memory for series. */
export interface SharedParser extends ExpositionParser {
  /**
   * Returns the parser for one node. Only pages of the same node confirm each other: a hostile page must not make the
   * series of other nodes look new.
   */
  of(node: string): ExpositionParser;
}

/** Series that a page may hold at most; those beyond are counted as rejected. */
const defaultMaximumSeries = 300_000;

/** Bytes that are parsed between two checks of the clock. */
const portionBytes = 65_536;

/** Error of a page with too many families. */
export const tooManyFamilies = `the body has more than ${maxFamilies} families`;

/** Maximum length of a line, far above any line of a server. */
const maxLineLength = 65_536;
const newline = 10;
const hash = 35;

/** Options of a parser. */
export interface ParserOptions {
  readonly maxSeries?: number;
  /** Whether a series counts from its second page on, except for those of the first page: a line may be garbled. */
  readonly confirmsSeries?: boolean;
  /** Whether samples that OpenMetrics forbids are kept, for pages of this process. */
  readonly keepsForbidden?: boolean;
}

/** Creates a parser for the Prometheus text format 0.0.4 that also parses OpenMetrics 1.0. */
export function createTextParser(
  clock: Clock,
  { maxSeries = defaultMaximumSeries, confirmsSeries = false, keepsForbidden = false }: ParserOptions = {},
): SharedParser {
  const cache = new SeriesCache(maxSeries);
  let last: readonly ParsedFamily[] = [];
  const queue = new SerialQueue();
  let lastSource = '';
  async function read(body: Uint8Array, source: string, signal?: AbortSignal): Promise<Result<ParsedPage, string>> {
    if (source !== lastSource) cache.setBaseline(false);
    lastSource = source;
    const slices = startTimeSlices(clock);
    const page = await new PageParser(cache, body, last).parse(slices, signal);
    // After a truncated page, the missing series of the next page would seem new, so it is no baseline.
    cache.setBaseline(page.ok && confirmsSeries);
    if (!page.ok) return page;
    last = page.value.families;
    return ok(keepsForbidden ? page.value : await withoutForbidden(page.value, slices));
  }
  const of = (source: string): ExpositionParser => ({
    // One page at a time: the cache counts the series of the current page.
    parse: (body, signal) => queue.run(() => read(body, source, signal)),
  });
  return { ...of(''), of };
}

async function withoutForbidden(page: ParsedPage, slices: TimeSlices): Promise<ParsedPage> {
  const work = withholdForbidden(page.families);
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return { ...page, ...step.value };
    if (slices.shouldYield()) await slices.nextSlice();
  }
}

class PageParser {
  readonly #cache: SeriesCache;
  readonly #body: Uint8Array;
  readonly #view: DataView;
  readonly #families: FamilyBuilder;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #valid = 0;
  #rejected = 0;

  constructor(cache: SeriesCache, body: Uint8Array, last: readonly ParsedFamily[]) {
    this.#cache = cache;
    this.#families = new FamilyBuilder(last);
    this.#body = body;
    this.#view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  }

  async parse(slices: TimeSlices, signal?: AbortSignal): Promise<Result<ParsedPage, string>> {
    this.#cache.beginPage();
    const error = await this.#parsePortions(slices, signal);
    this.#cache.endPage();
    if (error !== undefined) return err(error);
    if (this.#valid === 0) return err('the body contains no valid line of the text format');
    const { unconfirmed } = this.#cache;
    return ok({ families: this.#families.families(), withheld: [], rejected: this.#rejected, unconfirmed });
  }

  async #parsePortions(slices: TimeSlices, signal?: AbortSignal): Promise<string | undefined> {
    let at = startsWithByteOrderMark(this.#body) ? 3 : 0;
    while (at < this.#body.length) {
      if (signal?.aborted === true) return 'the deadline passed while the body was parsed';
      at = this.#parsePortion(at);
      if (at < 0) return 'the body is not valid UTF-8';
      if (this.#families.isOverLimit) return tooManyFamilies;
      if (slices.shouldYield()) await slices.nextSlice();
    }
    return undefined;
  }

  /** Parses lines and returns the start of the next one; −1 if a line is not UTF-8. */
  #parsePortion(from: number): number {
    const stop = Math.min(from + portionBytes, this.#body.length);
    let at = from;
    while (at >= 0 && at < stop) {
      const next = this.#parseExpected(at);
      at = next < 0 ? this.#parseOther(at) : next;
    }
    return at;
  }

  /** Parses a line with only the expected series and a plain number; returns −1 for any other line. */
  #parseExpected(at: number): number {
    const known = this.#cache.expected;
    if (known === undefined || !known.matchesAt(this.#view, at)) return -1;
    const from = at + known.length;
    const end = plainNumberEnd(this.#body, from);
    if (end < 0 || (end < this.#body.length && this.#body[end] !== newline)) return -1;
    this.#cache.follow(known);
    const writer = this.#valueWriter(known);
    writer?.copy(this.#body, from, end);
    this.#count(writer !== undefined || this.#isUnconfirmed(known));
    return end + 1;
  }

  #parseOther(at: number): number {
    const found = this.#body.indexOf(newline, at);
    const next = found < 0 ? this.#body.length : found;
    if (next - at > maxLineLength) this.#rejected += 1;
    else {
      const text = this.#decode(this.#body.subarray(at, next));
      if (text === undefined) return -1;
      this.#line(text, text.endsWith('\r') ? text.length - 1 : text.length);
    }
    return next + 1;
  }

  #decode(bytes: Uint8Array): string | undefined {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      return undefined;
    }
  }

  #line(text: string, end: number): void {
    const start = skipBlanks(text, 0, end);
    if (start === end) return;
    if (text.charCodeAt(start) === hash) this.#comment(text.slice(start, end));
    else this.#count(this.#sample(text, start, end));
  }

  #sample(text: string, from: number, end: number): boolean {
    const known = this.#cache.find(text, from, end);
    if (known === undefined) return false;
    const value = parseValue(text, seriesEnd(text, from, end), end);
    // Parses the value first, because an invalid line must not mark its series as shown.
    const writer = value === undefined ? undefined : this.#valueWriter(known);
    writer?.add(value ?? '');
    return writer !== undefined || (value !== undefined && this.#isUnconfirmed(known));
  }

  /** Returns the target of the value of a series; undefined if the series is a duplicate or contradicts its family. */
  #valueWriter(known: InternedSeries): SampleValueWriter | undefined {
    if (!this.#cache.markShown(known) || this.#isUnconfirmed(known)) return undefined;
    return this.#families.add(known.original ?? known);
  }

  #isUnconfirmed(known: InternedSeries): boolean {
    return this.#cache.isUnconfirmed(known.original ?? known);
  }

  #count(valid: boolean): void {
    if (valid) this.#valid += 1;
    else this.#rejected += 1;
  }

  #comment(line: string): void {
    const metadata = parseMetadata(line);
    if (metadata === undefined) return;
    this.#valid += 1;
    this.#families.addMetadata(metadata, this.#cache.pool);
  }
}

/** A byte-order mark is allowed only before the first line. */
function startsWithByteOrderMark(body: Uint8Array): boolean {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
}
