import { z } from 'zod';
import { failure } from '../../kernel/failure.ts';
import { err } from '../../kernel/result.ts';
import type { LoadingRun, LoadingState } from '../../model/loading.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';
import { isGraphName } from '../query-identity.ts';
import { numberSchema, objectOrEmpty, parserOf, textOrEmpty } from '../reply-schemas.ts';
import { fetchList } from './list.ts';

const count = numberSchema.pipe(z.number().min(0)).nullish().catch(undefined);

const fileLevel = objectOrEmpty({
  validLine: count,
  rejectLine: count,
  failedConditionLine: count,
  notEnoughToken: count,
  invalidJson: count,
  oversizeToken: count,
});

const overall = z.object({
  id: z.string().min(1).max(1000),
  status: textOrEmpty.catch(''),
  startTime: count,
  progress: count,
  currentSpeed: count,
  statistics: objectOrEmpty({ fileLevel: fileLevel.catch({}) }).catch({ fileLevel: {} }),
});

const record = parserOf(z.object({ overall }));

/** Words of the server. FINISHED is in known replies, the others are in the output of GSQL and in clients. */
const states: ReadonlyMap<string, LoadingState> = new Map([
  ['RUNNING', 'running'],
  ['FINISHED', 'finished'],
  ['FAILED', 'failed'],
  ['ABORTED', 'aborted'],
  ['PAUSED', 'paused'],
  ['WAITING', 'running'],
]);

const invalidName = failure('unsupported', 'the name of the graph is invalid');

/**
 * `GET /gsql/v1/loading-jobs/status` of a graph: the runs of its loading jobs. The documents of the server describe the
 * request with ids of runs only, and no request that lists the ids; that the server returns all runs without them is
 * assumed.
 */
export async function fetchLoadingRuns(
  caller: Caller,
  graph: string,
  signal: AbortSignal,
): Answer<readonly LoadingRun[]> {
  if (!isGraphName(graph)) return err(caller.withContext('loadingRuns', invalidName));
  const entry = (value: unknown): LoadingRun | undefined => {
    const read = record(value);
    return read && loadingRun(graph, read.overall);
  };
  return await fetchList(
    caller,
    { name: 'loadingRuns', input: { query: { graph } }, member: 'results', entry },
    signal,
  );
}

function loadingRun(graph: string, { id, status, ...run }: z.output<typeof overall>): LoadingRun {
  const { fileLevel: lines } = run.statistics;
  const progress = Math.min(1, run.progress ?? 0);
  return {
    ...namesOf(id, graph),
    id,
    state: stateOf(status, progress),
    startedAt: run.startTime ?? 0,
    progress,
    linesPerSecond: run.currentSpeed ?? 0,
    lines: {
      valid: lines.validLine ?? 0,
      filtered: lines.failedConditionLine ?? 0,
      rejected: lines.rejectLine ?? 0,
      too_few_tokens: lines.notEnoughToken ?? 0,
      invalid_json: lines.invalidJson ?? 0,
      oversize_token: lines.oversizeToken ?? 0,
    },
  };
}

/** An id is `<graph>.<job>.<source>.<mode>.<number>`; those of early versions have no name of a job. */
function namesOf(id: string, requested: string): Pick<LoadingRun, 'graph' | 'job'> {
  const [graph = '', job = '', ...others] = id.split('.');
  return others.length >= 2 && isGraphName(graph) ? { graph, job } : { graph: requested, job: '' };
}

/** The documented record has no word for the state: without one, a run is finished if its progress is complete. */
function stateOf(status: string, progress: number): LoadingState {
  if (status !== '') return states.get(status.toUpperCase()) ?? 'unknown';
  return progress >= 1 ? 'finished' : 'running';
}
