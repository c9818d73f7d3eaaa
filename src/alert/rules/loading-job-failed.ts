import type { ClusterRule } from '../rule.ts';

const family = 'graphdb_loading_jobs_failed';
const answered = 'graphdb_loading_jobs';

/** The latest run of a loading job failed: data is missing until it runs again. */
export const loadingJobFailed: ClusterRule = {
  name: 'loading_job_failed',
  about: 'The latest run of a loading job failed.',
  scope: 'cluster',
  severity: 'warning',
  for: 0,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['graph', 'loading_job'],
  needs: ['loading_jobs'],
  answeredBy: [answered],
  families: [family, answered],
  summary: 'The loading job {{loading_job}} of the graph {{graph}} of {{cluster_name}} has failed',
  description:
    'The latest run of the loading job {{loading_job}} of the graph {{graph}} failed, and a part of its data is not loaded. SHOW LOADING STATUS in GSQL shows the error. Correct the cause, and run the job again.',
  resolved: 'The latest run of the loading job {{loading_job}} of the graph {{graph}} has not failed.',
  twin: `${family} > 0`,
  *evaluate(situation) {
    for (const { labels, value } of situation.samples(family)) {
      const { graph = '', loading_job: job = '' } = labels;
      if (value > 0) yield { labels: { graph, loading_job: job }, facts: {} };
    }
  },
};
