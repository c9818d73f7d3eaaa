import type { CollectorView, Situation } from '../../model/situation.ts';

/** Whether a collector was read at a place since the start, well or badly; what nobody reads any more was. */
export function wasRead({ collectors }: Situation, collector: string, node: string): boolean {
  const view = collectors.find((one) => one.collector === collector && one.node === node);
  return view === undefined || view.fresh || view.reason !== '' || view.lastSuccess !== undefined;
}

/** How long there was no good reading. */
export function blindFor({ lastSuccess, dueSince }: CollectorView, wall: number): number {
  return wall - (lastSuccess ?? dueSince);
}

/** A place in words: `on m1`, or of the whole cluster. */
export function placeIn({ node }: Pick<CollectorView, 'node'>): string {
  return node === '' ? 'of the cluster' : `on ${node}`;
}
