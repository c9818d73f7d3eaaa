import type { ParsedSeries } from '../model/exposition.ts';
import { parseSeries } from './exposition-syntax.ts';
import type { SeriesStore, TextRange } from './series-store.ts';

/** Storage that the series of one parser share. */
export interface SeriesStorage {
  readonly store: SeriesStore;
  readonly pool: StringPool;
}

/**
 * Series as the server writes it, cached from page to page. There may be 100,000 of them: the text is bytes in a shared
 * store, and the labels are parsed on first use, which never occurs for families that are passed through.
 */
export class InternedSeries implements ParsedSeries, TextRange {
  readonly name: string;
  /** The first entry of this series, if the server has written it in two forms. */
  readonly original: InternedSeries | undefined;
  /** Number of the last page that showed it. */
  page = 0;
  /** Number of the first page that showed it; 0 if it counts from that page on. */
  firstPage = 0;
  /** Series that followed this one on the last page. */
  next: InternedSeries | undefined = undefined;
  /** Another series of the same hash. */
  sibling: InternedSeries | undefined = undefined;
  #storage: SeriesStorage;
  #at: number;
  readonly #length: number;
  readonly #clean: boolean;
  #pairs: readonly string[] | undefined = undefined;

  /** `raw` is name and labels as the page has them; `clean` unless `classifySyntax` returns `odd`. */
  constructor(raw: string, home: SeriesStorage, clean: boolean, original?: InternedSeries) {
    // Includes the blank that follows on a page, so that a longer name does not match.
    const { at, length } = home.store.add(`${raw} `);
    this.name = home.pool.intern(/^[\w:]*/.exec(raw)?.[0] ?? '');
    this.original = original;
    this.#storage = home;
    this.#at = at;
    this.#length = length;
    this.#clean = clean;
  }

  /** Position in the store. */
  get at(): number {
    return this.#at;
  }

  /** Bytes of name and labels and of the blank behind them. */
  get length(): number {
    return this.#length;
  }

  /** Name and labels as the page has them. */
  get raw(): string {
    return this.#storage.store.text(this).slice(0, -1);
  }

  /** See {@link ParsedSeries.text}. */
  get text(): string | undefined {
    return this.#clean ? this.raw : undefined;
  }

  /** See {@link ParsedSeries.pairs}. */
  get pairs(): readonly string[] {
    this.#pairs ??= parseSeries(this.raw)?.pairs.map((text) => this.#storage.pool.internShort(text)) ?? [];
    return this.#pairs;
  }

  /** Whether `page` has the series at byte `from`, followed by one blank. */
  matchesAt(page: DataView, from: number): boolean {
    return this.#storage.store.matchesAt(this, page, from);
  }

  /** Moves the text to another store, so that the old store with the texts of removed series can be freed. */
  move(home: SeriesStorage): void {
    this.#at = home.store.addFrom(this.#storage.store, this).at;
    this.#storage = home;
  }
}

/** Maximum length of slices that V8 copies. Longer slices keep the text alive that they were cut from. */
const copiedLength = 12;

/** Maximum number of retained texts. */
const maxStrings = 10_000;

/** Keeps one copy of each text that outlives the page it was cut from. */
export class StringPool {
  readonly #texts = new Map<string, string>();

  /** Returns a copy that does not retain the page; the same one for equal texts. */
  intern(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size >= maxStrings) this.#texts.clear();
    const copy = copyString(text);
    this.#texts.set(copy, copy);
    return copy;
  }

  /** Returns a shared copy of a short text; a long one keeps its reference to the page. */
  internShort(text: string): string {
    return text.length <= copiedLength ? this.intern(text) : text;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Returns a copy of a well-formed text. A slice would keep the 64 KiB alive that it was cut from. */
export function copyString(text: string): string {
  return decoder.decode(encoder.encode(text));
}
