import type { ClusterRule } from '../rule.ts';
import { formatCount } from './text-format.ts';

const family = 'graphdb_vector_index_rebuilding_engines';

/** Vector indexes are not rebuilt: vector searches do not find the vertices that were loaded last. */
export const vectorIndexesNotReady: ClusterRule = {
  name: 'vector_indexes_not_ready',
  about: 'Engines have been rebuilding vector indexes of a graph for some time.',
  scope: 'cluster',
  severity: 'warning',
  for: 300_000,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['graph'],
  needs: ['vector_indexes'],
  answeredBy: [family],
  families: [family],
  summary: 'Vector indexes of the graph {{graph}} of {{cluster_name}} are not ready',
  description:
    'The vector indexes of the graph {{graph}} are not ready for queries: {{engines}} must rebuild them. Vector searches do not find the vertices that were loaded last. Check the load and the free memory of the hosts, and whether GPE is online. A graph into which vectors are loaded all the time looks the same: disable this rule for such clusters.',
  resolved: 'The vector indexes of the graph {{graph}} are ready for queries.',
  twin: `${family} > 0`,
  twinTexts: { facts: { engines: '{{ $value }} engine{{ if ne $value 1.0 }}s{{ end }}' } },
  *evaluate(situation) {
    for (const { labels, value } of situation.samples(family)) {
      const { graph = '' } = labels;
      if (value > 0) yield { labels: { graph }, facts: { engines: formatCount(value, 'engine') } };
    }
  },
};
