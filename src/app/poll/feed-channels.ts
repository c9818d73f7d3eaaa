import type { IdentityCheck } from '../../collect/identity-check.ts';
import { getOrCreate } from '../../collect/keyed-rows.ts';
import type { SerialQueue } from '../../kernel/serial-queue.ts';
import { type CollectorTarget, collectorKey } from '../../model/collector-key.ts';
import type { CollectorFeed, FeedState } from './collector-feed.ts';
import type { SampleCapture } from './sample-capture.ts';

/** State of a feed between its poll results. */
export interface FeedChannel extends FeedState {
  readonly identities: IdentityCheck;
  feed: CollectorFeed;
  readonly capture: SampleCapture;
  /** Serializes puts: puts of one source must not overlap. */
  readonly queue: SerialQueue;
}

/** Channels of all feeds, by target and by cluster: with 50 clusters, most lookups are about one of them. */
export class FeedChannels {
  readonly #all = new Map<string, FeedChannel>();
  readonly #clusters = new Map<string, Set<FeedChannel>>();

  /** Adds a channel for a target that has none. */
  add(channel: FeedChannel): void {
    this.#all.set(collectorKey(channel.feed), channel);
    getOrCreate(this.#clusters, channel.feed.cluster, () => new Set<FeedChannel>()).add(channel);
  }

  /** Removes a channel. */
  delete(channel: FeedChannel): void {
    const { cluster } = channel.feed;
    this.#all.delete(collectorKey(channel.feed));
    this.#clusters.get(cluster)?.delete(channel);
    if (this.#clusters.get(cluster)?.size === 0) this.#clusters.delete(cluster);
  }

  /** Returns the channel of a target; undefined for an undeclared one. */
  get(target: CollectorTarget): FeedChannel | undefined {
    return this.#all.get(collectorKey(target));
  }

  /** Returns all channels, in the order in which they were added. */
  all(): Iterable<FeedChannel> {
    return this.#all.values();
  }

  /** Returns the channels of a cluster, in the same order. */
  of(cluster: string): Iterable<FeedChannel> {
    return this.#clusters.get(cluster) ?? [];
  }
}
