import { trackerMetrics } from '../../src/track/tracker-metrics.ts';

const families = new Set(trackerMetrics.map(({ name }) => name));

/** Whether a series is what the tracker makes of answers over time, and not of the last one. */
export function isTracked({ name }: { readonly name: string }): boolean {
  return families.has(name);
}
