import { identityOf, readSeries, seriesEnd, writingOf } from './exposition-syntax.ts';
import { KnownSeries } from './known-series.ts';
import { detach, TextPool } from './text-pool.ts';

const space = 32;

/**
 * Interns series by the text of their name and labels. Pages come in the same order nearly always, so each
 * entry remembers its follower: recognising a line is then one comparison, without a slice and without a
 * look-up.
 */
export class SeriesCache {
  readonly pool = new TextPool();
  readonly #known = new Map<string, KnownSeries>();
  readonly #most: number;
  #size = 0;
  #seen = 0;
  #page = 0;
  #last = this.#nobody();

  /** Keeps at most `most` series. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Series held. */
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
    if (guess === undefined || !text.startsWith(guess.raw, from)) return this.#lookUp(text, from, end);
    if (text.charCodeAt(from + guess.raw.length) !== space) return this.#lookUp(text, from, end);
    this.#last = guess;
    return guess;
  }

  /** Marks a series as shown by this page: false where it was already, in whatever order of labels. */
  claim(known: KnownSeries): boolean {
    const twice = !this.#mark(known.original ?? known);
    if (known.original !== undefined) this.#mark(known);
    return !twice;
  }

  /** Ends a page: forgets the series it did not show. */
  sweep(): void {
    if (this.#seen === this.#size) return;
    for (const [text, known] of this.#known) {
      if (known.page !== this.#page) this.#known.delete(text);
      // A follower of an earlier page would keep a forgotten series, and its followers, in memory.
      else if (known.next?.page !== this.#page) known.next = undefined;
    }
    this.#last = this.#nobody();
    this.#size = this.#seen;
  }

  #mark(known: KnownSeries): boolean {
    if (known.page === this.#page) return false;
    known.page = this.#page;
    this.#seen += 1;
    return true;
  }

  #lookUp(text: string, from: number, end: number): KnownSeries | undefined {
    const stop = seriesEnd(text, from, end);
    if (stop < 0) return undefined;
    const raw = text.slice(from, stop);
    const known = this.#known.get(raw) ?? this.#learn(detach(raw));
    if (known === undefined) return undefined;
    // Only what ends in a brace may be guessed: a bare name could be the beginning of `name {label="x"}`.
    if (known.raw === raw && raw.endsWith('}')) this.#last.next = known;
    this.#last = known;
    return known;
  }

  #learn(raw: string): KnownSeries | undefined {
    if (this.#size >= this.#most) return undefined;
    const writing = writingOf(raw);
    const identity = writing === 'ordered' ? raw : identityText(raw);
    if (identity === undefined) return undefined;
    const twin = this.#known.get(identity);
    const known = new KnownSeries(raw, this.pool, writing !== 'odd', twin?.original ?? twin);
    this.#known.set(raw, known);
    if (twin === undefined && identity !== raw) this.#known.set(identity, known);
    this.#size += 1;
    return known;
  }

  #nobody(): KnownSeries {
    return new KnownSeries('', this.pool, false);
  }
}

function identityText(raw: string): string | undefined {
  const read = readSeries(raw);
  return read === undefined ? undefined : identityOf(read);
}
