import type { ParsedSeries } from '../model/exposition.ts';
import { identityOf, readSeries, seriesEnd } from './exposition-syntax.ts';

const space = 32;

/** A series as the server writes it, remembered from page to page. */
export class KnownSeries {
  readonly text: string;
  readonly series: ParsedSeries;
  /** The entry that stands for this series where the server has written it in two ways. */
  readonly original: KnownSeries | undefined;
  /** Number of the last page that showed it. */
  page = 0;
  /** What followed it on the last page. */
  next: KnownSeries | undefined = undefined;

  constructor(text: string, series: ParsedSeries, original?: KnownSeries) {
    this.text = text;
    this.series = series;
    this.original = original;
  }
}

/**
 * Interns series by the text of their name and labels. Pages come in the same order nearly always, so each
 * entry remembers its follower: recognising a line is then one comparison, without a slice and without a
 * look-up.
 */
export class SeriesCache {
  readonly #known = new Map<string, KnownSeries>();
  readonly #texts = new Map<string, string>();
  readonly #most: number;
  #size = 0;
  #seen = 0;
  #page = 0;
  #last = new KnownSeries('', { name: '', pairs: [] });

  /** Keeps at most `most` series. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Entries held; for tests and for the curious. */
  get size(): number {
    return this.#size;
  }

  /** Begins a page: each series may be {@link claim}ed once until the next call. */
  turnPage(): void {
    this.#page += 1;
    this.#seen = 0;
  }

  /** The series whose text begins at `from`; undefined where it is malformed or one too many. */
  find(text: string, from: number, end: number): KnownSeries | undefined {
    const guess = this.#last.next;
    if (guess === undefined || !text.startsWith(guess.text, from)) return this.#lookUp(text, from, end);
    // A name without labels could be the beginning of a longer one, hence the blank.
    if (text.charCodeAt(from + guess.text.length) !== space) return this.#lookUp(text, from, end);
    this.#last = guess;
    return guess;
  }

  /** False where this page has shown the series already, in whatever order of labels. */
  claim(known: KnownSeries): boolean {
    const owner = known.original ?? known;
    if (known.page !== this.#page) {
      known.page = this.#page;
      this.#seen += 1;
      if (owner === known) return true;
    }
    if (owner === known || owner.page === this.#page) return false;
    owner.page = this.#page;
    this.#seen += 1;
    return true;
  }

  /** Ends a page: forgets the series it did not show. */
  sweep(): void {
    if (this.#texts.size > this.#most) this.#texts.clear();
    if (this.#seen === this.#size) return;
    for (const [text, known] of this.#known) {
      if (known.page !== this.#page) this.#known.delete(text);
      // A follower of an earlier page would keep a forgotten series, and its followers, in memory.
      else if (known.next?.page !== this.#page) known.next = undefined;
    }
    this.#last = new KnownSeries('', { name: '', pairs: [] });
    this.#size = this.#seen;
  }

  /** A copy that does not keep the text alive from which it was cut; the same copy for the same text. */
  own(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const copy = detach(text);
    this.#texts.set(copy, copy);
    return copy;
  }

  #lookUp(text: string, from: number, end: number): KnownSeries | undefined {
    const stop = seriesEnd(text, from, end);
    if (stop < 0) return undefined;
    const part = text.slice(from, stop);
    const known = this.#known.get(part) ?? this.#learn(detach(part));
    if (known === undefined) return undefined;
    // A name without labels is found by its blank alone, which `name {label="x"}` has as well.
    if (part.endsWith('}')) this.#last.next = known;
    this.#last = known;
    return known;
  }

  #learn(text: string): KnownSeries | undefined {
    if (this.#size >= this.#most) return undefined;
    const read = readSeries(text);
    if (read === undefined) return undefined;
    const identity = identityOf(read);
    const original = this.#known.get(identity);
    const series = original?.series ?? { name: this.own(read.name), pairs: this.#ownNames(read.pairs) };
    const known = new KnownSeries(text, series, original?.original ?? original);
    this.#known.set(text, known);
    if (original === undefined && identity !== text) this.#known.set(identity, known);
    this.#size += 1;
    return known;
  }

  #ownNames(pairs: readonly string[]): readonly string[] {
    return pairs.map((text, at) => (at % 2 === 0 ? this.own(text) : text));
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** V8 cuts long slices out of their parent by reference: a key of 90 bytes would keep 128 KiB alive. */
function detach(text: string): string {
  return decoder.decode(encoder.encode(text));
}
