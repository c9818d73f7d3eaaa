import type { ClusterRule } from '../rule.ts';
import { ofReplica, replicaLabels } from './replica-labels.ts';

/** One of two answers of the same server about the same thing is wrong, so that neither dashboards nor alerts can be trusted. */
export const statusSourcesDisagree: ClusterRule = {
  name: 'status_sources_disagree',
  about: "A service instance's own report and the server's metrics tell different statuses.",
  scope: 'cluster',
  severity: 'warning',
  hold: 60_000,
  keepFiring: 60_000,
  thresholds: [],
  labels: replicaLabels,
  needs: ['services', 'metrics'],
  families: [],
  summary: 'Two sources disagree about {{instance}} of {{cluster_name}}',
  description:
    'The service status call says {{status}} of {{instance}}, and the metrics of the same server have said otherwise for more than two of their refreshes. One of them is stale: look at the informant of its node.',
  twin: 'graphdb_service_status_disagreement == 1',
  *judge({ replicas }) {
    for (const view of replicas) {
      if (!view.disputed) continue;
      const { labels, facts } = ofReplica(view);
      yield { labels, facts: { ...facts, status: view.observed } };
    }
  },
};
