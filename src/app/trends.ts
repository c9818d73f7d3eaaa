import type { Instant, Millis } from '../kernel/time.ts';
import type { Fact } from '../model/situation.ts';

/** How often values are noted, and for how long they are kept. */
const every: Millis = 300_000;
const kept = 72;

/** A trend of less than half an hour is none. */
const fewest = 7;

/** A server that invents series without end shall not take our memory. */
const mostSeries = 5000;

interface Point {
  /** Monotonic, in seconds. */
  readonly at: number;
  readonly value: number;
}

/** How slow quantities change: the straight line through what was seen of them within the last hours. */
export class Trends {
  readonly #points = new Map<string, readonly Point[]>();
  #notedAt: number | undefined;

  /** Whether it is time to note again. */
  isDue({ mono }: Instant): boolean {
    return this.#notedAt === undefined || mono - this.#notedAt >= every;
  }

  /** Notes the values of all series of some families; what is not among them any more is forgotten. */
  note(families: ReadonlyMap<string, readonly Fact[]>, { mono }: Instant): void {
    const seen = new Set<string>();
    for (const [family, facts] of families) {
      for (const { labels, value } of facts) {
        const key = keyOf(family, labels);
        if (seen.size >= mostSeries) break;
        seen.add(key);
        this.#points.set(key, [...(this.#points.get(key) ?? []), { at: mono / 1000, value }].slice(-kept));
      }
    }
    // What was not read yet is looked for again at once.
    if (seen.size > 0 || this.#notedAt !== undefined) this.#notedAt = mono;
    // A reading that failed is no reason to forget: what has not come for as long as is kept, has.
    for (const [key, points] of this.#points) {
      const last = points.at(-1)?.at ?? 0;
      if (!seen.has(key) && mono / 1000 - last > (kept * every) / 1000) this.#points.delete(key);
    }
  }

  /** The change of a series in its unit per second; undefined until that can be told. */
  slope(family: string, labels: Readonly<Record<string, string>>): number | undefined {
    const points = this.#points.get(keyOf(family, labels)) ?? [];
    return points.length < fewest ? undefined : slopeOf(points);
  }
}

/** By least squares. */
function slopeOf(points: readonly Point[]): number | undefined {
  const middle = mean(points.map(({ at }) => at));
  const height = mean(points.map(({ value }) => value));
  const spread = mean(points.map(({ at }) => (at - middle) ** 2));
  return spread === 0 ? undefined : mean(points.map(({ at, value }) => (at - middle) * (value - height))) / spread;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function keyOf(family: string, labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([family, ...pairs.flat()]);
}
