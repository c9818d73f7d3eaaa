import { queryAgeMetrics } from '../../src/app/page/query-ages.ts';
import { trackerMetrics } from '../../src/track/tracker-metrics.ts';

const families = new Set([...trackerMetrics, ...queryAgeMetrics].map(({ name }) => name));

/** Whether a series is derived from several poll results over time, and not from the latest one. */
export function isTrackerSeries({ name }: { readonly name: string }): boolean {
  return families.has(name) || families.has(name.replace(/_(?:bucket|sum|count)$/, ''));
}
