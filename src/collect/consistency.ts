import type { Answer, GraphDb } from '../graphdb/graph-db.ts';
import { mapResult } from '../kernel/result.ts';
import { type Instant, toSeconds } from '../kernel/time.ts';
import { gauge, type Sample, sample } from '../metric/metric.ts';
import type { CheckResult } from '../model/node.ts';
import { collector, type PollOutcome } from './collector.ts';
import { compositeKey, distinctBy } from './keyed-rows.ts';
import { pollEach } from './poll-each.ts';

/** Finished run of one check. */
interface CheckRun {
  readonly check: CheckResult['check'];
  readonly results: readonly CheckResult[];
}

const source = 'GET /restpp/data_consistency_check, GET /restpp/deleted_vertex_check';
const labels = ['check', 'graph', 'partition', 'engine'] as const;

const passed = gauge({
  name: 'graphdb_check_passed',
  help: 'Whether the last run of the consistency check passed (1) or failed (0).',
  labels,
  source: `${source}: PassCheck`,
  keep: true,
});

const unsynced = gauge({
  name: 'graphdb_check_unsynced_entries',
  help: 'Unsynced entries found by the last run of the consistency check.',
  labels,
  source: `${source}: UnSyncList`,
  keep: true,
});

const duration = gauge({
  name: 'graphdb_check_duration_seconds',
  help: 'Duration of the last run of the consistency check.',
  labels,
  source: `${source}: measured by graphwarden`,
  keep: true,
});

const lastRun = gauge({
  name: 'graphdb_check_last_run_timestamp_seconds',
  help: 'Unix timestamp of the end of the last run of the consistency check.',
  labels,
  source: `${source}: measured by graphwarden`,
  keep: true,
});

/**
 * The two consistency checks, one after the other. They are heavy on every engine, so they run on a schedule and only
 * if they are enabled.
 */
export const consistency = collector<readonly CheckRun[]>({
  name: 'consistency',
  about:
    'Results of the data consistency check and the deleted vertex check. Heavy: runs on a schedule, disabled by default.',
  scope: 'cluster',
  metrics: [passed, unsynced, duration, lastRun],
  defaults: { enabled: false, interval: 604_800_000, timeout: 1_800_000, schedule: '0 3 * * SUN' },
  calls: ['dataConsistency', 'deletedVertices'],
  privilege: 'DELETE_DATA, global; READ_DATA',
  poll,
  samples,
});

const checks: readonly ((db: GraphDb, signal: AbortSignal) => Answer<CheckRun>)[] = [
  async (db, signal) =>
    mapResult(await db.dataConsistency(signal), (results) => ({ check: 'data_consistency', results })),
  async (db, signal) =>
    mapResult(await db.deletedVertices(signal), (results) => ({ check: 'deleted_vertex', results })),
];

function poll(db: GraphDb, signal: AbortSignal): Promise<PollOutcome<readonly CheckRun[]>> {
  return pollEach(checks, (run) => run(db, signal));
}

function* samples(runs: readonly CheckRun[], at: Instant): Generator<Sample> {
  for (const { check, results } of runs) {
    const whole = { check, graph: '', partition: '', engine: '' };
    const [first] = results;
    yield sample(lastRun, whole, toSeconds(first?.endedAt ?? at.wall));
    if (first?.durationMillis !== undefined) yield sample(duration, whole, toSeconds(first.durationMillis));
    for (const result of distinctBy(results, ({ graph, partition, engine }) =>
      compositeKey(graph, partition, engine),
    )) {
      const { graph, partition, engine } = result;
      yield sample(passed, { check, graph, partition, engine }, result.passed ? 1 : 0);
      yield sample(unsynced, { check, graph, partition, engine }, result.unsynced);
    }
  }
}
