import type { ClusterRule } from '../rule.ts';
import { currentStatus, replicaIdentity, replicaLabels } from './replica-labels.ts';
import { instanceTemplate } from './twin-templates.ts';

/** A service instance is flapping: one notification at the start and one at the end instead of one for each change. */
export const serviceFlapping: ClusterRule = {
  name: 'service_flapping',
  about: 'The status of a service instance changes too often.',
  scope: 'cluster',
  severity: 'warning',
  for: 0,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: replicaLabels,
  needs: ['services'],
  families: [],
  summary: '{{instance}} of {{cluster_name}} is flapping',
  description:
    '{{instance}} changes its status repeatedly; its current status is {{status}}. Until the flapping ends, graphwarden sends no notifications about further changes. Check for a restart loop: memory, license, a full disk.',
  resolved: '{{instance}} of {{cluster_name}} is no longer flapping; its status is {{status}}.',
  twin: 'graphdb_service_flapping == 1',
  twinTexts: {
    facts: { instance: instanceTemplate },
    description:
      '{{instance}} has changed its status repeatedly. Check for a restart loop: memory, license, a full disk.',
  },
  current: currentStatus,
  *evaluate({ replicas }) {
    for (const view of replicas) {
      if (!view.flapping) continue;
      const { labels, facts } = replicaIdentity(view);
      yield { labels, facts };
    }
  },
};
