import { StoredTrends, type Trends } from '../../alert/trends.ts';
import { getOrCreate } from '../../collect/keyed-rows.ts';
import type { LatestResults } from '../../collect/latest-results.ts';
import type { Store } from '../../kernel/store.ts';
import type { Instant } from '../../kernel/time.ts';
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

interface SituationSources {
  readonly board: LatestResults;
  readonly pipeline: Pick<Pipeline, 'feeds' | 'facts' | 'dropped'>;
  readonly guardView: (cluster: string) => GuardView | undefined;
  readonly store: Store;
  /** Families whose trends are tracked. */
  readonly slopes?: readonly string[];
}

/** Builds the situation for alert rules from the samples on the page and the state of the tracker. */
export class SituationBuilder {
  readonly #board: LatestResults;
  readonly #pipeline: Pick<Pipeline, 'feeds' | 'facts' | 'dropped'>;
  /**
   * Time at which each feed of a cluster was first seen, ms since the epoch: a collector that never succeeded is due
   * since then.
   */
  readonly #firstSeen = new Map<string, Map<string, number>>();

  /** Families whose trends are tracked. */
  readonly #slopes: readonly string[];
  readonly #trends: StoredTrends;

  readonly #guardView: (cluster: string) => GuardView | undefined;

  constructor({ board, pipeline, guardView, store, slopes = [] }: SituationSources) {
    this.#slopes = slopes;
    this.#board = board;
    this.#pipeline = pipeline;
    this.#guardView = guardView;
    this.#trends = new StoredTrends(store);
  }

  /** Restores the values of the last hour of these clusters, so that a restart neither hides a change nor repeats it. */
  restore(clusters: readonly string[], now: Instant): Promise<void> {
    return this.#trends.restore(clusters, now);
  }

  /** Returns the current situation of the cluster. */
  build(poller: Pick<ClusterPoller, 'settings' | 'nodes' | 'planned'>, tracked: TrackerViews, now: Instant): Situation {
    const { name: cluster, labels } = poller.settings;
    const facts = new Map<string, readonly SampleFact[]>();
    const trends = this.#trendsOf(cluster, now);
    return {
      cluster,
      labels,
      nodes: poller.nodes().map((member) => member.settings.name),
      collectors: this.#collectors(poller, now),
      ...tracked,
      tokens: poller.nodes().flatMap(({ settings, link }) => {
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

  /** Forgets a cluster that another replica owns; what is stored stays. */
  disown(cluster: string): void {
    this.#firstSeen.delete(cluster);
    this.#trends.disown(cluster);
  }

  /** Forgets a cluster that is no longer configured. */
  forget(cluster: string): void {
    this.#firstSeen.delete(cluster);
    this.#trends.forget(cluster);
  }

  #trendsOf(cluster: string, now: Instant): Trends {
    const trends = this.#trends.of(cluster);
    const due = this.#slopes.filter((family) => trends.isDue(family, now));
    const facts = new Map(due.map((family) => [family, this.#pipeline.facts(cluster, family)]));
    if (facts.size > 0) this.#trends.record(cluster, facts, now);
    return trends;
  }

  #collectors(poller: Pick<ClusterPoller, 'settings' | 'planned'>, now: Instant): readonly CollectorView[] {
    const cluster = poller.settings.name;
    const own = this.#pipeline.feeds(cluster);
    const firstSeen = getOrCreate(this.#firstSeen, cluster, () => new Map<string, number>());
    if (firstSeen.size > own.length) forgetOthers(firstSeen, own);
    const settingsByCollector = new Map(poller.planned.map(({ collector, settings }) => [collector.name, settings]));
    return own.map((fed) => {
      const settings = settingsByCollector.get(fed.feed.collector);
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
