import type { Instant, Millis } from '../kernel/time.ts';

/**
 * Time for which a new series of a counter is 0. `increase()` does not see the first increase of a series that starts at
 * another value, so each scraper must get the 0 first: Prometheus scrapes every minute by default.
 */
export const zeroPeriod: Millis = 60_000;

/** Periods in which the series of label values that appear with their first use are 0. */
export class FirstUse<Key> {
  readonly #zeroUntil = new Map<Key, number>();

  /** Returns whether a series is 0. Its period starts with the first call for the key. */
  isZero(key: Key, { mono }: Instant): boolean {
    const known = this.#zeroUntil.get(key);
    if (known !== undefined) return mono < known;
    this.#zeroUntil.set(key, mono + zeroPeriod);
    return true;
  }

  /** Yields the counts above 0, as 0 in their period. */
  *shown(counts: Iterable<readonly [Key, number]>, now: Instant): Generator<readonly [Key, number]> {
    for (const [key, count] of counts) if (count > 0) yield [key, this.isZero(key, now) ? 0 : count];
  }

  /** Returns whether a period ended after `from`, and at `to` at the latest. */
  settledBetween(from: number, to: number): boolean {
    if (this.#zeroUntil.size === 0) return false;
    return this.#zeroUntil.values().some((end) => from < end && end <= to);
  }
}
