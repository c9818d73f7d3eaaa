import { formatElapsed } from '../../kernel/duration.ts';
import type { ClusterRule } from '../rule.ts';

const family = 'graphdb_rebuild_duration_seconds';

/** A scheduled rebuild takes so long that it still runs during the load of the day. */
export const rebuildSlow: ClusterRule = {
  name: 'rebuild_slow',
  about: 'The last scheduled rebuild of a graph took a long time.',
  scope: 'cluster',
  severity: 'warning',
  for: 0,
  keepFiringFor: 60_000,
  thresholds: [
    {
      name: 'longer_than',
      about: 'Duration of the rebuild of one graph above which the alert fires.',
      unit: 'seconds',
      value: 3600,
    },
  ],
  labels: ['graph'],
  needs: [],
  families: [family],
  summary: 'The scheduled rebuild of the graph {{graph}} of {{cluster_name}} took {{duration}}',
  description:
    'The last scheduled rebuild of the graph {{graph}} took {{duration}}. A rebuild takes CPU time and disk bandwidth from queries. Check the load at that time, move collectors.rebuild.schedule to a quiet hour, or rebuild more often.',
  resolved: 'The last scheduled rebuild of the graph {{graph}} did not exceed the threshold of this rule.',
  twin: `${family} > {{longer_than}}`,
  *evaluate(situation, { longer_than: limit = 0 }) {
    for (const { labels, value } of situation.samples(family)) {
      if (value <= limit) continue;
      yield { labels: { graph: labels.graph ?? '' }, facts: { duration: formatElapsed(value * 1000) } };
    }
  },
};
