import type { ClusterRule } from '../rule.ts';
import { formatCount } from './text-format.ts';

const family = 'graphdb_queries_overdue';
const answered = 'graphdb_queries_running';

/**
 * A query that runs beyond the timeout that its client was granted (the client no longer waits for the result), or beyond the
 * configured limit.
 */
export const queryOverdue: ClusterRule = {
  name: 'query_overdue',
  about: 'Queries run longer than their granted timeout, or than `collectors.queries.overdue_after` if that is set.',
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
  summary: '{{query}} on {{graph}} is overdue on {{node}} of {{cluster_name}} ({{runs}})',
  description:
    '{{query}} on {{graph}} has run longer on {{node}} than its granted timeout or the configured limit allows ({{runs}}), and the server has not ended it. It holds memory and a slot in the query queue. See graphwarden queries --query {{query}}.',
  resolved: 'No run of {{query}} on {{graph}} is overdue on {{node}}.',
  twin: `${family} > {{more_than}}`,
  twinTexts: { facts: { runs: '{{ $value }} run{{ if ne $value 1.0 }}s{{ end }}' } },
  dashboard: 'queries',
  *evaluate(situation, { more_than: most = 0 }) {
    for (const { labels, value } of situation.samples(family)) {
      const { node = '', graph = '', query = '' } = labels;
      if (value > most) yield { labels: { node, graph, query }, facts: { runs: formatCount(value, 'run') } };
    }
  },
};
