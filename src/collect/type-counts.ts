import { type Metric, type Sample, sample } from '../metric/metric.ts';
import type { TypeCount } from '../model/inventory.ts';
import { largestNames, otherNames } from './inventory.ts';

/** Maximum number of types of a graph with their own series. */
export const maxTypes = 50;

/** Yields one sample for each of the {@link maxTypes} largest types and one for the sum of the others; returns the number of the others. */
export function* typeSamples(
  metric: Metric<'graph' | 'type'>,
  graph: string,
  counts: ReadonlyMap<string, number>,
): Generator<Sample, number> {
  const shown = largestNames(counts, maxTypes);
  const labels = [...counts].map(([type, count]) => ({ type: shown.has(type) ? type : otherNames, count }));
  for (const [type, count] of sumByType(labels)) yield sample(metric, { graph, type }, count);
  return counts.size - shown.size;
}

/** Returns the sum of the counts of each type. */
export function sumByType(counts: readonly TypeCount[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { type, count } of counts) sums.set(type, (sums.get(type) ?? 0) + count);
  return sums;
}
