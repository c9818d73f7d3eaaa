import { formatElapsed } from '../../kernel/duration.ts';
import type { ClusterRule } from '../rule.ts';
import { currentStatus, isStatusCurrent, replicaIdentity, replicaLabels } from './replica-labels.ts';
import { instanceTemplate } from './twin-templates.ts';

/** A service instance is read-only: writes fail, usually because the disk of its host is full. */
export const serviceReadonly: ClusterRule = {
  name: 'service_readonly',
  about: 'A service instance is read-only: reads work, and writes fail.',
  scope: 'cluster',
  severity: 'critical',
  for: 60_000,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: replicaLabels,
  needs: ['services'],
  families: [],
  knows: (situation, identity) => isStatusCurrent(situation, identity, (status) => status !== 'Readonly'),
  summary: '{{instance}} of {{cluster_name}} is read-only: reads work, writes fail',
  description:
    '{{instance}} has been read-only for {{lasting}}. Queries that read succeed; loading and updates fail. Check the free disk space of its host first.',
  resolved: '{{instance}} of {{cluster_name}} is {{status}}.',
  twin: 'max without (status) (graphdb_service_status{status="Readonly"} == 1)',
  twinTexts: {
    facts: { instance: instanceTemplate },
    description:
      '{{instance}} is read-only. Queries that read succeed; loading and updates fail. Check the free disk space of its host first.',
  },
  current: currentStatus,
  *evaluate({ replicas }, _, now) {
    for (const view of replicas) {
      if (view.confirmed !== 'Readonly') continue;
      const { labels, facts } = replicaIdentity(view);
      yield {
        labels,
        facts: { instance: facts.instance, lasting: formatElapsed(now.wall - view.confirmedSince) },
        since: view.confirmedSince,
      };
    }
  },
};
