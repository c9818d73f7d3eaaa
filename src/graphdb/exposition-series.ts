import { identityOf, readSeries, seriesEnd, writingOf } from './exposition-syntax.ts';
import { KnownSeries, type SeriesHome } from './known-series.ts';
import { SeriesStore } from './series-store.ts';
import { TextPool } from './text-pool.ts';

/** Series of one hash that are told apart. More are no accident: somebody wants to make us slow. */
const mostSiblings = 16;

/**
 * Interns series by name and labels. Pages come in the same order nearly always, so each entry remembers its
 * follower: recognising a line is then one comparison of bytes, without a string and without a look-up.
 */
export class SeriesCache {
  readonly #most: number;
  /** The first of each hash; the others follow as siblings. */
  readonly #known = new Map<number, KnownSeries>();
  #home: SeriesHome = { store: new SeriesStore(), pool: new TextPool() };
  #size = 0;
  #seen = 0;
  #page = 0;
  /** Bytes of the store that belong to series of earlier pages. */
  #forgotten = 0;
  #last: { next: KnownSeries | undefined } = { next: undefined };

  /** Keeps at most `most` series. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Series held. */
  get size(): number {
    return this.#size;
  }

  /** Keeps one copy of what outlives a page. */
  get pool(): TextPool {
    return this.#home.pool;
  }

  /** Begins a page: each series may be {@link claim}ed once until the next call. */
  turnPage(): void {
    this.#page += 1;
    this.#seen = 0;
  }

  /** The series that is likely to come next; {@link follow} it where it does. */
  get expected(): KnownSeries | undefined {
    return this.#last.next;
  }

  /** Tells that the expected series came. */
  follow(known: KnownSeries): void {
    this.#last = known;
  }

  /** The series whose text begins at `from`; undefined where it is malformed or one too many. */
  find(text: string, from: number, end: number): KnownSeries | undefined {
    const stop = seriesEnd(text, from, end);
    const known = stop < 0 ? undefined : this.#lookUp(text.slice(from, stop));
    if (known === undefined) return undefined;
    this.#last.next = known;
    this.#last = known;
    return known;
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
    for (const [hash, first] of this.#known) {
      const rest = this.#shown(first);
      if (rest === undefined) this.#known.delete(hash);
      else if (rest !== first) this.#known.set(hash, rest);
    }
    this.#last = { next: undefined };
    this.#size = this.#seen;
    this.#tidy();
  }

  #mark(known: KnownSeries): boolean {
    if (known.page === this.#page) return false;
    known.page = this.#page;
    this.#seen += 1;
    return true;
  }

  #lookUp(raw: string): KnownSeries | undefined {
    const writing = writingOf(raw);
    const identity = writing === 'ordered' ? raw : identityText(raw);
    if (identity === undefined) return undefined;
    const hash = hashOf(identity);
    let twin: KnownSeries | undefined;
    let siblings = 0;
    for (let known = this.#known.get(hash); known !== undefined; known = known.sibling, siblings += 1) {
      const other = known.raw;
      if (other === raw) return known;
      if (twin === undefined && identityText(other) === identity) twin = known.original ?? known;
    }
    if (this.#size >= this.#most || siblings >= mostSiblings) return undefined;
    return this.#learn(new KnownSeries(raw, this.#home, writing !== 'odd', twin), hash);
  }

  #learn(known: KnownSeries, hash: number): KnownSeries {
    known.sibling = this.#known.get(hash);
    this.#known.set(hash, known);
    this.#size += 1;
    return known;
  }

  /** The series of one hash without those that the page did not show; undefined where none is left. */
  #shown(first: KnownSeries): KnownSeries | undefined {
    let shown: KnownSeries | undefined;
    let rest: KnownSeries | undefined = first;
    while (rest !== undefined) {
      const known: KnownSeries = rest;
      rest = known.sibling;
      if (known.page !== this.#page) {
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

  /** Once most of the store is forgotten, leaves it to whoever still shows a series of that part. */
  #tidy(): void {
    if (2 * this.#forgotten <= this.#home.store.used) return;
    this.#home = { store: new SeriesStore(), pool: this.#home.pool };
    this.#forgotten = 0;
    for (const first of this.#known.values()) {
      for (let known: KnownSeries | undefined = first; known !== undefined; known = known.sibling) {
        known.move(this.#home);
      }
    }
  }
}

function identityText(raw: string): string | undefined {
  const read = readSeries(raw);
  return read === undefined ? undefined : identityOf(read);
}

/** FNV-1a, which need not be hard to forge: see {@link mostSiblings}. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}
