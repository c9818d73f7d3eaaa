import type { GraphDb } from '../graphdb/graph-db.ts';
import type { Instant } from '../kernel/time.ts';
import { toSeconds } from '../kernel/time.ts';
import { gauge, type Sample, sample } from '../metric/metric.ts';
import { type LoadingRun, lineResults, loadingStates } from '../model/loading.ts';
import { collector, type PollOutcome } from './collector.ts';
import { largestNames, otherNames } from './inventory.ts';
import { compositeKey, distinctBy } from './keyed-rows.ts';
import { mapPollOutcome, pollEach } from './poll-each.ts';

const source = 'GET /gsql/v1/loading-jobs/status: overall';

/** Maximum numbers of graphs whose jobs are requested, and of jobs of the cluster with their own series. */
const maxGraphs = 100;
const maxJobs = 100;

const other = `loading_job="${otherNames}" are the jobs beyond the ${maxJobs} that started last`;

const byState = gauge({
  name: 'graphdb_loading_jobs',
  help: 'Number of loading jobs of the graph by the state of their latest run.',
  labels: ['graph', 'state'],
  source: `${source}.status`,
});

const failed = gauge({
  name: 'graphdb_loading_jobs_failed',
  help: `Whether the latest run of the loading job failed; ${other}, of which several may have failed.`,
  labels: ['graph', 'loading_job'],
  source: `${source}.status`,
});

const age = gauge({
  name: 'graphdb_loading_job_age_seconds',
  help: `Time since the start of the running loading job; absent if the server reports no start; ${other}, of which the oldest counts.`,
  labels: ['graph', 'loading_job'],
  source: `${source}.startTime`,
});

const progress = gauge({
  name: 'graphdb_loading_job_progress_ratio',
  help: `Share of the input that the running loading job has read; ${other}, of which the lowest counts.`,
  labels: ['graph', 'loading_job'],
  source: `${source}.progress`,
});

const speed = gauge({
  name: 'graphdb_loading_job_lines_per_second',
  help: `Lines per second that the running loading job reads; ${other}.`,
  labels: ['graph', 'loading_job'],
  source: `${source}.currentSpeed`,
});

const lines = gauge({
  name: 'graphdb_loading_job_lines',
  help: `Number of lines that the latest run of the loading job has read, by result: valid, filtered by the job, or rejected for one of several reasons; ${other}.`,
  labels: ['graph', 'loading_job', 'result'],
  source: `${source}.statistics.fileLevel`,
});

const otherJobs = gauge({
  name: 'graphdb_loading_jobs_other',
  help: `Number of loading jobs that are counted as loading_job="${otherNames}".`,
  source: `${source}.id`,
  countsDropped: true,
});

const uncounted = gauge({
  name: 'graphdb_loading_jobs_uncounted_graphs',
  help: `Number of graphs beyond the first ${maxGraphs} in alphabetical order, whose loading jobs are not requested.`,
  source: 'GET /gsql/v1/schema/graphs',
  countsDropped: true,
});

interface LoadingJobs {
  readonly graphs: readonly string[];
  readonly runs: readonly LoadingRun[];
  readonly uncounted: number;
}

/** Runs of loading jobs. Only the latest run of each job is exposed: the server keeps those that have ended. */
export const loadingJobs = collector<LoadingJobs>({
  name: 'loading_jobs',
  about:
    'Loading jobs of each graph: state, age, progress, speed, and the lines that were loaded or rejected. One request to the GSQL server per graph and poll. Disabled by default.',
  scope: 'cluster',
  metrics: [byState, failed, age, progress, speed, lines, otherJobs, uncounted],
  defaults: { enabled: false, interval: 120_000, timeout: 30_000 },
  calls: ['graphs', 'loadingRuns'],
  privilege: 'READ_LOADINGJOB',
  poll,
  samples,
  contents: ({ runs }) => ({ loadingRuns: latestRuns(runs) }),
});

async function poll(db: GraphDb, signal: AbortSignal): Promise<PollOutcome<LoadingJobs>> {
  const graphs = await db.graphs(signal);
  if (!graphs.ok) return graphs;
  const requested = graphs.value.slice(0, maxGraphs);
  const polled = await pollEach(requested, async (graph) => {
    const runs = await db.loadingRuns(graph, signal);
    return runs.ok ? { ok: true, value: { graph, runs: runs.value } } : runs;
  });
  return mapPollOutcome(polled, (answers) => ({
    graphs: answers.map(({ graph }) => graph),
    runs: answers.flatMap(({ runs }) => runs),
    uncounted: graphs.value.length - requested.length,
  }));
}

function* samples({ graphs, runs, uncounted: more }: LoadingJobs, at: Instant): Generator<Sample> {
  const latest = latestRuns(runs);
  const byGraph = Map.groupBy(latest, ({ graph }) => graph);
  for (const graph of new Set([...graphs, ...byGraph.keys()])) {
    const own = byGraph.get(graph) ?? [];
    for (const state of loadingStates) {
      yield sample(byState, { graph, state }, own.filter((run) => run.state === state).length);
    }
  }
  const starts = new Map(latest.filter(({ job }) => job !== '').map((run) => [keyOf(run), run.startedAt]));
  const shown = largestNames(starts, maxJobs);
  const labelOf = (run: LoadingRun): string => (shown.has(keyOf(run)) ? run.job : otherNames);
  for (const rows of Map.groupBy(latest, (run) => compositeKey(run.graph, labelOf(run))).values()) {
    const [first] = rows;
    if (first !== undefined) yield* jobSamples(rows, { graph: first.graph, loading_job: labelOf(first) }, at);
  }
  yield sample(otherJobs, {}, latest.length - shown.size);
  yield sample(uncounted, {}, more);
}

type JobLabels = Readonly<Record<'graph' | 'loading_job', string>>;

/** Yields the samples of one job, or of all that share a label. */
function* jobSamples(rows: readonly LoadingRun[], labels: JobLabels, at: Instant): Generator<Sample> {
  yield sample(failed, labels, rows.filter(({ state }) => state === 'failed').length);
  for (const result of lineResults) {
    yield sample(lines, { ...labels, result }, sum(rows.map((run) => run.lines[result])));
  }
  const running = rows.filter(({ state }) => state === 'running');
  if (running.length === 0) return;
  const started = running.filter(({ startedAt }) => startedAt > 0);
  const ages = started.map(({ startedAt }) => Math.max(0, toSeconds(at.wall - startedAt)));
  if (ages.length > 0) yield sample(age, labels, Math.max(...ages));
  yield sample(progress, labels, Math.min(...running.map((run) => run.progress)));
  yield sample(speed, labels, sum(running.map(({ linesPerSecond }) => linesPerSecond)));
}

/** Returns the run of each job that started last; a run whose job has no name stands for itself. */
function latestRuns(runs: readonly LoadingRun[]): readonly LoadingRun[] {
  const newestFirst = runs.toSorted((one, two) => two.startedAt - one.startedAt);
  return [...distinctBy(newestFirst, (run) => (run.job === '' ? compositeKey(run.graph, '', run.id) : keyOf(run)))];
}

function keyOf({ graph, job }: LoadingRun): string {
  return compositeKey(graph, job);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
