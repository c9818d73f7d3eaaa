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

/** Series that a page may hold at most; those beyond are counted as rejected. */
const defaultSeries = 300_000;

/** Bytes decoded at once, so that no string of the whole page ever exists; a longer line is rejected. */
const chunkBytes = 65_536;
const newline = 10;
const carriageReturn = 13;
const hash = 35;

/** Makes a parser for Prometheus text 0.0.4 that also reads OpenMetrics 1.0. */
export function textParser(clock: Clock, mostSeries = defaultSeries): TextParser {
  const cache = new SeriesCache(mostSeries);
  let queue: Promise<unknown> = Promise.resolve();
  return {
    parse: (body, signal) => {
      // One page at a time: the cache counts which series the page at hand has shown.
      const page = queue.then(() => new PageReader(cache).read(body, startSlices(clock), signal));
      queue = page;
      return page;
    },
  };
}

class PageReader {
  readonly #cache: SeriesCache;
  readonly #families = new FamilySorter();
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #valid = 0;
  #rejected = 0;

  constructor(cache: SeriesCache) {
    this.#cache = cache;
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
      if (stop - at > chunkBytes) this.#rejected += 1;
      else if (!this.#chunk(body.subarray(at, stop))) return 'the body is not valid UTF-8';
      at = stop;
      if (slices.due()) await slices.rest();
    }
    return undefined;
  }

  #chunk(bytes: Uint8Array): boolean {
    const text = this.#decode(bytes);
    if (text !== undefined) this.#lines(text);
    return text !== undefined;
  }

  #decode(bytes: Uint8Array): string | undefined {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      return undefined;
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
    if (text.charCodeAt(start) === hash) this.#comment(text.slice(start, end));
    else if (this.#sample(text, start, end)) this.#valid += 1;
    else this.#rejected += 1;
  }

  #sample(text: string, from: number, end: number): boolean {
    const known = this.#cache.find(text, from, end);
    if (known === undefined) return false;
    const value = readValue(text, from + known.raw.length, end);
    // The value is looked at first: an invalid line does not use up its series.
    return value !== undefined && this.#cache.claim(known) && this.#families.add(known.original ?? known, value);
  }

  #comment(line: string): void {
    const metadata = readMetadata(line);
    if (metadata === undefined) return;
    this.#valid += 1;
    this.#families.describe(metadata, this.#cache.pool);
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
