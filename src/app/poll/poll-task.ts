import type { Millis } from '../../kernel/time.ts';
import type { FinishedPoll, PollSkipReason } from './poll-pacing.ts';

/** Result of one run of a task. */
export interface PollTaskResult extends FinishedPoll {
  /** Publishes the poll result; `interval` is the time until the next poll. */
  publish(interval: Millis): Promise<void>;
}

/** Periodic task. */
export interface PollTask {
  /** Unique; the same key with the same timing is the same task after a reload. */
  readonly key: string;
  readonly cluster: string;
  /** `''` for the whole cluster. */
  readonly node: string;
  readonly interval: Millis;
  /** Cron expression that replaces the interval; one task of a cluster runs at a time. */
  readonly schedule?: string;
  /** Whether the task changes the server: it runs only at its scheduled times, not on request. */
  readonly changesServer: boolean;
  /** A run that takes longer than this is stuck. */
  readonly stuckAfter: Millis;
  /** Whether the task shares the server time of the process lists of the node. */
  readonly isExpensive: boolean;
  /** Whether the task never backs off, because it detects that the node has recovered. */
  readonly neverBacksOff: boolean;
  /** Runs once; returns undefined while an earlier run still holds the permit. Never rejects. */
  run(): Promise<PollTaskResult | undefined>;
  /** Called with skipped intervals. */
  onSkipped(reason: PollSkipReason, cycles: number): void;
  /** Called when the next run is later than published, because other tasks have used up the server time of lists. */
  onDelayed(interval: Millis): void;
}
