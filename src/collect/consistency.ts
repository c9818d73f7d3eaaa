import type { Answer, GraphDb } from '../graphdb/graph-db.ts';
import { map } from '../kernel/result.ts';
import { type Instant, inSeconds } from '../kernel/time.ts';
import { gauge, type Sample, sample } from '../metric/metric.ts';
import type { CheckVerdict } from '../model/node.ts';
import { askEach } from './ask-each.ts';
import { collector, type ReadResult } from './collector.ts';
import { distinct, keyOf } from './distinct.ts';

/** One check that ran to its end. */
interface CheckRun {
  readonly check: CheckVerdict['check'];
  readonly verdicts: readonly CheckVerdict[];
}

const source = 'GET /restpp/data_consistency_check, GET /restpp/deleted_vertex_check';
const labels = ['check', 'graph', 'partition', 'engine'] as const;

const passed = gauge({
  name: 'graphdb_check_passed',
  help: 'Last verdict of a consistency check: 1 passed, 0 failed (PassCheck).',
  labels,
  source: `${source}: PassCheck`,
  keep: true,
});

const unsynced = gauge({
  name: 'graphdb_check_unsynced_entries',
  help: 'Entries that the last run of a consistency check found out of step: length of UnSyncList.',
  labels,
  source: `${source}: UnSyncList`,
  keep: true,
});

const duration = gauge({
  name: 'graphdb_check_duration_seconds',
  help: 'How long the last run of a consistency check took, from the request to its answer; one value per check.',
  labels,
  source: `${source}: measured by us`,
  keep: true,
});

const lastRun = gauge({
  name: 'graphdb_check_last_run_timestamp_seconds',
  help: 'When the last run of a consistency check ended, as seconds since the epoch; one value per check.',
  labels,
  source: `${source}: measured by us`,
  keep: true,
});

/**
 * The two consistency checks, one after the other. They are heavy on every engine, so they run by
 * calendar and only where somebody asked for them.
 */
export const consistency = collector<readonly CheckRun[]>({
  name: 'consistency',
  about: 'Verdicts of the data consistency and the deleted vertex check. Heavy: runs by calendar, off by default.',
  scope: 'cluster',
  metrics: [passed, unsynced, duration, lastRun],
  defaults: { enabled: false, every: 604_800_000, timeout: 1_800_000, cron: '0 3 * * SUN' },
  calls: ['dataConsistency', 'deletedVertices'],
  privilege: 'DELETE_DATA, global; READ_DATA',
  read,
  samples,
});

const checks: readonly ((db: GraphDb, signal: AbortSignal) => Answer<CheckRun>)[] = [
  async (db, signal) => map(await db.dataConsistency(signal), (verdicts) => ({ check: 'data_consistency', verdicts })),
  async (db, signal) => map(await db.deletedVertices(signal), (verdicts) => ({ check: 'deleted_vertex', verdicts })),
];

function read(db: GraphDb, signal: AbortSignal): Promise<ReadResult<readonly CheckRun[]>> {
  return askEach(checks, (run) => run(db, signal));
}

function* samples(runs: readonly CheckRun[], at: Instant): Generator<Sample> {
  for (const { check, verdicts } of runs) {
    const whole = { check, graph: '', partition: '', engine: '' };
    const [first] = verdicts;
    yield sample(lastRun, whole, inSeconds(first?.endedAt ?? at.wall));
    if (first?.tookMillis !== undefined) yield sample(duration, whole, inSeconds(first.tookMillis));
    for (const verdict of distinct(verdicts, ({ graph, partition, engine }) => keyOf(graph, partition, engine))) {
      const { graph, partition, engine } = verdict;
      yield sample(passed, { check, graph, partition, engine }, verdict.passed ? 1 : 0);
      yield sample(unsynced, { check, graph, partition, engine }, verdict.unsynced);
    }
  }
}
