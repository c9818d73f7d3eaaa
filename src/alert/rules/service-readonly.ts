import type { ClusterRule } from '../rule.ts';
import { isPresent, ofReplica, replicaLabels } from './replica-labels.ts';
import { lengthOf } from './words.ts';

/** It answers, and takes no writes: the disk behind it is full as a rule. */
export const serviceReadonly: ClusterRule = {
  name: 'service_readonly',
  about: 'A service instance takes no writes.',
  scope: 'cluster',
  severity: 'critical',
  hold: 60_000,
  keepFiring: 60_000,
  thresholds: [],
  labels: replicaLabels,
  needs: ['services'],
  families: [],
  knows: (situation, identity) => isPresent(situation, identity, (status) => status !== 'Readonly'),
  summary: '{{instance}} of {{cluster_name}} takes no writes',
  description:
    '{{instance}} has been read-only for {{lasting}}: loading and updates fail. Look at the free space of its host first.',
  twin: 'max without (status) (graphdb_service_status{status="Readonly"} == 1)',
  *judge({ replicas }, _, now) {
    for (const view of replicas) {
      if (view.hard !== 'Readonly') continue;
      const { labels, facts } = ofReplica(view);
      yield { labels, facts: { ...facts, lasting: lengthOf(now.wall - view.hardSince) }, since: view.hardSince };
    }
  },
};
