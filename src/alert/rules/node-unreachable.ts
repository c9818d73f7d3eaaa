import type { ClusterRule } from '../rule.ts';
import { wasRead } from './readings.ts';

/** Nobody answers at the node's address: the machine, its network or its front end is gone. */
export const nodeUnreachable: ClusterRule = {
  name: 'node_unreachable',
  about: 'A node does not answer the liveness call.',
  scope: 'cluster',
  severity: 'critical',
  hold: 30_000,
  keepFiring: 60_000,
  thresholds: [],
  labels: ['node'],
  needs: [],
  families: ['graphdb_up'],
  summary: 'Node {{node}} of {{cluster_name}} does not answer',
  description:
    'The liveness call to {{node}} has failed since {{since}}: {{reason}}. Look whether the machine is up, whether its address answers from here, and whether NGINX and the query endpoint run on it.',
  twin: 'graphdb_up == 0',
  // That a call failed is a fact about the node; only before the first one nothing is known.
  knows: (situation, { node = '' }) => wasRead(situation, 'health', node),
  *judge(situation, _, now) {
    for (const { labels, value } of situation.samples('graphdb_up')) {
      const { node = '' } = labels;
      const view = situation.collectors.find((one) => one.collector === 'health' && one.node === node);
      if (value !== 0) continue;
      const since = new Date(view?.lastSuccess ?? view?.dueSince ?? now.wall).toISOString().slice(11, 19);
      yield { labels: { node }, facts: { reason: view?.message ?? '', since: `${since} UTC` } };
    }
  },
};
