import { getOrCreate } from '../../collect/keyed-rows.ts';
import type { PollResult } from '../../collect/poll-runner.ts';
import type { Logger } from '../../kernel/logger.ts';
import { replaceControlCharacters } from '../../kernel/visible-text.ts';
import { counter, type Metric, type Sample, sample } from '../../metric/metric.ts';
import { collectorKey, parseCollectorKey } from '../../model/collector-key.ts';
import { type InventoryChange, inventoryChangeKinds } from '../../model/inventory.ts';
import type { CollectorFeed } from './collector-feed.ts';
import type { PollResultListener } from './poll-result-listener.ts';

const changeCount = counter({
  name: 'graphdb_inventory_changes_total',
  help: 'Objects of the server that were added, removed or changed between two polls, by kind; the log names each of them.',
  labels: ['object', 'change'],
  source: 'measured by graphwarden',
});

/** Metric families of changes. */
export const inventoryMetrics: readonly Metric[] = [changeCount];

/** Maximum log lines per poll, and maximum characters of a text in them: a new schema changes everything at once. */
const maxLines = 20;
const maxCharacters = 500;

type Counts = Map<string, { readonly object: string; readonly change: InventoryChange['change']; count: number }>;

/** Compares each poll result of a collector with the one before, then logs and counts the changes. */
export class InventoryChanges implements PollResultListener {
  readonly #log: Logger;
  /** Latest facts of each feed. The first ones after a start are compared with nothing. */
  readonly #facts = new Map<string, unknown>();
  readonly #counts = new Map<string, Counts>();

  constructor(log: Logger) {
    this.#log = log;
  }

  onPollResult(feed: CollectorFeed, { result }: PollResult): void {
    const { inventory } = feed.definition;
    if (inventory === undefined || !result.ok) return;
    const key = collectorKey(feed);
    const isFirst = !this.#facts.has(key);
    const before = this.#facts.get(key);
    this.#facts.set(key, result.value);
    const counts = getOrCreate(this.#counts, feed.cluster, () => new Map());
    for (const object of inventory.objects) {
      for (const change of inventoryChangeKinds)
        getOrCreate(counts, countKey(object, change), () => ({ object, change, count: 0 }));
    }
    if (!isFirst) this.#record(feed, [...inventory.changes(before, result.value)], counts);
  }

  /** Returns the counts of a cluster; none before the first poll of a collector with an inventory. */
  samples(cluster: string): readonly Sample[] {
    const counts = this.#counts.get(cluster)?.values() ?? [];
    return Array.from(counts, ({ object, change, count }) => sample(changeCount, { object, change }, count));
  }

  /** Forgets a cluster that is no longer configured: if it returns, its first facts are compared with nothing. */
  forget(cluster: string): void {
    this.#counts.delete(cluster);
    for (const key of this.#facts.keys()) if (parseCollectorKey(key).cluster === cluster) this.#facts.delete(key);
  }

  #record({ definition, names, ...feed }: CollectorFeed, changes: readonly InventoryChange[], counts: Counts): void {
    const { cluster, collector } = feed;
    const isNamed = definition.inventory?.namesPeople !== true || names === true;
    for (const { object, change } of changes) {
      const known = counts.get(countKey(object, change));
      if (known !== undefined) known.count += 1;
    }
    for (const { name, detail, ...what } of changes.slice(0, maxLines)) {
      const fields = { ...(isNamed && { item: shownText(name) }), ...(detail !== '' && { detail: shownText(detail) }) };
      this.#log.info('inventory changed', { cluster, collector, ...what, ...fields });
    }
    const more = changes.length - maxLines;
    if (more > 0) this.#log.info('inventory changes not logged', { cluster, collector, changes: more });
  }
}

function countKey(object: string, change: string): string {
  return `${object} ${change}`;
}

/** Shortens a text from the server, which may contain anything, and replaces its control characters. */
function shownText(text: string): string {
  return replaceControlCharacters(text.slice(0, maxCharacters));
}
