import type { ClusterRule } from '../rule.ts';
import { formatCount } from './text-format.ts';

const family = 'graphdb_queries_overdue';
const answered = 'graphdb_queries_running';

/** A query that runs beyond the timeout that its client was granted: the client no longer waits for the result. */
export const queryOverdue: ClusterRule = {
  name: 'query_overdue',
  about: 'Queries run longer than their granted timeout.',
  scope: 'cluster',
  severity: 'warning',
  for: 60_000,
  keepFiringFor: 60_000,
  thresholds: [
    {
      name: 'more_than',
      about: 'Number of overdue runs of one query on one node above which the alert fires.',
      unit: 'count',
      value: 0,
    },
  ],
  labels: ['node', 'graph', 'query'],
  needs: ['queries'],
  answeredBy: [answered],
  families: [family, answered],
  summary: '{{query}} on {{graph}} exceeds its timeout on {{node}} of {{cluster_name}} ({{runs}})',
  description:
    '{{query}} on {{graph}} has exceeded its timeout on {{node}} ({{runs}}), and the server has not stopped it. It holds memory and a slot in the query queue. See graphwarden queries --query {{query}}.',
  resolved: 'No run of {{query}} on {{graph}} exceeds its timeout on {{node}}.',
  twin: `${family} > {{more_than}}`,
  *evaluate(situation, { more_than: most = 0 }) {
    for (const { labels, value } of situation.samples(family)) {
      const { node = '', graph = '', query = '' } = labels;
      if (value > most) yield { labels: { node, graph, query }, facts: { runs: formatCount(value, 'run') } };
    }
  },
};
