import type { Metric } from '../metric/metric.ts';
import type { Collector } from './collector.ts';

/** A declared family with the collectors that show it. */
export interface CatalogueEntry {
  readonly metric: Metric;
  readonly scope: Collector['scope'];
  /** More than one where one yields to another. */
  readonly collectors: readonly string[];
}

/** Every family that `collectors` declare, by name: what documents and dashboards may speak of. */
export function catalogueOf(collectors: readonly Collector[]): ReadonlyMap<string, CatalogueEntry> {
  const entries = new Map<string, CatalogueEntry>();
  for (const { name, scope, metrics } of collectors) {
    for (const metric of metrics) {
      const known = entries.get(metric.name)?.collectors ?? [];
      entries.set(metric.name, { metric, scope, collectors: [...known, name] });
    }
  }
  return new Map([...entries].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
