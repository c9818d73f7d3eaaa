import { canonicalSeries, classifySyntax, parseSeries, seriesEnd } from './exposition-syntax.ts';
import { InternedSeries, type SeriesStorage, StringPool } from './interned-series.ts';
import { SeriesStore } from './series-store.ts';

/** Largest number of series with the same hash. More of them indicate an attack that provokes collisions. */
const maxSiblings = 16;

/**
 * Interns series by name and labels. The order of a page rarely changes, so each entry refers to the entry that followed it:
 * recognizing a line takes one comparison of bytes, without a string and without a lookup.
 */
export class SeriesCache {
  readonly #most: number;
  /** First series of each hash; the others are linked as siblings. */
  readonly #known = new Map<number, InternedSeries>();
  #storage: SeriesStorage = { store: new SeriesStore(), pool: new StringPool() };
  #size = 0;
  #seen = 0;
  #page = 0;
  /** Bytes of the store that belong to series of earlier pages. */
  #forgotten = 0;
  #hasBaseline = false;
  #unconfirmed = 0;
  #last: { next: InternedSeries | undefined } = { next: undefined };

  /** Keeps at most `most` series. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Number of cached series. */
  get size(): number {
    return this.#size;
  }

  /** Pool of the texts that outlive a page. */
  get pool(): StringPool {
    return this.#storage.pool;
  }

  /** Begins a page: each series may be {@link markShown}ed once until the next call. */
  beginPage(): void {
    this.#page += 1;
    this.#seen = 0;
  }

  /** Sets whether the next pages are compared with a baseline: then a new series is exposed from its second page on. */
  setBaseline(has: boolean): void {
    this.#hasBaseline = has;
  }

  /** Returns whether a series is new on this page, so that it may be garbled. */
  isUnconfirmed(known: InternedSeries): boolean {
    return known.firstPage === this.#page;
  }

  /** Series that were on the page before only, and on no other: {@link endPage} counts them. */
  get unconfirmed(): number {
    return this.#unconfirmed;
  }

  /** Series that probably comes next; call {@link follow} if it does. */
  get expected(): InternedSeries | undefined {
    return this.#last.next;
  }

  /** Records that the expected series arrived. */
  follow(known: InternedSeries): void {
    this.#last = known;
  }

  /** Returns the series whose text begins at `from`; undefined if it is malformed or exceeds the limit. */
  find(text: string, from: number, end: number): InternedSeries | undefined {
    const stop = seriesEnd(text, from, end);
    const known = stop < 0 ? undefined : this.#lookUp(text.slice(from, stop));
    if (known === undefined) return undefined;
    this.#last.next = known;
    this.#last = known;
    return known;
  }

  /** Marks a series as shown by this page. Returns false if it already was, in any order of labels. */
  markShown(known: InternedSeries): boolean {
    const twice = !this.#mark(known.original ?? known);
    if (known.original !== undefined) this.#mark(known);
    return !twice;
  }

  /** Ends a page and removes the series that it did not show. */
  endPage(): void {
    this.#unconfirmed = 0;
    if (this.#seen === this.#size) return;
    for (const [hash, first] of this.#known) {
      const rest = this.#shown(first);
      if (rest === undefined) this.#known.delete(hash);
      else if (rest !== first) this.#known.set(hash, rest);
    }
    this.#last = { next: undefined };
    this.#size = this.#seen;
    this.#compact();
  }

  #mark(known: InternedSeries): boolean {
    if (known.page === this.#page) return false;
    known.page = this.#page;
    this.#seen += 1;
    return true;
  }

  #lookUp(raw: string): InternedSeries | undefined {
    const writing = classifySyntax(raw);
    const identity = writing === 'ordered' ? raw : identityText(raw);
    if (identity === undefined) return undefined;
    const hash = hashOf(identity);
    let twin: InternedSeries | undefined;
    let siblings = 0;
    for (let known = this.#known.get(hash); known !== undefined; known = known.sibling, siblings += 1) {
      const other = known.raw;
      if (other === raw) return known;
      if (twin === undefined && identityText(other) === identity) twin = known.original ?? known;
    }
    if (this.#size >= this.#most || siblings >= maxSiblings) return undefined;
    return this.#insert(new InternedSeries(raw, this.#storage, writing !== 'odd', twin), hash);
  }

  #insert(known: InternedSeries, hash: number): InternedSeries {
    known.sibling = this.#known.get(hash);
    known.firstPage = this.#hasBaseline && known.original === undefined ? this.#page : 0;
    this.#known.set(hash, known);
    this.#size += 1;
    return known;
  }

  /** Returns the series of one hash that the page showed; undefined without any. */
  #shown(first: InternedSeries): InternedSeries | undefined {
    let shown: InternedSeries | undefined;
    let rest: InternedSeries | undefined = first;
    while (rest !== undefined) {
      const known: InternedSeries = rest;
      rest = known.sibling;
      if (known.page !== this.#page) {
        if (known.firstPage > 0 && known.firstPage === known.page) this.#unconfirmed += 1;
        this.#forgotten += known.length;
        continue;
      }
      // A follower of an earlier page would keep a forgotten series, and its followers, in memory.
      if (known.next?.page !== this.#page) known.next = undefined;
      known.sibling = shown;
      shown = known;
    }
    return shown;
  }

  /** Copies the known series to a new store when most of the old one is unused; pages in use keep the old one. */
  #compact(): void {
    if (2 * this.#forgotten <= this.#storage.store.used) return;
    this.#storage = { store: new SeriesStore(), pool: this.#storage.pool };
    this.#forgotten = 0;
    for (const first of this.#known.values()) {
      for (let known: InternedSeries | undefined = first; known !== undefined; known = known.sibling) {
        known.move(this.#storage);
      }
    }
  }
}

function identityText(raw: string): string | undefined {
  const read = parseSeries(raw);
  return read === undefined ? undefined : canonicalSeries(read);
}

/** FNV-1a. Collisions are possible and bounded by {@link maxSiblings}. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}
