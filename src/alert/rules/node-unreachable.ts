import { formatTimeOfDay } from '../../kernel/timestamp.ts';
import type { ClusterRule } from '../rule.ts';
import { wasPolled } from './collector-freshness.ts';

/** Facts of an alert about a node at whose address nothing responds. */
export const unreachableTexts = {
  state: 'is unreachable',
  advice:
    'Check that the machine is up, that its address is reachable from graphwarden, and that NGINX and RESTPP run on it',
} as const;

/** Facts of an alert about a node that responds, but not with what the health check expects. */
export const reachableTexts = {
  state: 'is reachable, but refuses requests',
  advice:
    'The machine and its network work. Check the load of the node, the credentials of graphwarden, what NGINX and RESTPP log, and that the url is that of the node, not of a proxy or another server',
} as const;

/** Returns a template for one text if the node responds to the liveness request, and another one if it does not. */
function ifReachable(yes: string, no: string): string {
  const reachable = 'graphdb_reachable{cluster_name=%q, node=%q} == 1';
  return `{{ if printf ${JSON.stringify(reachable)} $labels.cluster_name $labels.node | query }}${yes}{{ else }}${no}{{ end }}`;
}

/** The health check of a node fails: nothing responds at its address, or what responds refuses the request. */
export const nodeUnreachable: ClusterRule = {
  name: 'node_unreachable',
  about: 'The health check of a node fails: the node does not answer, or it is reachable and refuses requests.',
  scope: 'cluster',
  severity: 'critical',
  for: 30_000,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['node'],
  needs: [],
  families: ['graphdb_up', 'graphdb_reachable'],
  summary: 'Node {{node}} of {{cluster_name}} {{state}}',
  description: 'The health check of {{node}} has failed since {{since}}: {{reason}}. {{advice}}.',
  resolved: 'Node {{node}} of {{cluster_name}} answers the health check.',
  twin: 'graphdb_up == 0',
  twinTexts: {
    description:
      'The health check of {{node}} fails. The status page of graphwarden shows since when and why. {{advice}}.',
    facts: {
      state: ifReachable(reachableTexts.state, unreachableTexts.state),
      advice: ifReachable(reachableTexts.advice, unreachableTexts.advice),
    },
  },
  // A failed poll is a fact about the node, so its state is unknown only before the first poll.
  knows: (situation, { node = '' }) => wasPolled(situation, 'health', node),
  *evaluate(situation, _, now) {
    const reachable = situation.samples('graphdb_reachable');
    for (const { labels, value } of situation.samples('graphdb_up')) {
      const { node = '' } = labels;
      const view = situation.collectors.find((one) => one.collector === 'health' && one.node === node);
      if (value !== 0) continue;
      const since = formatTimeOfDay(view?.lastSuccess ?? view?.dueSince ?? now.wall);
      const isReachable = reachable.some((one) => one.labels.node === node && one.value === 1);
      const texts = isReachable ? reachableTexts : unreachableTexts;
      yield { labels: { node }, facts: { reason: view?.message ?? '', since: `${since} UTC`, ...texts } };
    }
  },
};
