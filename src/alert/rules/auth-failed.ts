import type { ClusterRule } from '../rule.ts';
import { describeScope, wasPolled } from './collector-freshness.ts';
import { placeTemplate } from './twin-templates.ts';

/** The server rejects the credentials: the metrics of the collector are missing until an operator changes them. */
export const authFailed: ClusterRule = {
  name: 'auth_failed',
  about: 'The server rejects the credentials of graphwarden, or a privilege is missing.',
  scope: 'cluster',
  severity: 'warning',
  for: 60_000,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['node', 'collector'],
  needs: [],
  families: [],
  summary: '{{cluster_name}} rejects the credentials of collector {{collector}} {{place}}',
  description:
    '{{message}}. There is no data of {{collector}} {{place}}. Run graphwarden doctor, which names the missing privilege of each request.',
  resolved: '{{cluster_name}} {{answer}} of collector {{collector}} {{place}}{{cause}}.',
  twin: 'graphwarden_collector_failing{reason="auth"} == 1',
  twinTexts: {
    facts: { place: placeTemplate },
    description:
      'There is no data of {{collector}} {{place}}. Run graphwarden doctor, which names the missing privilege of each request.',
  },
  dashboard: 'graphwarden',
  knows: (situation, { collector = '', node = '' }) => wasPolled(situation, collector, node),
  current({ collectors }, { collector, node }) {
    const view = collectors.find((one) => one.collector === collector && one.node === node);
    if (view === undefined || view.reason === '') return { answer: 'accepts the credentials', cause: '' };
    return { answer: 'no longer rejects the credentials', cause: `; the latest poll failed: ${view.message}` };
  },
  *evaluate({ collectors }) {
    for (const view of collectors) {
      const { node, collector, reason, message } = view;
      if (reason === 'auth') yield { labels: { node, collector }, facts: { message, place: describeScope(view) } };
    }
  },
};
