import { formatMoment } from '../../kernel/timestamp.ts';
import type { ClusterRule } from '../rule.ts';
import { labelPart } from './twin-templates.ts';

/** Texts of the reasons that `graphwarden_guard_ready` reports and that no other rule reports. */
const reasonTexts: Readonly<Record<string, string>> = {
  state_not_loaded: 'its stored state has not been read',
  collector_off: 'the collector queries is disabled',
  list_missing: 'no recent process list has arrived',
  connection_closed:
    'the server, or a proxy, closes the connection after each process list, and an abort needs the same one',
  other_cluster: 'the node is in another cluster of the configuration as well, which guards it',
  not_covered: 'its query server instance is unknown, or another node reports the same one',
  graphs_unknown: 'the names of the graphs could not be read',
  credential_missing: 'the credentials for aborts (abort_auth) cannot be read',
  cluster_budget: 'the budget of the cluster is spent and queries wait for it',
  node_budget: 'the budget of the node is spent and queries wait for it',
};

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
        why: reasons.map((reason) => reasonTexts[reason] ?? reason).join('; '),
      };
      yield { labels: { node }, facts, since };
    }
  },
};
