import type { SampleFact, Situation } from '../../model/situation.ts';
import type { ClusterRule } from '../rule.ts';

/** Real and stored numbers, of vertices and of edges. */
const pairs = [
  { real: 'graphdb_graph_type_vertices', stored: 'graphdb_optimizer_type_vertices' },
  { real: 'graphdb_graph_type_edges', stored: 'graphdb_optimizer_type_edges' },
] as const;

/** Families with one sample for each graph that was answered. */
const answered = ['graphdb_optimizer_other_types', 'graphdb_graph_other_types'] as const;

const twins = pairs.map(
  ({ real, stored }) =>
    `({{share}} * ${real}{type!="other"} > ${stored} or ${real}{type!="other"} < {{share}} * ${stored}) and ${real} >= {{min_count}}`,
);

/** The stored statistics of a type no longer fit its data, and the optimizer chooses slow plans. */
export const optimizerStatisticsDrifted: ClusterRule = {
  name: 'optimizer_statistics_drifted',
  about: 'The stored number of vertices or edges of a type differs considerably from the real number.',
  scope: 'cluster',
  severity: 'info',
  for: 600_000,
  keepFiringFor: 60_000,
  thresholds: [
    {
      name: 'share',
      about: 'Smaller of the real and the stored number as a share of the larger, below which the alert fires.',
      unit: 'ratio',
      value: 0.5,
      above: 0,
      below: 1,
    },
    {
      name: 'min_count',
      about: 'Real number of vertices or edges of a type below which the alert does not fire.',
      unit: 'count',
      value: 10_000,
    },
  ],
  labels: ['graph', 'type'],
  needs: ['optimizer_statistics', 'graph_sizes'],
  answeredBy: answered,
  families: [...pairs.flatMap(({ real, stored }) => [real, stored]), ...answered],
  summary:
    'The optimizer statistics of the type {{type}} of the graph {{graph}} of {{cluster_name}} do not match its data',
  description:
    'The type {{type}} of the graph {{graph}} has {{real}} vertices or edges; the statistics of the optimizer have {{stored}}. Queries can get slow plans. Update the statistics: POST /gsql/v1/stats/cardinality?graph={{graph}}, then install the queries again.',
  resolved: 'The optimizer statistics of the type {{type}} of the graph {{graph}} match its data.',
  twin: twins.join(' or '),
  twinTexts: {
    description:
      'The stored statistics of the type {{type}} of the graph {{graph}} differ much from its number of vertices or edges. Queries can get slow plans. Update the statistics: POST /gsql/v1/stats/cardinality?graph={{graph}}, then install the queries again.',
  },
  *evaluate(situation, { share = 0, min_count: least = 0 }) {
    for (const { graph, type, real, stored } of comparedTypes(situation)) {
      if (real < least || (share * real <= stored && real >= share * stored)) continue;
      yield { labels: { graph, type }, facts: { real: String(real), stored: String(stored) } };
    }
  },
};

interface ComparedType {
  readonly graph: string;
  readonly type: string;
  readonly real: number;
  readonly stored: number;
}

/** Yields the types whose two numbers are known; a type whose sum is shown with others has no number of its own. */
function* comparedTypes(situation: Situation): Generator<ComparedType> {
  for (const { real, stored } of pairs) {
    const known = new Map(situation.samples(stored).map((fact) => [keyOf(fact), fact.value]));
    for (const fact of situation.samples(real)) {
      const { graph = '', type = '' } = fact.labels;
      const number = known.get(keyOf(fact));
      if (type !== 'other' && number !== undefined) yield { graph, type, real: fact.value, stored: number };
    }
  }
}

function keyOf({ labels: { graph = '', type = '' } }: SampleFact): string {
  return JSON.stringify([graph, type]);
}
