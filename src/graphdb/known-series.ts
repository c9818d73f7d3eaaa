import type { ParsedSeries } from '../model/exposition.ts';
import { readSeries } from './exposition-syntax.ts';
import type { TextPool } from './text-pool.ts';

/**
 * A series as the server writes it, remembered from page to page. There may be 100,000 of them: the labels are
 * read when somebody asks, which nobody does for families that are only handed on.
 */
export class KnownSeries implements ParsedSeries {
  /** Name and labels as the page has them. */
  readonly raw: string;
  readonly name: string;
  readonly text: string | undefined;
  /** The entry that stands for this series where the server has written it in two ways. */
  readonly original: KnownSeries | undefined;
  /** Number of the last page that showed it. */
  page = 0;
  /** What followed it on the last page. */
  next: KnownSeries | undefined = undefined;
  readonly #pool: TextPool;
  #pairs: readonly string[] | undefined = undefined;

  /** `clean` as {@link writingOf} means it. */
  constructor(raw: string, pool: TextPool, clean: boolean, original?: KnownSeries) {
    this.raw = raw;
    this.name = pool.own(/^[\w:]*/.exec(raw)?.[0] ?? '');
    this.text = clean ? raw : undefined;
    this.original = original;
    this.#pool = pool;
  }

  /** As {@link ParsedSeries} says. */
  get pairs(): readonly string[] {
    this.#pairs ??= readSeries(this.raw)?.pairs.map((text) => this.#pool.short(text)) ?? [];
    return this.#pairs;
  }
}
