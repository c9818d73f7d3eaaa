import type { ClusterRule } from '../rule.ts';

const family = 'graphdb_queries_overdue';

/** A query that runs beyond the time-out that its client was granted: nobody waits for its answer any more. */
export const queryOverdue: ClusterRule = {
  name: 'query_overdue',
  about: 'Queries run beyond the time-out that they were granted.',
  scope: 'cluster',
  severity: 'warning',
  hold: 60_000,
  keepFiring: 60_000,
  thresholds: [{ name: 'more_than', about: 'Overdue runs of one query on one node.', unit: 'count', value: 0 }],
  labels: ['node', 'graph', 'query'],
  needs: ['queries'],
  families: [family],
  summary: '{{count}} of {{query}} on {{graph}} run beyond their time-out on {{node}} of {{cluster_name}}',
  description:
    '{{count}} runs of {{query}} on {{graph}} should have ended; the server has not stopped them, and they hold memory and a place in the queue. See graphwarden queries --query {{query}}.',
  twin: `${family} > {{more_than}}`,
  *judge(situation, { more_than: most = 0 }) {
    for (const { labels, value } of situation.samples(family)) {
      const { node = '', graph = '', query = '' } = labels;
      if (value > most) yield { labels: { node, graph, query }, facts: { count: String(value) } };
    }
  },
};
