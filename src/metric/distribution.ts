import type { Exemplar, Metric, Sample } from './metric.ts';

/** What was observed of a quantity since the start: immutable, so that states may hold it. */
export interface Distribution {
  /** Upper bounds of the buckets, ascending, without infinity. */
  readonly bounds: readonly number[];
  /** Observations in each bucket and in the last one, which has no bound; not cumulated. */
  readonly counts: readonly number[];
  readonly sum: number;
  /** The latest exemplar of each bucket that has one, by its place among the counts. */
  readonly exemplars?: ReadonlyMap<number, Exemplar>;
}

/** Nothing observed yet. */
export function distribution(bounds: readonly number[]): Distribution {
  return { bounds, counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 };
}

/** One observation more. */
export function observe(told: Distribution, value: number): Distribution {
  const { bounds, counts, sum } = told;
  const at = bucketOf(bounds, value);
  return { ...told, counts: counts.with(at, (counts[at] ?? 0) + 1), sum: sum + value };
}

/** Lets an exemplar stand for the bucket of its value, in which something was observed before. Nothing is counted. */
export function exemplify(told: Distribution, exemplar: Exemplar): Distribution {
  const at = bucketOf(told.bounds, exemplar.value);
  return { ...told, exemplars: new Map([...(told.exemplars ?? []), [at, exemplar]]) };
}

function bucketOf(bounds: readonly number[], value: number): number {
  const first = bounds.findIndex((bound) => value <= bound);
  return first < 0 ? bounds.length : first;
}

/** The samples of a histogram: cumulated buckets, sum and count. */
export function* distributionSamples<Label extends string>(
  metric: Metric<Label>,
  labels: Readonly<Record<NoInfer<Label>, string>>,
  { bounds, counts, sum, exemplars }: Distribution,
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
