import type { ClusterRule } from '../rule.ts';
import { formatPercent } from './text-format.ts';

const speed = 'graphdb_loading_job_lines_per_second';
const progress = 'graphdb_loading_job_progress_ratio';
const answered = 'graphdb_loading_jobs';

/** A loading job is running, and reads nothing. */
export const loadingStalled: ClusterRule = {
  name: 'loading_stalled',
  about: 'A loading job is running, but has not read a line for some time.',
  scope: 'cluster',
  severity: 'warning',
  for: 300_000,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['graph', 'loading_job'],
  needs: ['loading_jobs'],
  answeredBy: [answered],
  families: [speed, progress, answered],
  summary: 'The loading job {{loading_job}} of the graph {{graph}} of {{cluster_name}} reads no lines',
  description:
    'The loading job {{loading_job}} of the graph {{graph}} is running but reads no lines; its progress is {{progress}}. Check the source of its data, the free disk space of the hosts, and whether RESTPP and GPE are online. A job that reads a stream without new messages looks the same: disable this rule for such clusters.',
  resolved: 'The loading job {{loading_job}} of the graph {{graph}} reads lines, or has ended.',
  twin: `${speed} == 0`,
  twinTexts: {
    description:
      'The loading job {{loading_job}} of the graph {{graph}} is running and reads no lines. Check the source of its data, the free disk space of the hosts, and whether RESTPP and GPE are online. A job that reads a stream without new messages looks the same: disable this rule for such clusters.',
  },
  *evaluate(situation) {
    for (const { labels, value } of situation.samples(speed)) {
      if (value > 0) continue;
      const { graph = '', loading_job: job = '' } = labels;
      const done = situation
        .samples(progress)
        .find((one) => one.labels.graph === graph && one.labels.loading_job === job);
      yield { labels: { graph, loading_job: job }, facts: { progress: formatPercent(done?.value ?? 0) } };
    }
  },
};
