import type { CollectorView, Situation } from '../model/situation.ts';
import type { ClusterRule } from './rule.ts';

/**
 * Whether the facts of a rule are fresh where `identity` is: what is not known neither begins nor ends. Before
 * anything was declared nothing is known, and of no node while not one has been discovered; of a node that left the configuration, and of a collector that nobody runs
 * any more, it is known that there is nothing more to tell.
 */
export function isKnown(
  { needs, knows }: Pick<ClusterRule, 'needs' | 'knows'>,
  situation: Situation,
  identity: Readonly<Record<string, string>>,
): boolean {
  if (situation.collectors.length === 0) return false;
  if (identity.node !== undefined && situation.nodes.length === 0) return false;
  if (knows?.(situation, identity) === false) return false;
  return needs.every((need) => relevant(need, situation, identity).every(({ fresh }) => fresh));
}

/** The places at which a collector has to be fresh: the node in question, the cluster, or else all of its nodes. */
function relevant(
  need: string,
  { collectors }: Situation,
  { node }: Readonly<Record<string, string>>,
): readonly CollectorView[] {
  const views = viewsOf(collectors).get(need) ?? [];
  return node === undefined ? views : views.filter((view) => view.node === node || view.node === '');
}

const byCollector = new WeakMap<readonly CollectorView[], ReadonlyMap<string, readonly CollectorView[]>>();

/** One situation is asked about thousands of places. */
function viewsOf(collectors: readonly CollectorView[]): ReadonlyMap<string, readonly CollectorView[]> {
  const known = byCollector.get(collectors) ?? Map.groupBy(collectors, ({ collector }) => collector);
  byCollector.set(collectors, known);
  return known;
}
