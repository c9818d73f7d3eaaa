import type { Millis } from '../../kernel/time.ts';

/** Run of a loading job, as the world knows it. Times are ms since the epoch. */
export interface SimulatedLoading {
  readonly name: string;
  readonly source: string;
  readonly startedAt: number;
  /** Time of the latest change. */
  readonly endedAt: number;
  readonly status: 'RUNNING' | 'FINISHED' | 'FAILED';
  /** From 0 to 1. */
  readonly progress: number;
  /** Lines per second. */
  readonly speed: number;
  /** Lines that were loaded. */
  readonly valid: number;
  /** Lines with too few tokens. */
  readonly rejected: number;
}

/** Times that determine the runs, ms since the epoch. `badSince` is the start of the phase with bad input; undefined outside of it. */
export interface LoadingTimes {
  readonly worldBeganAt: number;
  readonly now: number;
  readonly badSince: number | undefined;
}

/** Time between the starts of two runs of a job, and the time that a run takes. */
const period: Millis = 600_000;
const duration: Millis = 240_000;
const linesPerSecond = 2000;
const rejectedShare = { usual: 0.001, bad: 0.2 };
const streamedPerSecond = 500;

/**
 * Returns the latest runs of the jobs of each graph: one that loads files every ten minutes, one that fails while the
 * input is bad, and one that reads a stream without an end.
 */
export function loadingJobs(times: LoadingTimes): readonly SimulatedLoading[] {
  return [accounts(times), devices(times), transfers(times)];
}

/** Returns a run that rejects a fifth of its lines while the input is bad. */
function accounts({ worldBeganAt, now, badSince }: LoadingTimes): SimulatedLoading {
  const first = badSince ?? worldBeganAt;
  const startedAt = first + Math.floor((now - first) / period) * period;
  const share = badSince === undefined ? rejectedShare.usual : rejectedShare.bad;
  return ending({ name: 'load_accounts', startedAt, now, share });
}

/** Returns the latest run of a job that fails after a quarter while the input is bad. */
function devices({ worldBeganAt, now, badSince }: LoadingTimes): SimulatedLoading {
  const usual = ending({ name: 'load_devices', startedAt: worldBeganAt, now, share: 0 });
  if (badSince === undefined) return usual;
  const run = ending({ name: 'load_devices', startedAt: badSince, now: badSince + duration / 4, share: 0 });
  return { ...run, status: 'FAILED', speed: 0 };
}

/** Returns the run of a stream that reads no lines while the input is bad. */
function transfers({ worldBeganAt, now, badSince }: LoadingTimes): SimulatedLoading {
  const readUntil = badSince ?? now;
  const valid = Math.floor(((readUntil - worldBeganAt) / 1000) * streamedPerSecond);
  const stream = { name: 'load_transfers', source: 'kafka', startedAt: worldBeganAt, endedAt: readUntil } as const;
  const speed = badSince === undefined ? streamedPerSecond : 0;
  return { ...stream, status: 'RUNNING', progress: 0.5, speed, valid, rejected: 0 };
}

interface EndingRun {
  readonly name: string;
  readonly startedAt: number;
  readonly now: number;
  /** Share of rejected lines. */
  readonly share: number;
}

function ending({ name, startedAt, now, share }: EndingRun): SimulatedLoading {
  const spent = Math.min(duration, Math.max(0, now - startedAt));
  const lines = Math.floor((spent / 1000) * linesPerSecond);
  const rejected = Math.floor(lines * share);
  const status = spent < duration ? 'RUNNING' : 'FINISHED';
  const counts = { progress: spent / duration, valid: lines - rejected, rejected };
  return { name, source: 'file', startedAt, endedAt: startedAt + spent, status, speed: linesPerSecond, ...counts };
}
