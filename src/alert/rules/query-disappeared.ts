import type { ClusterRule } from '../rule.ts';
import { formatCount } from './text-format.ts';

const family = 'graphdb_graph_queries';

/** A graph has fewer queries than before: a user dropped them, or a change of the schema did. */
export const queryDisappeared: ClusterRule = {
  name: 'query_disappeared',
  about: 'The number of queries of a graph has decreased within the last hour.',
  scope: 'cluster',
  severity: 'warning',
  for: 0,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['graph'],
  needs: ['query_definitions'],
  answeredBy: [family],
  families: [family],
  slopes: [family],
  summary: 'Queries of the graph {{graph}} of {{cluster_name}} have disappeared',
  description:
    'The graph {{graph}} has {{queries}}; the highest number within the last hour was {{before}}. Clients that call a missing query get errors. The log of graphwarden names the missing queries (inventory changed). Install them again if they were not dropped on purpose.',
  resolved: 'The number of queries of the graph {{graph}} is the highest of the last hour.',
  twin: `${family} < max_over_time(${family}[1h])`,
  twinTexts: {
    description:
      'The graph {{graph}} has {{queries}}, which is less than the highest number within the last hour. Clients that call a missing query get errors. The log of graphwarden names the missing queries (inventory changed). Install them again if they were not dropped on purpose.',
    facts: { queries: '{{ $value }} quer{{ if ne $value 1.0 }}ies{{ else }}y{{ end }}' },
  },
  *evaluate(situation) {
    for (const { labels, value } of situation.samples(family)) {
      const before = situation.recentMaximum(family, labels) ?? 0;
      if (value >= before) continue;
      const { graph = '' } = labels;
      yield { labels: { graph }, facts: { queries: formatCount(value, 'query', 'queries'), before: String(before) } };
    }
  },
};
