import type { SelfRule } from '../rule.ts';

const maxNamed = 5;

/** Replicas that share a database have different configurations. */
export const replicasDiffer: SelfRule = {
  name: 'replicas_differ',
  about:
    'Replicas that share a database have different clusters, or different settings of the guard, alerts and collectors.',
  scope: 'self',
  severity: 'warning',
  // An update replaces one replica after the other.
  for: 900_000,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: [],
  summary: 'Replicas of graphwarden have different configurations',
  description:
    '{{replicas}} and the replica that evaluates this rule have different {{what}}. The replica that owns a cluster determines what the guard aborts and which receivers are notified. Give all replicas of one database the same configuration file.',
  resolved: 'All replicas have the same configuration.',
  twin: 'max by (job, namespace) (graphwarden_replicas_different) > 0',
  twinTexts: {
    summary: 'Replicas of graphwarden have different configurations',
    description:
      'Replicas that share a database have different clusters or settings (graphwarden_replicas_different shows which). The replica that owns a cluster determines what the guard aborts and which receivers are notified. Give all replicas of one database the same configuration file.',
  },
  *evaluate({ ownership }) {
    const { clusters = [], settings = [] } = ownership?.different ?? {};
    const names = [...new Set([...clusters, ...settings])];
    if (names.length === 0) return;
    const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
    const what = [...(clusters.length > 0 ? ['clusters'] : []), ...(settings.length > 0 ? ['settings'] : [])];
    yield { labels: {}, facts: { replicas: names.slice(0, maxNamed).join(', ') + more, what: what.join(' and ') } };
  },
};
