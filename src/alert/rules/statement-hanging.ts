import type { ClusterRule } from '../rule.ts';

const family = 'graphdb_statement_state';

/** An asynchronous statement does not end. */
export const statementHanging: ClusterRule = {
  name: 'statement_hanging',
  about: 'An asynchronous statement from the configuration has been running for a long time.',
  scope: 'cluster',
  severity: 'warning',
  for: 3_600_000,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['statement'],
  needs: ['statements'],
  families: [family],
  summary: 'The statement {{statement}} of {{cluster_name}} does not end',
  description:
    'The asynchronous statement {{statement}} is still running. Check the GSQL log, and whether it waits for running queries or for an installation. PUT /gsql/v1/statements/REQUEST_ID/cancel cancels it. Set "for" of this rule to the usual duration of your statements.',
  resolved: 'The statement {{statement}} is no longer running.',
  twin: `${family}{state="running"} == 1`,
  *evaluate(situation) {
    for (const { labels, value } of situation.samples(family)) {
      const { statement = '', state } = labels;
      if (value === 1 && state === 'running') yield { labels: { statement }, facts: {} };
    }
  },
};
