import { z } from 'zod';
import type { Row, Store } from '../kernel/store.ts';
import type { Instant, Millis } from '../kernel/time.ts';
import type { SampleFact } from '../model/situation.ts';

/** Interval of trend samples, and how many are kept: those of six hours. */
const sampleInterval: Millis = 300_000;
const maximumPoints = 72;

/** Maximum age of the values of {@link Trends.maximum} and {@link Trends.minimum}, in seconds. */
const recentWindow = 3600;

/** Minimum number of samples of a trend: those of half an hour. */
const minimumPoints = 7;

/** Limits the memory if a server returns ever new series. */
const maximumSeries = 5000;

interface Point {
  /** Monotonic, in seconds. */
  readonly at: number;
  readonly value: number;
}

/** Trends of slow quantities: the linear regression over the samples of the last hours. */
export class Trends {
  readonly #points = new Map<string, readonly Point[]>();
  /** By family; monotonic. */
  readonly #recordedAt = new Map<string, number>();

  /** Returns whether the next sample of a family is due. A family without samples is due until it has some. */
  isDue(family: string, { mono }: Instant): boolean {
    const last = this.#recordedAt.get(family);
    return last === undefined || mono - last >= sampleInterval;
  }

  /** Samples all series of some families, and forgets the series that have had no sample for long. */
  record(families: ReadonlyMap<string, readonly SampleFact[]>, { mono }: Instant): void {
    const seen = new Set<string>();
    for (const [family, facts] of families) {
      // Families without samples yet are checked again at once.
      if (facts.length > 0 || this.#recordedAt.has(family)) this.#recordedAt.set(family, mono);
      for (const { labels, value } of facts) {
        const key = seriesKey(family, labels);
        if (seen.size >= maximumSeries) break;
        seen.add(key);
        this.#points.set(key, [...(this.#points.get(key) ?? []), { at: mono / 1000, value }].slice(-maximumPoints));
      }
    }
    // Series are kept after a failed poll; they are forgotten when they are missing for the whole retention time.
    for (const [key, points] of this.#points) {
      const last = points.at(-1)?.at ?? 0;
      if (!seen.has(key) && mono / 1000 - last > (maximumPoints * sampleInterval) / 1000) this.#points.delete(key);
    }
  }

  /** Returns the change of a series in its unit per second; undefined while there is too little data. */
  slope(family: string, labels: Readonly<Record<string, string>>): number | undefined {
    const points = this.#points.get(seriesKey(family, labels)) ?? [];
    return points.length < minimumPoints ? undefined : leastSquaresSlope(points);
  }

  /** Returns the highest sample of a series within the last hour; undefined without one. */
  maximum(family: string, labels: Readonly<Record<string, string>>, now: Instant): number | undefined {
    return this.#recent(family, labels, now).reduce<number | undefined>(
      (most, value) => Math.max(most ?? value, value),
      undefined,
    );
  }

  /** Returns the lowest sample of a series within the last hour; undefined without one. */
  minimum(family: string, labels: Readonly<Record<string, string>>, now: Instant): number | undefined {
    return this.#recent(family, labels, now).reduce<number | undefined>(
      (least, value) => Math.min(least ?? value, value),
      undefined,
    );
  }

  #recent(family: string, labels: Readonly<Record<string, string>>, { mono }: Instant): readonly number[] {
    const points = this.#points.get(seriesKey(family, labels)) ?? [];
    return points.filter(({ at }) => mono / 1000 - at <= recentWindow).map(({ value }) => value);
  }
}

/** Returns the slope of the regression line; undefined if all points have the same time. */
function leastSquaresSlope(points: readonly Point[]): number | undefined {
  const middle = average(points.map(({ at }) => at));
  const height = average(points.map(({ value }) => value));
  const spread = average(points.map(({ at }) => (at - middle) ** 2));
  return spread === 0 ? undefined : average(points.map(({ at, value }) => (at - middle) * (value - height))) / spread;
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function seriesKey(family: string, labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([family, ...pairs.flat()]);
}

const table = 'trend_samples';

const storedRow = z.object({ at: z.number(), samples: z.string() });
const storedSamples = z.array(z.tuple([z.string(), z.array(z.tuple([z.record(z.string(), z.string()), z.number()]))]));

/** Trends of all clusters. The samples of the last hour are in the store: rules about that hour survive a restart. */
export class StoredTrends {
  readonly #store: Store;
  readonly #trends = new Map<string, Trends>();
  /** Times of the rows of each cluster, oldest first. */
  readonly #rows = new Map<string, readonly number[]>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Returns the trends of a cluster. */
  of(cluster: string): Trends {
    const trends = this.#trends.get(cluster) ?? new Trends();
    this.#trends.set(cluster, trends);
    return trends;
  }

  /** Reads the samples of clusters that have no trends yet. Without a store they start with the process. */
  async restore(clusters: readonly string[], now: Instant): Promise<void> {
    for (const cluster of clusters) {
      if (this.#trends.has(cluster)) continue;
      const where = [{ column: 'cluster', is: '=', value: cluster } as const];
      const found = await this.#store.find({ table, where, order: ['at'] });
      if (found.ok) for (const row of found.value) this.#restoreRow(cluster, row, now);
    }
  }

  /** Records samples that are due, also in the store, and drops rows that are older than an hour. */
  record(cluster: string, families: ReadonlyMap<string, readonly SampleFact[]>, now: Instant): void {
    this.of(cluster).record(families, now);
    const present = [...families].filter(([, facts]) => facts.length > 0);
    if (present.length === 0) return;
    const rows = this.#rows.get(cluster) ?? [];
    const at = Math.round(now.wall);
    const old = rows.filter((time) => at - time > recentWindow * 1000);
    this.#rows.set(cluster, [...rows.filter((time) => !old.includes(time) && time !== at), at]);
    const samples = present.map(([family, facts]) => [
      family,
      facts.slice(0, maximumSeries).map(({ labels, value }) => [labels, value]),
    ]);
    // If the write fails, the sample is missing after the next start.
    void this.#store.commit([
      ...old.map((time) => ({ table, drop: { cluster, at: time } })),
      { table, put: { cluster, at, samples: JSON.stringify(samples) } },
    ]);
  }

  /** Forgets a cluster that another replica owns; its samples stay in the store. */
  disown(cluster: string): void {
    this.#trends.delete(cluster);
    this.#rows.delete(cluster);
  }

  /** Forgets a cluster that is no longer configured. */
  forget(cluster: string): void {
    this.#trends.delete(cluster);
    if (this.#rows.delete(cluster)) void this.#store.commit([{ table, drop: { cluster } }]);
  }

  #restoreRow(cluster: string, row: Row, now: Instant): void {
    const { success, data } = storedRow.safeParse(row);
    if (!success) return;
    this.#rows.set(cluster, [...(this.#rows.get(cluster) ?? []), data.at]);
    const age = now.wall - data.at;
    const samples = parseSamples(data.samples);
    if (samples === undefined || age < 0 || age > recentWindow * 1000) return;
    const families = new Map(
      samples.map(([family, facts]) => [family, facts.map(([labels, value]) => ({ labels, value }))]),
    );
    this.of(cluster).record(families, { wall: data.at, mono: now.mono - age });
  }
}

function parseSamples(text: string): z.output<typeof storedSamples> | undefined {
  try {
    return storedSamples.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
