import { collectorMetrics } from '../src/app/collector-metrics.ts';

/** A family about ourselves. */
export interface OwnFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly source: string;
}

/** Families about our own reading and about this process. */
export async function ownFamilies(): Promise<readonly OwnFamily[]> {
  return collectorMetrics.map(({ name, type, help, labels, source }) => ({
    name,
    type,
    help,
    labels: ['cluster_name', 'node', ...labels],
    source,
  }));
}
