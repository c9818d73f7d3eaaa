import type { ClusterRule } from '../rule.ts';

const family = 'graphdb_rebuild_success';

/** A scheduled rebuild failed: the graph is as it was, or the rebuild still runs. */
export const rebuildFailed: ClusterRule = {
  name: 'rebuild_failed',
  about: 'The last scheduled rebuild of a graph failed.',
  scope: 'cluster',
  severity: 'warning',
  for: 0,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['graph'],
  needs: [],
  families: [family],
  summary: 'The scheduled rebuild of the graph {{graph}} of {{cluster_name}} has failed',
  description:
    'The last scheduled rebuild of the graph {{graph}} failed or did not end within collectors.rebuild.timeout. The log line "scheduled task failed" states why. After a timeout the rebuild may still run on the server: look at the GPE log before you start another one.',
  resolved: 'The last scheduled rebuild of the graph {{graph}} has succeeded.',
  twin: `${family} == 0`,
  *evaluate(situation) {
    for (const { labels, value } of situation.samples(family)) {
      if (value === 0) yield { labels: { graph: labels.graph ?? '' }, facts: {} };
    }
  },
};
