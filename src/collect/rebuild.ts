import type { GraphDb } from '../graphdb/graph-db.ts';
import type { Failure } from '../kernel/failure.ts';
import { ok } from '../kernel/result.ts';
import { type Instant, toSeconds } from '../kernel/time.ts';
import { gauge, type Sample, sample } from '../metric/metric.ts';
import type { ScheduledTaskRun } from '../model/scheduled-task.ts';
import { collector, type PollOutcome } from './collector.ts';
import { distinctBy } from './keyed-rows.ts';

/** Maximum number of graphs that are rebuilt. */
const maxGraphs = 100;

const source = 'POST /restpp/rebuildnow/{graph}: measured by graphwarden';
const common = { labels: ['graph'], source, keep: true } as const;

const success = gauge({
  ...common,
  name: 'graphdb_rebuild_success',
  help: 'Whether the last scheduled rebuild of the graph succeeded (1) or failed (0).',
});

const duration = gauge({
  ...common,
  name: 'graphdb_rebuild_duration_seconds',
  help: 'Duration of the last scheduled rebuild of the graph that succeeded.',
});

const lastRun = gauge({
  ...common,
  name: 'graphdb_rebuild_last_run_timestamp_seconds',
  help: 'Unix timestamp of the end of the run that last rebuilt the graph, or failed to.',
});

/** Rebuild of the data of each graph, one after the other. It changes the server, so it is disabled by default. */
export const rebuild = collector<readonly ScheduledTaskRun[]>({
  name: 'rebuild',
  about: `Rebuilds the data of each graph on a schedule, one graph after the other, at most ${maxGraphs} graphs. Changes the server, and uses CPU time and disk bandwidth of every engine. The engine also rebuilds by itself. Disabled by default.`,
  scope: 'cluster',
  metrics: [success, duration, lastRun],
  defaults: { enabled: false, interval: 604_800_000, timeout: 7_200_000, schedule: '0 4 * * SUN' },
  calls: ['graphs', 'rebuildGraph'],
  privilege: 'READ_DATA (before 3.9 UPDATE_DATA, global)',
  poll,
  samples,
  taskRuns: (runs) => runs,
});

/** The first failure is the failure of the poll. */
async function poll(db: GraphDb, signal: AbortSignal): Promise<PollOutcome<readonly ScheduledTaskRun[]>> {
  const graphs = await db.graphs(signal);
  if (!graphs.ok) return graphs;
  const runs: ScheduledTaskRun[] = [];
  let error: Failure | undefined;
  for (const graph of graphs.value.slice(0, maxGraphs)) {
    const outcome = await db.rebuildGraph(graph, signal);
    runs.push({ graph, outcome });
    if (outcome.ok) continue;
    error ??= outcome.error;
    // The server continues a rebuild whose answer is lost: the next one would run at the same time.
    if (outcome.error.reason === 'timeout' || outcome.error.reason === 'unreachable') break;
  }
  return error === undefined ? ok(runs) : { ok: false, error, partial: runs };
}

function* samples(runs: readonly ScheduledTaskRun[], at: Instant): Generator<Sample> {
  for (const { graph, outcome } of distinctBy(runs, (run) => run.graph)) {
    yield sample(success, { graph }, outcome.ok ? 1 : 0);
    if (outcome.ok) yield sample(duration, { graph }, toSeconds(outcome.value));
    yield sample(lastRun, { graph }, toSeconds(at.wall));
  }
}
