import type { PollResult } from '../../collect/poll-runner.ts';
import type { Logger } from '../../kernel/logger.ts';
import { collectorKey, parseCollectorKey } from '../../model/collector-key.ts';
import type { CollectorFeed } from './collector-feed.ts';
import type { Pipeline } from './pipeline.ts';
import type { PollResultListener } from './poll-result-listener.ts';

/** Logs when a limit of a collector begins to drop something, and when it no longer does. */
export class LimitLog implements PollResultListener {
  readonly #log: Logger;
  readonly #pipeline: Pick<Pipeline, 'facts'>;
  /** Families that currently count dropped objects, by feed. */
  readonly #reached = new Map<string, ReadonlySet<string>>();

  constructor(log: Logger, pipeline: Pick<Pipeline, 'facts'>) {
    this.#log = log;
    this.#pipeline = pipeline;
  }

  onPollResult(feed: CollectorFeed, { result }: PollResult): void {
    const families = feed.definition.metrics.filter(({ countsDropped }) => countsDropped);
    if (families.length === 0 || !result.ok) return;
    const key = collectorKey(feed);
    const before = this.#reached.get(key);
    const reached = new Set<string>();
    for (const { name: metric } of families) {
      const { cluster, collector, node } = feed;
      const own = this.#pipeline.facts(cluster, metric).filter(({ labels }) => (labels.node ?? '') === node);
      const dropped = own.reduce((sum, { value }) => sum + value, 0);
      if (dropped > 0) reached.add(metric);
      if (reached.has(metric) === (before?.has(metric) ?? false)) continue;
      if (dropped > 0) this.#log.warn('collector limit reached', { cluster, collector, node, metric, dropped });
      else this.#log.info('collector limit no longer reached', { cluster, collector, node, metric });
    }
    this.#reached.set(key, reached);
  }

  /** Forgets a cluster that is no longer configured. */
  forget(cluster: string): void {
    for (const key of this.#reached.keys()) if (parseCollectorKey(key).cluster === cluster) this.#reached.delete(key);
  }
}
