import { formatTimeOfDay } from '../../kernel/timestamp.ts';
import type { ClusterRule } from '../rule.ts';
import { wasPolled } from './collector-freshness.ts';

/** The address of the node does not respond: the machine, its network or its front end is down. */
export const nodeUnreachable: ClusterRule = {
  name: 'node_unreachable',
  about: 'A node does not answer the liveness call.',
  scope: 'cluster',
  severity: 'critical',
  for: 30_000,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['node'],
  needs: [],
  families: ['graphdb_up'],
  summary: 'Node {{node}} of {{cluster_name}} is unreachable',
  description:
    'The health check of {{node}} has failed since {{since}}: {{reason}}. Check that the machine is up, that its address is reachable from graphwarden, and that NGINX and RESTPP run on it.',
  resolved: 'Node {{node}} of {{cluster_name}} answers the health check.',
  twin: 'graphdb_up == 0',
  // A failed poll is a fact about the node, so its state is unknown only before the first poll.
  knows: (situation, { node = '' }) => wasPolled(situation, 'health', node),
  *evaluate(situation, _, now) {
    for (const { labels, value } of situation.samples('graphdb_up')) {
      const { node = '' } = labels;
      const view = situation.collectors.find((one) => one.collector === 'health' && one.node === node);
      if (value !== 0) continue;
      const since = formatTimeOfDay(view?.lastSuccess ?? view?.dueSince ?? now.wall);
      yield { labels: { node }, facts: { reason: view?.message ?? '', since: `${since} UTC` } };
    }
  },
};
