/** Returns the time of the monotonic clock in nanoseconds. */
export function nanoseconds(): number {
  return performance.now() * 1e6;
}

/** Returns the quantile `q` (0 to 1) of values; NaN without values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}
