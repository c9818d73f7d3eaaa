import type { ClusterRule } from '../rule.ts';
import { formatCount } from './text-format.ts';

const family = 'graphdb_query_definitions';

/** An installation does not end: the queries cannot run, and further installations wait. */
export const queryInstallationHanging: ClusterRule = {
  name: 'query_installation_hanging',
  about: 'Queries have been in installation for a long time.',
  scope: 'cluster',
  severity: 'warning',
  for: 1_800_000,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['graph'],
  needs: ['query_definitions'],
  answeredBy: [family],
  families: [family],
  summary: 'The installation of queries of the graph {{graph}} of {{cluster_name}} does not end',
  description:
    'The installation of {{queries}} of the graph {{graph}} has not ended. Further installations wait for it. Check the GSQL log and the free memory of the node that compiles.',
  resolved: 'No query of the graph {{graph}} is being installed.',
  twin: `${family}{state="installing"} > 0`,
  twinTexts: {
    facts: { queries: '{{ $value }} quer{{ if ne $value 1.0 }}ies{{ else }}y{{ end }}' },
  },
  *evaluate(situation) {
    for (const { labels, value } of situation.samples(family)) {
      const { graph = '', state } = labels;
      if (value === 0 || state !== 'installing') continue;
      yield { labels: { graph }, facts: { queries: formatCount(value, 'query', 'queries') } };
    }
  },
};
