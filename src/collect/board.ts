import type { Instant, Millis } from '../kernel/time.ts';
import type { Reading } from './runner.ts';

/** Whose reading it is. `node` is `''` for facts of the whole cluster. */
export interface Place {
  readonly cluster: string;
  readonly collector: string;
  readonly node: string;
}

/** The latest that is known of one {@link Place}. */
export interface Entry extends Place {
  readonly reading: Reading;
  /** The end of the last good reading. */
  readonly lastSuccess?: Instant;
  /** Good, and not overdue. */
  readonly fresh: boolean;
  /** Monotonic instant from which a good reading is overdue. */
  readonly freshUntil: number;
}

/**
 * The little memory that reading needs. It knows no clock: every instant comes with a reading or as an
 * argument.
 */
export class Board {
  readonly #entries = new Map<string, Entry>();
  /** Who gave the last good answer. A failed reading moves nothing. */
  readonly #sources = new Map<string, string>();

  /** Takes a reading in. `lifetime` is how old it may become; infinite for what runs by calendar. */
  note(place: Place, reading: Reading, lifetime: Millis): Entry {
    const before = this.latest(place);
    const entry: Entry = {
      ...place,
      reading,
      ...(before?.lastSuccess === undefined ? {} : { lastSuccess: before.lastSuccess }),
      ...(reading.result.ok ? { lastSuccess: reading.ended } : {}),
      fresh: reading.result.ok,
      freshUntil: reading.ended.mono + lifetime,
    };
    this.#entries.set(keyOf(place), entry);
    if (reading.result.ok) this.#sources.set(keyOf(place), reading.source);
    return entry;
  }

  /** The latest reading of a place, good or not. */
  latest(place: Place): Entry | undefined {
    return this.#entries.get(keyOf(place));
  }

  /** Everything known of one cluster, or of all. */
  entries(cluster?: string): readonly Entry[] {
    return [...this.#entries.values()].filter((entry) => cluster === undefined || entry.cluster === cluster);
  }

  /** The node that gave the last good answer; undefined before the first. */
  sourceOf(place: Place): string | undefined {
    return this.#sources.get(keyOf(place));
  }

  /** Whether a place has a good reading that is not overdue: what `yieldsTo` asks. */
  isFresh(place: Place): boolean {
    return this.latest(place)?.fresh === true;
  }

  /** Marks the good readings that have become overdue and gives them, each one once. */
  overdue(now: Instant): readonly Entry[] {
    const late = this.entries().filter((entry) => entry.fresh && now.mono >= entry.freshUntil);
    return late.map((entry) => {
      const overdue = { ...entry, fresh: false };
      this.#entries.set(keyOf(entry), overdue);
      return overdue;
    });
  }

  /**
   * The nodes to ask for a fact of the whole cluster, in this order: the source of last time, which answers
   * are compared with; the others; and last of all those that are known to be down.
   */
  candidates(place: Place, nodes: readonly string[], down: ReadonlySet<string>): readonly string[] {
    const sticky = this.#sources.get(keyOf(place));
    const rank = (node: string): number => (down.has(node) ? 2 : 0) + (node === sticky ? 0 : 1);
    return nodes.toSorted((one, other) => rank(one) - rank(other));
  }

  /** Forgets the places that `gone` names. */
  forget(gone: (place: Place) => boolean): void {
    for (const [key, entry] of this.#entries) {
      if (!gone(entry)) continue;
      this.#entries.delete(key);
      this.#sources.delete(key);
    }
  }
}

function keyOf({ cluster, collector, node }: Place): string {
  return JSON.stringify([cluster, collector, node]);
}
