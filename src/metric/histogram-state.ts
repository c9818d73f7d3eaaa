import type { Exemplar, Metric, Sample } from './metric.ts';

/** Observations of a quantity since the start; immutable, so that states can contain it. */
export interface HistogramState {
  /** Upper bounds of the buckets, ascending, without infinity. */
  readonly bounds: readonly number[];
  /** Observations in each bucket and in the last one, which has no bound; not cumulative. */
  readonly counts: readonly number[];
  readonly sum: number;
  /** Latest exemplar of each bucket that has one, by bucket index. */
  readonly exemplars?: ReadonlyMap<number, Exemplar>;
}

/** Returns a histogram without observations. */
export function emptyHistogram(bounds: readonly number[]): HistogramState {
  return { bounds, counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 };
}

/** Returns the histogram with one more observation. */
export function observe(before: HistogramState, value: number): HistogramState {
  const { bounds, counts, sum } = before;
  const at = bucketIndex(bounds, value);
  return { ...before, counts: counts.with(at, (counts[at] ?? 0) + 1), sum: sum + value };
}

/** Returns the histogram with an exemplar in the bucket of its value, which must have an observation. */
export function withExemplar(before: HistogramState, exemplar: Exemplar): HistogramState {
  const at = bucketIndex(before.bounds, exemplar.value);
  return { ...before, exemplars: new Map([...(before.exemplars ?? []), [at, exemplar]]) };
}

function bucketIndex(bounds: readonly number[], value: number): number {
  const first = bounds.findIndex((bound) => value <= bound);
  return first < 0 ? bounds.length : first;
}

/** Yields the samples of a histogram: cumulative buckets, sum and count. */
export function* histogramSamples<Label extends string>(
  metric: Metric<Label>,
  labels: Readonly<Record<NoInfer<Label>, string>>,
  { bounds, counts, sum, exemplars }: HistogramState,
): Generator<Sample> {
  let total = 0;
  for (const [at, count] of counts.entries()) {
    total += count;
    const le = at < bounds.length ? String(bounds[at]) : '+Inf';
    const exemplar = exemplars?.get(at);
    const bucket = { metric, labels: { ...labels, le }, value: total, part: '_bucket' } as const;
    yield exemplar === undefined ? bucket : { ...bucket, exemplar };
  }
  yield { metric, labels, value: sum, part: '_sum' };
  yield { metric, labels, value: total, part: '_count' };
}
