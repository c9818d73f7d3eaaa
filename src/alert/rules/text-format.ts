/** Formats a ratio: `7 %`. */
export function formatPercent(ratio: number): string {
  const share = ratio * 100;
  return `${share >= 10 || share === 0 ? Math.round(share) : share.toFixed(1)} %`;
}

/** Formats a number of things: `1 query`, `3 queries`. */
export function formatCount(amount: number, singular: string, plural = `${singular}s`): string {
  return `${amount} ${amount === 1 ? singular : plural}`;
}

/** Formats bytes: `3.4 GiB`. */
export function formatGibibytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}

/**
 * The labels by which PromQL distinguishes processes: installations of the same name run in several namespaces, and
 * some scrapes use the name of the pod as instance.
 */
export const processLabels = 'job, namespace, pod, instance';
