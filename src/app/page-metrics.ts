import { gauge, type Metric, type Sample, sample } from '../metric/metric.ts';

const missing = gauge({
  name: 'graphwarden_page_series_missing',
  help: 'Series that no collector reads (of calls, queries over time, the guard, the tracker, alerts and ourselves) and that did not go on the page: over a cap, or twice there.',
  source: 'measured by us',
});

/** The family in which the page tells what of our own is not on it. */
export const pageMetrics: readonly Metric[] = [missing];

/** How many of our own series are not on the page. */
export function pageSamples(count: number): readonly Sample[] {
  return [sample(missing, {}, count)];
}
