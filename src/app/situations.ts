import type { Board } from '../collect/board.ts';
import type { Instant } from '../kernel/time.ts';
import type { GuardView } from '../model/guard.ts';
import type { CollectorView, Fact, Situation } from '../model/situation.ts';
import type { PartitionView, ReplicaView } from '../model/transition.ts';
import type { Fed, Pipeline } from './pipeline.ts';
import { Trends } from './trends.ts';
import type { Watch } from './watch.ts';

/** What the tracker knows of one cluster. */
export interface Tracked {
  readonly replicas: readonly ReplicaView[];
  readonly partitions: readonly PartitionView[];
}

/** Puts together what rules may know, from what is on the page and what the tracker knows. */
export class Situations {
  readonly #board: Board;
  readonly #pipeline: Pick<Pipeline, 'feeds' | 'facts'>;
  /** When each feed was first seen, ms since the epoch: what never worked is measured from there. */
  readonly #firstSeen = new Map<string, number>();

  /** Families whose trends are followed. */
  readonly #slopes: readonly string[];
  readonly #trends = new Map<string, Trends>();

  readonly #guardView: (cluster: string) => GuardView | undefined;

  constructor(
    board: Board,
    pipeline: Pick<Pipeline, 'feeds' | 'facts'>,
    guardView: (cluster: string) => GuardView | undefined,
    slopes: readonly string[] = [],
  ) {
    this.#slopes = slopes;
    this.#board = board;
    this.#pipeline = pipeline;
    this.#guardView = guardView;
  }

  /** The situation of a cluster now. */
  of(watch: Pick<Watch, 'settings' | 'nodes' | 'planned'>, tracked: Tracked, now: Instant): Situation {
    const { name: cluster, labels } = watch.settings;
    const facts = new Map<string, readonly Fact[]>();
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
      slope: (family, of) => trends.slope(family, of),
      samples: (family) => {
        const known = facts.get(family) ?? this.#pipeline.facts(cluster, family);
        facts.set(family, known);
        return known;
      },
      isFresh: (collector, node) => this.#board.isFresh({ cluster, collector, node }),
    };
  }

  /** A cluster is watched no more: should it come back, all is new. */
  forget(cluster: string): void {
    this.#forget(cluster, []);
    this.#trends.delete(cluster);
  }

  #trendsOf(cluster: string, now: Instant): Trends {
    const trends = this.#trends.get(cluster) ?? new Trends();
    this.#trends.set(cluster, trends);
    if (trends.isDue(now)) {
      trends.note(new Map(this.#slopes.map((family) => [family, this.#pipeline.facts(cluster, family)])), now);
    }
    return trends;
  }

  #collectors(watch: Pick<Watch, 'settings' | 'planned'>, now: Instant): readonly CollectorView[] {
    const cluster = watch.settings.name;
    const own = this.#pipeline.feeds().filter(({ feed }) => feed.cluster === cluster);
    this.#forget(cluster, own);
    const every = new Map(watch.planned.map(({ collector, settings }) => [collector.name, settings]));
    return own.map((fed) => {
      const settings = every.get(fed.feed.collector);
      const byInterval = settings !== undefined && settings.cron === undefined;
      return { ...this.#view(fed, now), ...(byInterval ? { interval: settings.every } : {}) };
    });
  }

  #view({ feed, record }: Fed, now: Instant): CollectorView {
    const result = record.reading?.result;
    const error = result === undefined || result.ok ? undefined : result.error;
    const key = keyOf(feed);
    const dueSince = this.#firstSeen.get(key) ?? now.wall;
    this.#firstSeen.set(key, dueSince);
    return {
      collector: feed.collector,
      node: feed.node,
      fresh: this.#board.isFresh(feed),
      reason: error?.reason ?? '',
      message: error?.message ?? '',
      dueSince,
      ...(record.lastSuccess === 0 ? {} : { lastSuccess: record.lastSuccess * 1000 }),
    };
  }

  #forget(cluster: string, own: readonly Fed[]): void {
    const present = new Set(own.map(({ feed }) => keyOf(feed)));
    const prefix = JSON.stringify([cluster]).slice(0, -1);
    for (const key of this.#firstSeen.keys()) {
      if (key.startsWith(`${prefix},`) && !present.has(key)) this.#firstSeen.delete(key);
    }
  }
}

function keyOf({ cluster, collector, node }: Fed['feed']): string {
  return JSON.stringify([cluster, collector, node]);
}
