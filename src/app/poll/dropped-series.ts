import { getOrCreate } from '../../collect/keyed-rows.ts';
import type { Logger } from '../../kernel/logger.ts';
import { gauge, type Metric, type Sample, sample } from '../../metric/metric.ts';
import {
  type DroppedFamilies,
  groupByReason,
  nameFamilies,
  type SeriesDrop,
  type SeriesDropReason,
} from '../../model/series-drop.ts';

const missingSeries = gauge({
  name: 'graphwarden_series_dropped',
  help: 'Series of the cluster that are not on the page, by reason; absent without such series.',
  labels: ['reason'],
  source: 'measured by graphwarden',
});

/**
 * Excludes duplicates: when one collector takes over from another, both briefly have the same series, and none is
 * missing.
 */
function isLogged({ reason }: DroppedFamilies): boolean {
  return reason !== 'duplicate';
}

/** Metric family of the series that are not on the page. */
export const droppedSeriesMetrics: readonly Metric[] = [missingSeries];

/** The series of each cluster that are not on the page now. Logs the first ones, those of further families, and the end. */
export class DroppedSeries {
  readonly #log: Logger;
  #clusters: ReadonlyMap<string, readonly DroppedFamilies[]> = new Map();
  /** Families in the log by cluster and reason. */
  readonly #logged = new Map<string, Map<SeriesDropReason, Set<string>>>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Replaces the drops of all clusters. */
  update(drops: Iterable<readonly [cluster: string, drops: readonly SeriesDrop[]]>): void {
    const byCluster = new Map<string, SeriesDrop[]>();
    for (const [cluster, own] of drops) if (own.length > 0) getOrCreate(byCluster, cluster, () => []).push(...own);
    this.#clusters = new Map([...byCluster].map(([cluster, own]) => [cluster, groupByReason(own)]));
    for (const cluster of new Set([...this.#logged.keys(), ...byCluster.keys()])) this.#logChanges(cluster);
  }

  /** Returns the series of a cluster that are not on the page, by reason; `''` for those of no cluster. */
  of(cluster: string): readonly DroppedFamilies[] {
    return this.#clusters.get(cluster) ?? [];
  }

  /** Returns the clusters with such series. */
  clusters(): Iterable<string> {
    return this.#clusters.keys();
  }

  /** Returns the samples of a cluster. */
  samples(cluster: string): readonly Sample[] {
    return this.of(cluster).map(({ reason, series }) => sample(missingSeries, { reason }, series));
  }

  #logChanges(cluster: string): void {
    const logged = getOrCreate(this.#logged, cluster, () => new Map<SeriesDropReason, Set<string>>());
    const now = this.of(cluster).filter(isLogged);
    for (const { reason, series, families } of now) {
      const known = getOrCreate(logged, reason, () => new Set<string>());
      const added = families.filter((family) => !known.has(family));
      if (added.length === 0) continue;
      for (const family of added) known.add(family);
      this.#log.warn('series dropped', { cluster, reason, series, families: nameFamilies({ families: added }) });
    }
    for (const reason of logged.keys()) {
      if (now.some((one) => one.reason === reason)) continue;
      logged.delete(reason);
      this.#log.info('series drop ended', { cluster, reason });
    }
    if (logged.size === 0) this.#logged.delete(cluster);
  }
}
