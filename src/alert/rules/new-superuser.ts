import type { ClusterRule } from '../rule.ts';
import { formatCount } from './text-format.ts';

const family = 'graphdb_superusers_added_total';

/** A user or group became superuser: it can do everything, including the deletion of the whole database. */
export const newSuperuser: ClusterRule = {
  name: 'new_superuser',
  about: 'A user or group has become superuser within the last hour.',
  scope: 'cluster',
  severity: 'warning',
  for: 0,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['holder'],
  needs: ['users'],
  families: [family],
  slopes: [family],
  summary: 'A {{holder}} of {{cluster_name}} has become superuser',
  description:
    'Within the last hour, {{added}} became superuser (kind of holder: {{holder}}). A superuser has all privileges, including DROP ALL. If the role was not granted on purpose, revoke it and find who granted it. SHOW USER in GSQL lists the superusers.',
  resolved: 'No {{holder}} has become superuser within the last hour.',
  twin: `${family} - min_over_time(${family}[1h]) > 0`,
  twinTexts: { facts: { added: '{{ $value }} account{{ if ne $value 1.0 }}s{{ end }}' } },
  *evaluate(situation) {
    for (const { labels, value } of situation.samples(family)) {
      const added = value - (situation.recentMinimum(family, labels) ?? value);
      if (added <= 0) continue;
      const { holder = '' } = labels;
      yield { labels: { holder }, facts: { added: formatCount(added, 'account') } };
    }
  },
};
