import type { Situation } from '../../model/situation.ts';
import type { ClusterRule } from '../rule.ts';
import { formatPercent } from './text-format.ts';

const family = 'graphdb_loading_job_lines';
const answered = 'graphdb_loading_jobs';
/** Results of lines that the job loads, or drops on purpose. */
const accepted: readonly string[] = ['valid', 'filtered'];
const all = `sum without (result) (${family})`;
const rejected = `sum without (result) (${family}{result!~"${accepted.join('|')}"})`;

/** A loading job rejects many lines: its input has another form than it expects. */
export const loadingRejectsLines: ClusterRule = {
  name: 'loading_rejects_lines',
  about: 'The latest run of a loading job rejects a large share of its lines.',
  scope: 'cluster',
  severity: 'warning',
  for: 60_000,
  keepFiringFor: 60_000,
  thresholds: [
    {
      name: 'share',
      about: 'Share of rejected lines above which the alert fires.',
      unit: 'ratio',
      value: 0.05,
      above: 0,
      below: 1,
    },
    { name: 'min_lines', about: 'Number of lines below which the alert does not fire.', unit: 'count', value: 100 },
  ],
  labels: ['graph', 'loading_job'],
  needs: ['loading_jobs'],
  answeredBy: [answered],
  families: [family, answered],
  summary:
    'The loading job {{loading_job}} of the graph {{graph}} of {{cluster_name}} rejects {{rejected}} of its lines',
  description:
    'The latest run of the loading job {{loading_job}} of the graph {{graph}} rejected {{rejected}} of the lines of its input, whose data is not loaded. graphdb_loading_job_lines shows the reasons; the loading log of the server shows the lines. Compare the format of the input with the job: separator, number of columns, encoding.',
  resolved: 'The latest run of the loading job {{loading_job}} of the graph {{graph}} rejects few lines.',
  twin: `${rejected} / ${all} > {{share}} and ${all} >= {{min_lines}}`,
  *evaluate(situation, { share = 0, min_lines: least = 0 }) {
    for (const { graph, job, total, rejected: bad } of lineCounts(situation)) {
      if (total < least || total === 0 || bad / total <= share) continue;
      yield { labels: { graph, loading_job: job }, facts: { rejected: formatPercent(bad / total) } };
    }
  },
};

interface LineCounts {
  readonly graph: string;
  readonly job: string;
  readonly total: number;
  readonly rejected: number;
}

function lineCounts(situation: Situation): Iterable<LineCounts> {
  const counts = new Map<string, LineCounts>();
  for (const { labels, value } of situation.samples(family)) {
    const { graph = '', loading_job: job = '', result = '' } = labels;
    const key = JSON.stringify([graph, job]);
    const { total, rejected: before } = counts.get(key) ?? { total: 0, rejected: 0 };
    const more = accepted.includes(result) ? 0 : value;
    counts.set(key, { graph, job, total: total + value, rejected: before + more });
  }
  return counts.values();
}
