import { createFeed, feedContent } from '../app/poll/collector-feed.ts';
import type { PlannedCollector } from '../app/poll/collector-plan.ts';
import { KeptSamples } from '../collect/kept-samples.ts';
import { LatestResults } from '../collect/latest-results.ts';
import type { PollResult } from '../collect/poll-runner.ts';
import { createMetricsPage } from '../expose/create-metrics-page.ts';
import type { MetricsPage } from '../expose/metrics-page.ts';
import type { Clock } from '../kernel/time.ts';
import { collectorKey } from '../model/collector-key.ts';
import { type DroppedFamilies, groupByReason, isOverLimit, type SeriesDrop } from '../model/series-drop.ts';
import type { ClusterSettings, LimitSettings } from '../model/settings.ts';

/** Renders poll results on a separate metrics page to find the series that the limits drop. */
export class SeriesForecast {
  readonly #page: MetricsPage;
  readonly #board = new LatestResults();
  readonly #planned: readonly PlannedCollector[];
  readonly #drops = new Map<string, SeriesDrop[]>();
  readonly #seen = new Set<string>();

  /** @param planned the enabled collectors. */
  constructor(limits: LimitSettings, planned: readonly PlannedCollector[], clock: Clock) {
    this.#page = createMetricsPage(limits, clock);
    this.#planned = planned;
  }

  /** Returns whether a poll result is needed: facts of a whole cluster are needed only once. */
  needs({ name }: ClusterSettings, { collector, settings }: PlannedCollector): boolean {
    const isKnown = collector.scope === 'cluster' && this.#seen.has(JSON.stringify([name, collector.name]));
    return settings.schedule === undefined && !isKnown;
  }

  /** Adds the result of a collector on a node. */
  async add(settings: ClusterSettings, planned: PlannedCollector, node: string, result: PollResult): Promise<void> {
    if (!result.result.ok || !this.needs(settings, planned)) return;
    this.#seen.add(JSON.stringify([settings.name, planned.collector.name]));
    const feed = createFeed(settings, planned, planned.collector.scope === 'cluster' ? '' : node, this.#planned);
    this.#board.record(feed, result, Number.POSITIVE_INFINITY);
    const content = feedContent(feed, new KeptSamples(), this.#board);
    if (content === undefined) return;
    const { dropped } = await this.#page.put(collectorKey(feed), content);
    this.#drops.set(settings.name, [...(this.#drops.get(settings.name) ?? []), ...dropped]);
  }

  /** Returns the series of a cluster that the limits drop. */
  overLimit(cluster: string): readonly DroppedFamilies[] {
    return groupByReason((this.#drops.get(cluster) ?? []).filter(isOverLimit));
  }
}
