/** A monotonic clock in nanoseconds. */
export function nanoseconds(): number {
  return performance.now() * 1e6;
}

/** The value below which the fraction `q` of the sorted values lies; NaN of nothing. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}
