import type { ClusterRule } from '../rule.ts';
import { placeIn, wasRead } from './readings.ts';

/** The server does not accept us: what this collector would tell is missing until somebody changes something. */
export const authFailed: ClusterRule = {
  name: 'auth_failed',
  about: 'The server refuses our credentials or a privilege is missing.',
  scope: 'cluster',
  severity: 'warning',
  hold: 60_000,
  keepFiring: 60_000,
  thresholds: [],
  labels: ['node', 'collector'],
  needs: [],
  families: [],
  summary: '{{cluster_name}} refuses the collector {{collector}} {{place}}',
  description:
    '{{message}}. Nothing that {{collector}} reads is known {{place}}. Try graphwarden doctor, which says for each call what the server wants.',
  twin: 'graphwarden_collector_failing{reason="auth"} == 1',
  knows: (situation, { collector = '', node = '' }) => wasRead(situation, collector, node),
  *judge({ collectors }) {
    for (const view of collectors) {
      const { node, collector, reason, message } = view;
      if (reason === 'auth') yield { labels: { node, collector }, facts: { message, place: placeIn(view) } };
    }
  },
};
