import { err, ok, type Result } from '../kernel/result.ts';
import { type Slices, startSlices } from '../kernel/slices.ts';
import type { Clock } from '../kernel/time.ts';
import type { ParsedPage } from '../model/exposition.ts';
import { FamilySorter } from './exposition-families.ts';
import { SeriesCache } from './exposition-series.ts';
import { readMetadata, readValue, skipBlanks } from './exposition-syntax.ts';

/** Reads pages in the text format; one for each cluster, because it remembers the series of the last page. */
export interface TextParser {
  /**
   * Reads one page, in slices. Never throws and never rejects: an error is a sentence. A line that is not
   * valid is left out and counted; a page without one valid line, or that is not UTF-8, is an error.
   */
  parse(body: Uint8Array, signal?: AbortSignal): Promise<Result<ParsedPage, string>>;
}

/** What a page may hold at most; what is beyond is counted as rejected. */
export interface TextLimits {
  readonly series: number;
  readonly lineBytes: number;
}

const defaultLimits: TextLimits = { series: 300_000, lineBytes: 65_536 };

/** Bytes decoded at once: small enough that no string of the whole page ever exists. */
const chunkBytes = 131_072;
const newline = 10;
const carriageReturn = 13;
const hash = 35;

/** Makes a parser for Prometheus text 0.0.4 that also reads OpenMetrics 1.0. */
export function textParser(clock: Clock, limits: TextLimits = defaultLimits): TextParser {
  const cache = new SeriesCache(limits.series);
  let queue: Promise<unknown> = Promise.resolve();
  return {
    parse: (body, signal) => {
      // One page at a time: the cache counts which series the page at hand has shown.
      const page = queue.then(() => new PageReader(cache, limits.lineBytes).read(body, startSlices(clock), signal));
      queue = page;
      return page;
    },
  };
}

class PageReader {
  readonly #cache: SeriesCache;
  readonly #lineBytes: number;
  readonly #families = new FamilySorter();
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #own: (text: string) => string;
  #valid = 0;
  #rejected = 0;

  constructor(cache: SeriesCache, lineBytes: number) {
    this.#cache = cache;
    this.#lineBytes = lineBytes;
    this.#own = (text) => cache.own(text);
  }

  async read(body: Uint8Array, slices: Slices, signal?: AbortSignal): Promise<Result<ParsedPage, string>> {
    this.#cache.turnPage();
    const trouble = await this.#readChunks(body, slices, signal);
    this.#cache.sweep();
    if (trouble !== undefined) return err(trouble);
    if (this.#valid === 0) return err('the body holds no valid line of the text format');
    return ok({ families: this.#families.families(), rejected: this.#rejected });
  }

  async #readChunks(body: Uint8Array, slices: Slices, signal?: AbortSignal): Promise<string | undefined> {
    let at = startsWithMark(body) ? 3 : 0;
    while (at < body.length) {
      if (signal?.aborted === true) return 'the deadline passed while the body was read';
      const stop = endOfLines(body, at);
      const text = stop - at > chunkBytes ? undefined : this.#decode(body.subarray(at, stop));
      if (text === null) return 'the body is not valid UTF-8';
      if (text === undefined) this.#rejected += 1;
      else this.#lines(text);
      at = stop;
      if (slices.due()) await slices.rest();
    }
    return undefined;
  }

  #decode(bytes: Uint8Array): string | null {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      return null;
    }
  }

  #lines(text: string): void {
    for (let at = 0; at < text.length; ) {
      const found = text.indexOf('\n', at);
      const next = found < 0 ? text.length : found;
      const end = next > at && text.charCodeAt(next - 1) === carriageReturn ? next - 1 : next;
      if (end > at) this.#line(text, at, end);
      at = next + 1;
    }
  }

  #line(text: string, from: number, end: number): void {
    const start = skipBlanks(text, from, end);
    if (start === end) return;
    if (end - start > this.#lineBytes) this.#rejected += 1;
    else if (text.charCodeAt(start) === hash) this.#comment(text.slice(start, end));
    else if (this.#sample(text, start, end)) this.#valid += 1;
    else this.#rejected += 1;
  }

  #sample(text: string, from: number, end: number): boolean {
    const known = this.#cache.find(text, from, end);
    if (known === undefined) return false;
    const value = readValue(text, from + known.text.length, end);
    // The value is looked at first: an invalid line does not use up its series.
    return value !== undefined && this.#cache.claim(known) && this.#families.add(known.series, value);
  }

  #comment(line: string): void {
    const metadata = readMetadata(line);
    if (metadata === undefined) return;
    this.#valid += 1;
    this.#families.describe(metadata, this.#own);
  }
}

/** The end of the last whole line within a chunk; of a line longer than that, its own end. */
function endOfLines(body: Uint8Array, from: number): number {
  if (body.length - from <= chunkBytes) return body.length;
  const last = body.lastIndexOf(newline, from + chunkBytes - 1);
  if (last >= from) return last + 1;
  const next = body.indexOf(newline, from + chunkBytes);
  return next < 0 ? body.length : next + 1;
}

/** A byte-order mark is allowed before the first line alone. */
function startsWithMark(body: Uint8Array): boolean {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
}
