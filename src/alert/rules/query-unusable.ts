import type { ClusterRule } from '../rule.ts';
import { formatCount } from './text-format.ts';

const family = 'graphdb_query_definitions';
const unusable: readonly string[] = ['invalid', 'disabled'];

/** Queries that the server refuses to run: clients that call them get errors. */
export const queryUnusable: ClusterRule = {
  name: 'query_unusable',
  about: 'Queries are invalid or disabled, so the server refuses to run them.',
  scope: 'cluster',
  severity: 'warning',
  for: 60_000,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['graph', 'state'],
  needs: ['query_definitions'],
  answeredBy: [family],
  families: [family],
  summary: 'Queries of the graph {{graph}} of {{cluster_name}} are {{state}}',
  description:
    'The graph {{graph}} has {{queries}} in the state {{state}}: clients that call them get errors. A schema change can make queries invalid. The log of graphwarden names the queries (inventory changed). Correct and install them again, or drop them.',
  resolved: 'No query of the graph {{graph}} is {{state}}.',
  twin: `${family}{state=~"${unusable.join('|')}"} > 0`,
  twinTexts: { facts: { queries: '{{ $value }} quer{{ if ne $value 1.0 }}ies{{ else }}y{{ end }}' } },
  *evaluate(situation) {
    for (const { labels, value } of situation.samples(family)) {
      const { graph = '', state = '' } = labels;
      if (value === 0 || !unusable.includes(state)) continue;
      yield { labels: { graph, state }, facts: { queries: formatCount(value, 'query', 'queries') } };
    }
  },
};
