import type { Collector } from '../collect/collector.ts';
import { trackerMetrics } from '../track/tracker-metrics.ts';

/** Labels of the families about our own reading and of the histograms, which no collector declares. */
const ownLabels = ['collector', 'reason', 'quantile', 'le', 'exported_cluster_name'];

/** Every label that some family of ours carries: a cluster's own labels must not collide with one. */
export function familyLabels(collectors: readonly Collector[]): ReadonlySet<string> {
  const declared = [...collectors.flatMap(({ metrics }) => metrics), ...trackerMetrics];
  return new Set([...ownLabels, ...declared.flatMap(({ labels }) => labels)]);
}
