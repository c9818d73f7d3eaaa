import type { ClusterRule } from '../rule.ts';
import { ofReplica, replicaLabels } from './replica-labels.ts';

/** A service instance comes and goes: one word at the beginning and one at the end, instead of one for each turn. */
export const serviceFlapping: ClusterRule = {
  name: 'service_flapping',
  about: 'The status of a service instance changes too often.',
  scope: 'cluster',
  severity: 'warning',
  hold: 0,
  keepFiring: 60_000,
  thresholds: [],
  labels: replicaLabels,
  needs: ['services'],
  families: [],
  summary: '{{instance}} of {{cluster_name}} comes and goes',
  description:
    '{{instance}} has changed its status again and again; it is {{status}} at present. Nothing more is said of each turn until that ends. Look for restarts in a loop: memory, licence, a full disk.',
  twin: 'graphdb_service_flapping == 1',
  *judge({ replicas }) {
    for (const view of replicas) {
      if (!view.flapping) continue;
      const { labels, facts } = ofReplica(view);
      yield { labels, facts: { ...facts, status: view.hard } };
    }
  },
};
