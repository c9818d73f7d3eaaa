import type { ClusterRule } from '../rule.ts';

const family = 'graphdb_statement_state';

/** An asynchronous statement failed, and no client waits for it. */
export const statementFailed: ClusterRule = {
  name: 'statement_failed',
  about: 'An asynchronous statement from the configuration failed.',
  scope: 'cluster',
  severity: 'warning',
  for: 0,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['statement'],
  needs: ['statements'],
  families: [family],
  summary: 'The statement {{statement}} of {{cluster_name}} has failed',
  description:
    'The server reports an error of the asynchronous statement {{statement}}. GET /gsql/v1/statements/REQUEST_ID shows its output. Correct the cause, start the statement again, and put the new request id into clusters[].statements or its file; or remove the statement from the configuration.',
  resolved: 'The server reports no error of the statement {{statement}}.',
  twin: `${family}{state="failed"} == 1`,
  *evaluate(situation) {
    for (const { labels, value } of situation.samples(family)) {
      const { statement = '', state } = labels;
      if (value === 1 && state === 'failed') yield { labels: { statement }, facts: {} };
    }
  },
};
