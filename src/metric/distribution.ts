import type { Metric, Sample } from './metric.ts';

/** What was observed of a quantity since the start: immutable, so that states may hold it. */
export interface Distribution {
  /** Upper bounds of the buckets, ascending, without infinity. */
  readonly bounds: readonly number[];
  /** Observations in each bucket and in the last one, which has no bound; not cumulated. */
  readonly counts: readonly number[];
  readonly sum: number;
}

/** Nothing observed yet. */
export function distribution(bounds: readonly number[]): Distribution {
  return { bounds, counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 };
}

/** One observation more. */
export function observe({ bounds, counts, sum }: Distribution, value: number): Distribution {
  const first = bounds.findIndex((bound) => value <= bound);
  const at = first < 0 ? bounds.length : first;
  return { bounds, counts: counts.with(at, (counts[at] ?? 0) + 1), sum: sum + value };
}

/** The samples of a histogram: cumulated buckets, sum and count. */
export function* distributionSamples<Label extends string>(
  metric: Metric<Label>,
  labels: Readonly<Record<NoInfer<Label>, string>>,
  { bounds, counts, sum }: Distribution,
): Generator<Sample> {
  let total = 0;
  for (const [at, count] of counts.entries()) {
    total += count;
    const le = at < bounds.length ? String(bounds[at]) : '+Inf';
    yield { metric, labels: { ...labels, le }, value: total, part: '_bucket' };
  }
  yield { metric, labels, value: sum, part: '_sum' };
  yield { metric, labels, value: total, part: '_count' };
}
