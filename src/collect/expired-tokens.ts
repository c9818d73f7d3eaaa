import type { GraphDb } from '../graphdb/graph-db.ts';
import { ok } from '../kernel/result.ts';
import { type Instant, toSeconds } from '../kernel/time.ts';
import { gauge, type Sample, sample } from '../metric/metric.ts';
import type { ScheduledTaskRun } from '../model/scheduled-task.ts';
import { collector, type PollOutcome } from './collector.ts';

const common = { source: 'DELETE /gsqlserver/gsql/expiredtoken: measured by graphwarden', keep: true } as const;

const success = gauge({
  ...common,
  name: 'graphdb_token_cleanup_success',
  help: 'Whether the last scheduled removal of expired tokens succeeded (1) or failed (0).',
});

const duration = gauge({
  ...common,
  name: 'graphdb_token_cleanup_duration_seconds',
  help: 'Duration of the last scheduled removal of expired tokens that succeeded.',
});

const lastRun = gauge({
  ...common,
  name: 'graphdb_token_cleanup_last_run_timestamp_seconds',
  help: 'Unix timestamp of the end of the last scheduled removal of expired tokens.',
});

/** Removal of the expired tokens of all users, which the server keeps. It changes the server, so it is disabled by default. */
export const expiredTokens = collector<ScheduledTaskRun>({
  name: 'expired_tokens',
  about:
    'Removes the expired tokens of all users on a schedule. Changes the server: one request to the GSQL server per run. Disabled by default.',
  scope: 'cluster',
  metrics: [success, duration, lastRun],
  defaults: { enabled: false, interval: 86_400_000, timeout: 300_000, schedule: '30 4 * * *' },
  calls: ['removeExpiredTokens'],
  privilege: 'WRITE_USER',
  poll,
  samples,
  taskRuns: (run) => [run],
});

async function poll(db: GraphDb, signal: AbortSignal): Promise<PollOutcome<ScheduledTaskRun>> {
  const outcome = await db.removeExpiredTokens(signal);
  const run = { graph: '', outcome };
  return outcome.ok ? ok(run) : { ok: false, error: outcome.error, partial: run };
}

function* samples({ outcome }: ScheduledTaskRun, at: Instant): Generator<Sample> {
  yield sample(success, {}, outcome.ok ? 1 : 0);
  if (outcome.ok) yield sample(duration, {}, toSeconds(outcome.value));
  yield sample(lastRun, {}, toSeconds(at.wall));
}
