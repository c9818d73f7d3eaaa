import type { ClusterRule } from '../rule.ts';

const family = 'graphdb_function_code_digest';

/** Code of users was replaced. It runs inside the engine, can read all data and can crash the engine. */
export const functionChanged: ClusterRule = {
  name: 'function_changed',
  about: 'User-defined functions or tuples have changed within the last hour.',
  scope: 'cluster',
  severity: 'warning',
  for: 0,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['code'],
  needs: ['user_functions'],
  families: [family],
  slopes: [family],
  summary: 'User-defined code of {{cluster_name}} has changed ({{code}})',
  description:
    'The user-defined code {{code}} has changed within the last hour. It runs inside the engine with access to all data, and an error in it stops the engine. The log of graphwarden names what changed (inventory changed). If the change was not deployed on purpose, find the user in the audit log of the server, and restore the last release. The alert ends an hour after the change.',
  resolved: 'The user-defined code {{code}} has not changed for an hour.',
  twin: `max_over_time(${family}[1h]) != min_over_time(${family}[1h])`,
  *evaluate(situation) {
    for (const { labels, value } of situation.samples(family)) {
      const [most, least] = [situation.recentMaximum(family, labels), situation.recentMinimum(family, labels)];
      if ((most ?? value) === value && (least ?? value) === value) continue;
      const { code = '' } = labels;
      yield { labels: { code }, facts: {} };
    }
  },
};
