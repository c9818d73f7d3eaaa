import { type LoadingJobReport, loadingJobSchema } from '../../../../src/api/database.ts';
import type { StateColor } from '../../../../src/model/service.ts';
import { listOf, useData } from '../../data.ts';
import { amount, percent } from '../../format.ts';
import { type Column, Elapsed, StateWord, Table, Time } from '../../parts.tsx';
import { ofCluster, SectionFrame, type SectionProps } from './section.tsx';

const loadJobs = listOf('/api/v1/loading-jobs', loadingJobSchema);

type State = LoadingJobReport['state'];

/** Color of each state, in the order of the table. */
const stateColors: Readonly<Record<State, StateColor>> = {
  failed: 'red',
  running: 'blue',
  paused: 'orange',
  unknown: 'grey',
  aborted: 'orange',
  finished: 'green',
};
const states = Object.keys(stateColors);

/** Latest run of each loading job: state, progress, speed, rejected lines and age; failed and running ones first. */
export function LoadingJobs({ site, cluster }: SectionProps) {
  const jobs = useData('loading jobs', loadJobs);
  const rows = ofCluster(jobs.value, cluster).toSorted((one, other) => rankOf(one) - rankOf(other));
  return (
    <SectionFrame title="Loading jobs" collector="loading_jobs" loaded={jobs} site={site} cluster={cluster}>
      <Table
        label="Loading jobs"
        columns={columnsAt(site.now)}
        rows={rows}
        keyOf={(job) => [job.cluster, job.graph, job.job, job.run].join(' ')}
        empty="The server lists no run of a loading job."
      />
    </SectionFrame>
  );
}

function rankOf({ state }: LoadingJobReport): number {
  return states.indexOf(state);
}

function columnsAt(now: number): readonly Column<LoadingJobReport>[] {
  return [
    { title: 'Job', sort: nameOf, cell: (job) => `${nameOf(job)} (${job.graph})` },
    { title: 'State', sort: rankOf, cell: ({ state }) => <StateWord color={stateColors[state]}>{state}</StateWord> },
    { title: 'Progress', sort: ({ progress }) => progress, cell: ({ progress }) => percent(progress) },
    {
      title: 'Speed',
      sort: speedOf,
      cell: (job) => (job.state === 'running' ? `${amount(job.linesPerSecond)} lines/s` : '–'),
    },
    { title: 'Loaded lines', sort: ({ lines }) => lines.valid, cell: ({ lines }) => amount(lines.valid) },
    { title: 'Rejected lines', sort: rejectedLines, cell: (job) => <Rejected job={job} /> },
    {
      title: 'Started',
      sort: ({ startedAt }) => startedAt ?? '',
      cell: ({ state, startedAt }) =>
        state === 'running' && startedAt !== null ? (
          <>
            <Elapsed since={startedAt} now={now} /> ago
          </>
        ) : (
          <Time at={startedAt} now={now} />
        ),
    },
    { title: 'Cluster', sort: ({ cluster }) => cluster, cell: ({ cluster }) => cluster },
  ];
}

function nameOf({ job, run }: LoadingJobReport): string {
  return job === '' ? run : job;
}

function speedOf({ state, linesPerSecond }: LoadingJobReport): number {
  return state === 'running' ? linesPerSecond : -1;
}

/** Reasons for rejected lines, as shown in the table. */
const rejections = {
  rejected: 'rejected',
  too_few_tokens: 'too few tokens',
  invalid_json: 'invalid JSON',
  oversize_token: 'token too long',
} as const;

/** Returns the reasons for which a run rejected lines, with their numbers. */
function rejectionsOf({ lines }: LoadingJobReport): readonly (readonly [reason: string, lines: number])[] {
  const counts = [lines.rejected, lines.too_few_tokens, lines.invalid_json, lines.oversize_token];
  return Object.values(rejections)
    .map((reason, at) => [reason, counts[at] ?? 0] as const)
    .filter(([, count]) => count > 0);
}

function rejectedLines(job: LoadingJobReport): number {
  return rejectionsOf(job).reduce((sum, [, count]) => sum + count, 0);
}

function Rejected({ job }: { readonly job: LoadingJobReport }) {
  const rejected = rejectedLines(job);
  if (rejected === 0) return <span>0</span>;
  const share = rejected / (rejected + job.lines.valid + job.lines.filtered);
  const reasons = rejectionsOf(job).map(([reason, count]) => `${amount(count)} ${reason}`);
  return (
    <>
      <span class="orange">{`! ${amount(rejected)} (${percent(share)})`}</span>
      <div class="soft">{reasons.join(', ')}</div>
    </>
  );
}
