import { formatMoment } from '../../kernel/timestamp.ts';
import { notReadyText } from '../../model/not-ready.ts';
import type { ClusterRule } from '../rule.ts';
import { labelPart } from './twin-templates.ts';

const notReady = 'graphwarden_guard_ready';
const enforcing = 'on (cluster_name, policy) graphwarden_guard_mode{mode="enforce"} == 1';
const waiting = 'on (cluster_name, policy, node) graphwarden_guard_held_queries > 0';

/** An enforcing policy that cannot act is no protection, so a person must know. */
export const guardNotReady: ClusterRule = {
  name: 'guard_not_ready',
  about: 'An enforcing policy cannot abort queries on a node, or on any node of the cluster.',
  scope: 'cluster',
  severity: 'critical',
  // Longer than a start needs to learn the instances of the nodes.
  for: 120_000,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['node'],
  needs: [],
  families: [],
  summary: 'The guard cannot abort queries {{where}}',
  description:
    'Since {{when}} {{policies}} cannot abort queries {{where}}: {{why}}. Run graphwarden guard status, and see the runbook for the reason.',
  resolved: 'Every enforcing policy can abort queries {{where}}.',
  twin: [
    `max without (policy, reason) (${notReady}{reason=~"list_missing|connection_closed|other_cluster|not_covered"} == 0 and ${enforcing})`,
    `max without (policy, reason) (${notReady}{reason="node_budget"} == 0 and ${enforcing} and ${waiting})`,
    `max without (policy, reason, node) (${notReady}{reason=~"state_not_loaded|collector_off|graphs_unknown|credential_missing"} == 0 and ${enforcing})`,
    `max without (policy, reason, node) (${notReady}{reason="cluster_budget"} == 0 and ${enforcing} and ${waiting})`,
  ].join(' or '),
  twinTexts: {
    description:
      'An enforcing policy cannot abort queries {{where}}. graphwarden_guard_ready has the reason in a label. Run graphwarden guard status, and see the runbook for the reason.',
    facts: {
      where: `${labelPart('node', 'on ')}{{ if not $labels.node }}on any node{{ end }} of {{ $labels.cluster_name }}`,
    },
  },
  dashboard: 'queries',
  *evaluate({ cluster, guard }) {
    for (const { node, reasons, policies, since } of guard?.notReady ?? []) {
      const facts = {
        where: node === '' ? `on any node of ${cluster}` : `on ${node} of ${cluster}`,
        when: formatMoment(since),
        policies: policies.length === 1 ? `the policy ${policies[0] ?? ''}` : `the policies ${policies.join(', ')}`,
        why: notReadyText(reasons),
      };
      yield { labels: { node }, facts, since };
    }
  },
};
