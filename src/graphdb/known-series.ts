import type { ParsedSeries } from '../model/exposition.ts';
import { readSeries } from './exposition-syntax.ts';
import type { SeriesStore, Span } from './series-store.ts';
import type { TextPool } from './text-pool.ts';

/** What the series of one parser share. */
export interface SeriesHome {
  readonly store: SeriesStore;
  readonly pool: TextPool;
}

/**
 * A series as the server writes it, remembered from page to page. There may be 100,000 of them: its text is
 * bytes in a common store, and the labels are read when somebody asks, which nobody does for families that are
 * only handed on.
 */
export class KnownSeries implements ParsedSeries, Span {
  readonly name: string;
  /** The entry that stands for this series where the server has written it in two ways. */
  readonly original: KnownSeries | undefined;
  /** Number of the last page that showed it. */
  page = 0;
  /** What followed it on the last page. */
  next: KnownSeries | undefined = undefined;
  /** Another series of the same hash. */
  sibling: KnownSeries | undefined = undefined;
  #home: SeriesHome;
  #at: number;
  readonly #length: number;
  readonly #clean: boolean;
  #pairs: readonly string[] | undefined = undefined;

  /** `raw` is name and labels as the page has them; `clean` as {@link writingOf} means it. */
  constructor(raw: string, home: SeriesHome, clean: boolean, original?: KnownSeries) {
    // What follows on a page is a blank: with it, no longer name can be taken for this one.
    const { at, length } = home.store.add(`${raw} `);
    this.name = home.pool.own(/^[\w:]*/.exec(raw)?.[0] ?? '');
    this.original = original;
    this.#home = home;
    this.#at = at;
    this.#length = length;
    this.#clean = clean;
  }

  /** Place in the store. */
  get at(): number {
    return this.#at;
  }

  /** Bytes of name and labels and of the blank behind them. */
  get length(): number {
    return this.#length;
  }

  /** Name and labels as the page has them. */
  get raw(): string {
    return this.#home.store.text(this).slice(0, -1);
  }

  /** As {@link ParsedSeries} says. */
  get text(): string | undefined {
    return this.#clean ? this.raw : undefined;
  }

  /** As {@link ParsedSeries} says. */
  get pairs(): readonly string[] {
    this.#pairs ??= readSeries(this.raw)?.pairs.map((text) => this.#home.pool.short(text)) ?? [];
    return this.#pairs;
  }

  /** Whether `page` has it at byte `from`, with one blank behind it. */
  standsAt(page: DataView, from: number): boolean {
    return this.#home.store.standsAt(this, page, from);
  }

  /** Takes it to another store, so that the one with the texts of forgotten series can go when they go. */
  move(home: SeriesHome): void {
    this.#at = home.store.addFrom(this.#home.store, this).at;
    this.#home = home;
  }
}
