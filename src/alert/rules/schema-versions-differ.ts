import type { SampleFact, Situation } from '../../model/situation.ts';
import type { ClusterRule } from '../rule.ts';

const family = 'graphdb_schema_version';
/** Shortest pending period. */
const shortest = 60_000;
/** In a sidecar setup each process reports one node, so that versions are compared across scraped processes. */
const scrapeLabels = 'node, instance, pod, container, endpoint, service';

/** Nodes apply different versions of a schema: a query fails or succeeds by the node that answers it. */
export const schemaVersionsDiffer: ClusterRule = {
  name: 'schema_versions_differ',
  about: 'Nodes apply different versions of the schema of a graph.',
  scope: 'cluster',
  severity: 'warning',
  // Two default intervals of the collector: the rule in Prometheus does not know the configured one.
  for: 120_000,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['graph'],
  needs: [],
  families: [family],
  knows: (situation, { graph = '' }) =>
    spread(versionsOf(situation, graph)) > 0 ||
    situation.collectors.every(({ collector, fresh }) => collector !== 'schema_versions' || fresh),
  summary: 'Nodes of {{cluster_name}} apply different versions of the schema of the graph {{graph}}',
  description:
    'The nodes apply versions of the schema of the graph {{graph}} from {{lowest}} to {{highest}}: a query can fail on one node and succeed on another. Check RESTPP on the nodes with the lower version, and restart it there if the version does not change.',
  resolved: 'All nodes apply the same version of the schema of the graph {{graph}}.',
  twin: `max without (${scrapeLabels}) (${family}) != min without (${scrapeLabels}) (${family})`,
  twinTexts: {
    description:
      'The nodes apply different versions of the schema of the graph {{graph}}; the highest is {{highest}}: a query can fail on one node and succeed on another. Check RESTPP on the nodes with the lower version, and restart it there if the version does not change.',
    facts: { highest: '{{ $value }}' },
  },
  *evaluate(situation) {
    // Nodes are polled one after the other: each of them shows an ordinary change within an interval.
    const { interval = 0 } = situation.collectors.find(({ collector }) => collector === 'schema_versions') ?? {};
    for (const [graph, versions] of Map.groupBy(situation.samples(family), ({ labels }) => labels.graph ?? '')) {
      if (spread(versions) === 0) continue;
      const values = versions.map(({ value }) => value);
      const facts = { lowest: String(Math.min(...values)), highest: String(Math.max(...values)) };
      yield { labels: { graph }, facts, for: Math.max(shortest, 2 * interval) };
    }
  },
};

function versionsOf(situation: Situation, graph: string): readonly SampleFact[] {
  return situation.samples(family).filter(({ labels }) => labels.graph === graph);
}

/** Difference between the highest and the lowest version; 0 without samples. */
function spread(versions: readonly SampleFact[]): number {
  const values = versions.map(({ value }) => value);
  return values.length === 0 ? 0 : Math.max(...values) - Math.min(...values);
}
