import type { ClusterRule } from '../rule.ts';
import { currentStatus, replicaIdentity, replicaLabels } from './replica-labels.ts';
import { instanceTemplate } from './twin-templates.ts';

/**
 * Two endpoints of the server report different statuses. One of them is wrong, so dashboards and alerts are
 * unreliable.
 */
export const statusSourcesDisagree: ClusterRule = {
  name: 'status_sources_disagree',
  about: "A service instance's own report and the server's metrics show different statuses.",
  scope: 'cluster',
  severity: 'warning',
  for: 60_000,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: replicaLabels,
  needs: ['services', 'metrics'],
  families: [],
  summary: 'The status of {{instance}} in {{cluster_name}} differs between two sources',
  description:
    'The service status API reports {{status}} for {{instance}}, but the metrics of the same server have reported another status for more than two refresh periods. One of them is stale: check the informant (IFM) of the node.',
  resolved: 'Both sources report the same status of {{instance}}: {{status}}.',
  twin: 'graphdb_service_status_disagreement == 1',
  twinTexts: {
    facts: { instance: instanceTemplate },
    description:
      'The service status request and the metrics of the same server have reported different states of {{instance}} for more than two refreshes. One of them is stale: check the informant (IFM) of the node.',
  },
  current: currentStatus,
  *evaluate({ replicas }) {
    for (const view of replicas) {
      if (!view.disputed) continue;
      const { labels, facts } = replicaIdentity(view);
      yield { labels, facts: { ...facts, status: view.observed } };
    }
  },
};
