import type { ClusterRule } from '../rule.ts';
import { formatCount } from './text-format.ts';

const family = 'graphdb_destructive_privilege_holders';

/** More users or groups than before can delete data or definitions. */
export const destructivePrivilegeGranted: ClusterRule = {
  name: 'destructive_privilege_granted',
  about: 'The number of users or groups with a destructive privilege has increased within the last hour.',
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
    'The privilege {{privilege}} has {{holders}} (kind of holder: {{holder}}), without superusers; the lowest number within the last hour was {{before}}. If it was not granted on purpose, revoke it (REVOKE PRIVILEGE or REVOKE ROLE in GSQL) and find who granted it.',
  resolved:
    'graphwarden has seen no increase in the number of holders of {{privilege}} (kind of holder: {{holder}}) within the last hour, or since its start.',
  twin: `${family} > min_over_time(${family}[1h])`,
  *evaluate(situation) {
    for (const { labels, value } of situation.samples(family)) {
      const before = situation.recentMinimum(family, labels) ?? value;
      if (value <= before) continue;
      const { holder = '', privilege = '' } = labels;
      yield { labels: { holder, privilege }, facts: { holders: formatCount(value, 'holder'), before: String(before) } };
    }
  },
};
