import type { ClusterRule } from '../rule.ts';
import { formatPercent } from './text-format.ts';

const family = 'graphdb_graph_vertices';
const highest = `max_over_time(${family}[1h])`;

/** A graph has lost a large share of its vertices: its store was cleared, or a job deletes data. */
export const graphShrunk: ClusterRule = {
  name: 'graph_shrunk',
  about: 'A graph has lost a large share of its vertices within an hour.',
  scope: 'cluster',
  severity: 'critical',
  for: 0,
  keepFiringFor: 60_000,
  thresholds: [
    {
      name: 'share',
      about: 'Share of the vertices lost within an hour, from which the alert fires.',
      unit: 'ratio',
      value: 0.5,
      above: 0,
      below: 1,
    },
    {
      name: 'min_vertices',
      about: 'Number of vertices before the loss, below which the alert does not fire.',
      unit: 'count',
      value: 1000,
    },
  ],
  labels: ['graph'],
  needs: ['graph_sizes'],
  answeredBy: [family],
  families: [family],
  slopes: [family],
  summary: 'The graph {{graph}} of {{cluster_name}} has lost {{lost}} of its vertices',
  description:
    'The graph {{graph}} has {{vertices}} vertices; the highest number within the last hour was {{before}}. If you did not delete them, stop the loading jobs and the clients that write, and find out who cleared the store or runs a job that deletes vertices. Do not run a rebuild before you know the cause.',
  resolved:
    'The graph {{graph}} has {{vertices}} vertices, and has not lost a large share of them within the last hour.',
  twin: `${family} < (1 - {{share}}) * ${highest} and ${highest} >= {{min_vertices}}`,
  twinTexts: {
    summary: 'The graph {{graph}} of {{cluster_name}} has lost a large share of its vertices',
    description:
      'The graph {{graph}} has {{vertices}} vertices, which is far below the highest number within the last hour. If you did not delete them, stop the loading jobs and the clients that write, and find out who cleared the store or runs a job that deletes vertices. Do not run a rebuild before you know the cause.',
    facts: { vertices: '{{ $value | printf "%.0f" }}' },
  },
  current(situation, { graph }) {
    const own = situation.samples(family).find(({ labels }) => labels.graph === graph);
    return { vertices: own === undefined ? 'an unknown number of' : String(own.value) };
  },
  *evaluate(situation, { share = 0, min_vertices: least = 0 }) {
    for (const { labels, value } of situation.samples(family)) {
      const before = situation.recentMaximum(family, labels) ?? 0;
      if (before < least || value >= (1 - share) * before) continue;
      const { graph = '' } = labels;
      const facts = { vertices: String(value), before: String(before), lost: formatPercent(1 - value / before) };
      yield { labels: { graph }, facts };
    }
  },
};
