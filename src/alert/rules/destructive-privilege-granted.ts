import type { ClusterRule } from '../rule.ts';
import { formatCount } from './text-format.ts';

const family = 'graphdb_destructive_privileges_granted_total';

/** A user or group can delete data or definitions that none of its privileges allowed it to delete before. */
export const destructivePrivilegeGranted: ClusterRule = {
  name: 'destructive_privilege_granted',
  about: 'A user or group has gained a destructive privilege within the last hour.',
  scope: 'cluster',
  severity: 'warning',
  for: 0,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['holder', 'privilege'],
  needs: ['users'],
  families: [family],
  slopes: [family],
  summary: 'The privilege {{privilege}} was granted to a {{holder}} of {{cluster_name}}',
  description:
    'Within the last hour, {{granted}} gained the privilege {{privilege}} (kind of holder: {{holder}}); those that were superuser before do not count. If it was not granted on purpose, revoke it (REVOKE PRIVILEGE or REVOKE ROLE in GSQL) and find who granted it.',
  resolved: 'No {{holder}} has gained the privilege {{privilege}} within the last hour.',
  twin: `${family} - min_over_time(${family}[1h]) > 0`,
  twinTexts: { facts: { granted: '{{ $value }} account{{ if ne $value 1.0 }}s{{ end }}' } },
  *evaluate(situation) {
    for (const { labels, value } of situation.samples(family)) {
      const granted = value - (situation.recentMinimum(family, labels) ?? value);
      if (granted <= 0) continue;
      const { holder = '', privilege = '' } = labels;
      yield { labels: { holder, privilege }, facts: { granted: formatCount(granted, 'account') } };
    }
  },
};
