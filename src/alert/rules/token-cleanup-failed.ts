import type { ClusterRule } from '../rule.ts';

const family = 'graphdb_token_cleanup_success';

/** The scheduled removal of expired tokens failed: the server keeps them, and looks them up slower. */
export const tokenCleanupFailed: ClusterRule = {
  name: 'token_cleanup_failed',
  about: 'The last scheduled removal of expired tokens failed.',
  scope: 'cluster',
  severity: 'warning',
  for: 0,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: [],
  needs: [],
  families: [family],
  summary: 'The scheduled removal of expired tokens of {{cluster_name}} has failed',
  description:
    'The last scheduled removal of expired tokens failed. The log line "scheduled task failed" states why. Grant WRITE_USER to a role of the user of read_auth, or set collectors.expired_tokens.enabled to false.',
  resolved: 'The last scheduled removal of expired tokens has succeeded.',
  twin: `${family} == 0`,
  *evaluate(situation) {
    for (const { value } of situation.samples(family)) if (value === 0) yield { labels: {}, facts: {} };
  },
};
