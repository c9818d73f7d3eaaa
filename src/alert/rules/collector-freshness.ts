import type { CollectorView, Situation } from '../../model/situation.ts';

/** Returns whether a collector was polled on a node since the start, or is no longer configured. */
export function wasPolled({ collectors }: Situation, collector: string, node: string): boolean {
  const view = collectors.find((one) => one.collector === collector && one.node === node);
  return view === undefined || view.fresh || view.reason !== '' || view.lastSuccess !== undefined;
}

/** Returns the time since the last successful poll. */
export function timeSinceSuccess({ lastSuccess, dueSince }: CollectorView, wall: number): number {
  return wall - (lastSuccess ?? dueSince);
}

/** Describes the scope of a collector: `on m1` or `of the cluster`. */
export function describeScope({ node }: Pick<CollectorView, 'node'>): string {
  return node === '' ? 'of the cluster' : `on ${node}`;
}
