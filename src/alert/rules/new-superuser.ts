import type { ClusterRule } from '../rule.ts';

const family = 'graphdb_superusers';

/** A user or group became superuser: it may do everything, deleting the whole database included. */
export const newSuperuser: ClusterRule = {
  name: 'new_superuser',
  about: 'The number of superusers has increased within the last hour.',
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
    'The number of superusers (kind of holder: {{holder}}) is {{superusers}}; the lowest number within the last hour was {{before}}. A superuser may do everything, DROP ALL included. If the role was not granted on purpose, revoke it and find who granted it. SHOW USER in GSQL lists the superusers.',
  resolved:
    'graphwarden has seen no increase in the number of superusers (kind of holder: {{holder}}) within the last hour, or since its start.',
  twin: `${family} > min_over_time(${family}[1h])`,
  *evaluate(situation) {
    for (const { labels, value } of situation.samples(family)) {
      const before = situation.recentMinimum(family, labels) ?? value;
      if (value <= before) continue;
      const { holder = '' } = labels;
      yield { labels: { holder }, facts: { superusers: String(value), before: String(before) } };
    }
  },
};
