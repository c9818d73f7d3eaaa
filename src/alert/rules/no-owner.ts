import type { SelfRule } from '../rule.ts';

const maxNamed = 5;

/** Clusters that no replica owns are not monitored. */
export const noOwner: SelfRule = {
  name: 'no_owner',
  about: 'No replica owns a cluster, so no replica monitors it.',
  scope: 'self',
  severity: 'critical',
  // A takeover after a crash takes less time.
  for: 30_000,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: [],
  summary: 'No replica of graphwarden monitors {{clusters}}',
  description:
    'No replica owns {{clusters}}, so graphwarden neither polls these clusters nor sends notifications about them. Check that all replicas run with the same clusters and reach the database.',
  resolved: 'Each cluster has an owner.',
  twin: 'max by (job, namespace, cluster_name) (graphwarden_cluster_owner) == 0',
  twinTexts: {
    summary: 'No replica of graphwarden monitors some clusters',
    description:
      'No replica owns some clusters, so that graphwarden neither polls these clusters nor notifies of them. graphwarden_cluster_owner shows which. Check that all replicas run with the same clusters and reach the database.',
  },
  *evaluate({ ownership }) {
    const { unowned = [] } = ownership ?? {};
    if (unowned.length === 0) return;
    const more = unowned.length > maxNamed ? ` and ${unowned.length - maxNamed} more clusters` : '';
    yield { labels: {}, facts: { clusters: unowned.slice(0, maxNamed).join(', ') + more } };
  },
};
