import type { ClusterRule } from '../rule.ts';
import { formatCount } from './text-format.ts';

const family = 'graphdb_failed_logins_total';

/** Many logins failed within an hour: an attacker guesses passwords, or a program has an old one. */
export const failedLogins: ClusterRule = {
  name: 'failed_logins',
  about: 'Many logins failed within the last hour.',
  scope: 'cluster',
  severity: 'warning',
  for: 0,
  keepFiringFor: 60_000,
  thresholds: [
    {
      name: 'more_than',
      about: 'Number of failed logins within an hour above which the alert fires.',
      unit: 'count',
      value: 20,
    },
  ],
  labels: [],
  needs: ['users'],
  families: [family],
  slopes: [family],
  summary: 'Logins to {{cluster_name}} fail: {{failures}} within the last hour',
  description:
    'Within the last hour {{failures}} to the GSQL server failed. Possible causes: an attacker guesses passwords, or a program uses an old password. SHOW USER in GSQL lists the failures by user; the GSQL log lists the addresses.',
  resolved: 'Few logins have failed within the last hour.',
  twin: `${family} - min_over_time(${family}[1h]) > {{more_than}}`,
  twinTexts: { facts: { failures: '{{ $value }} login{{ if ne $value 1.0 }}s{{ end }}' } },
  *evaluate(situation, { more_than: most = 0 }) {
    for (const { labels, value } of situation.samples(family)) {
      const failures = value - (situation.recentMinimum(family, labels) ?? value);
      if (failures > most) yield { labels: {}, facts: { failures: formatCount(failures, 'login') } };
    }
  },
};
