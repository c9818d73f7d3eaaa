import { getOrCreate } from '../../collect/keyed-rows.ts';
import type { LatestResults } from '../../collect/latest-results.ts';
import type { Instant, Millis } from '../../kernel/time.ts';
import { collectorKey } from '../../model/collector-key.ts';
import type { GuardView } from '../../model/guard.ts';
import type { CollectorView, SampleFact, Situation } from '../../model/situation.ts';
import type { PartitionView, ReplicaView } from '../../model/transition.ts';
import type { ClusterPoller } from './cluster-poller.ts';
import type { FeedState } from './collector-feed.ts';
import type { Pipeline } from './pipeline.ts';

/** State of the tracker for one cluster. */
export interface TrackerViews {
  readonly replicas: readonly ReplicaView[];
  readonly partitions: readonly PartitionView[];
}

/** Builds the situation for alert rules from the samples on the page and the state of the tracker. */
export class SituationBuilder {
  readonly #board: LatestResults;
  readonly #pipeline: Pick<Pipeline, 'feeds' | 'facts' | 'dropped'>;
  /** When each feed of a cluster was first seen, ms since the epoch; the start for collectors that never succeeded. */
  readonly #firstSeen = new Map<string, Map<string, number>>();

  /** Families whose trends are tracked. */
  readonly #slopes: readonly string[];
  readonly #trends = new Map<string, Trends>();

  readonly #guardView: (cluster: string) => GuardView | undefined;

  constructor(
    board: LatestResults,
    pipeline: Pick<Pipeline, 'feeds' | 'facts' | 'dropped'>,
    guardView: (cluster: string) => GuardView | undefined,
    slopes: readonly string[] = [],
  ) {
    this.#slopes = slopes;
    this.#board = board;
    this.#pipeline = pipeline;
    this.#guardView = guardView;
  }

  /** Returns the current situation of the cluster. */
  build(watch: Pick<ClusterPoller, 'settings' | 'nodes' | 'planned'>, tracked: TrackerViews, now: Instant): Situation {
    const { name: cluster, labels } = watch.settings;
    const facts = new Map<string, readonly SampleFact[]>();
    const trends = this.#trendsOf(cluster, now);
    return {
      cluster,
      labels,
      nodes: watch.nodes().map((member) => member.settings.name),
      collectors: this.#collectors(watch, now),
      ...tracked,
      tokens: watch.nodes().flatMap(({ settings, link }) => {
        const expires = link.tokenExpiresAt();
        return expires === undefined ? [] : [{ node: settings.name, expiresAt: expires * 1000 }];
      }),
      guard: this.#guardView(cluster),
      dropped: this.#pipeline.dropped.of(cluster),
      slope: (family, of) => trends.slope(family, of),
      recentMaximum: (family, of) => trends.maximum(family, of, now),
      recentMinimum: (family, of) => trends.minimum(family, of, now),
      samples: (family) => {
        const known = facts.get(family) ?? this.#pipeline.facts(cluster, family);
        facts.set(family, known);
        return known;
      },
      isFresh: (collector, node) => this.#board.isFresh({ cluster, collector, node }),
    };
  }

  /** Forgets a cluster that is no longer configured. */
  forget(cluster: string): void {
    this.#firstSeen.delete(cluster);
    this.#trends.delete(cluster);
  }

  #trendsOf(cluster: string, now: Instant): Trends {
    const trends = this.#trends.get(cluster) ?? new Trends();
    this.#trends.set(cluster, trends);
    const due = this.#slopes.filter((family) => trends.isDue(family, now));
    if (due.length > 0)
      trends.record(new Map(due.map((family) => [family, this.#pipeline.facts(cluster, family)])), now);
    return trends;
  }

  #collectors(watch: Pick<ClusterPoller, 'settings' | 'planned'>, now: Instant): readonly CollectorView[] {
    const cluster = watch.settings.name;
    const own = this.#pipeline.feeds(cluster);
    const firstSeen = getOrCreate(this.#firstSeen, cluster, () => new Map<string, number>());
    if (firstSeen.size > own.length) forgetOthers(firstSeen, own);
    const every = new Map(watch.planned.map(({ collector, settings }) => [collector.name, settings]));
    return own.map((fed) => {
      const settings = every.get(fed.feed.collector);
      const byInterval = settings !== undefined && settings.schedule === undefined;
      return { ...this.#collectorView(fed, firstSeen, now), ...(byInterval ? { interval: settings.interval } : {}) };
    });
  }

  #collectorView({ feed, status }: FeedState, firstSeen: Map<string, number>, now: Instant): CollectorView {
    const result = status.pollResult?.result;
    const error = result === undefined || result.ok ? undefined : result.error;
    const dueSince = getOrCreate(firstSeen, collectorKey(feed), () => now.wall);
    return {
      collector: feed.collector,
      node: feed.node,
      fresh: this.#board.isFresh(feed),
      reason: error?.reason ?? '',
      message: error?.message ?? '',
      dueSince,
      ...(status.lastSuccess === 0 ? {} : { lastSuccess: status.lastSuccess * 1000 }),
    };
  }
}

function forgetOthers(firstSeen: Map<string, number>, own: readonly FeedState[]): void {
  const present = new Set(own.map(({ feed }) => collectorKey(feed)));
  for (const key of firstSeen.keys()) if (!present.has(key)) firstSeen.delete(key);
}

/** Interval of trend samples, and how many are kept. */
const sampleInterval: Millis = 300_000;
const maximumPoints = 72;

/** Age of the values of {@link Trends.maximum} and {@link Trends.minimum}, in seconds. */
const recentWindow = 3600;

/** Minimum time span of a trend. */
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

/** Least squares. */
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
