import type { Failure } from '../kernel/failure.ts';
import type { Result } from '../kernel/result.ts';
import type { Millis } from '../kernel/time.ts';

/** Run of a scheduled task that changes the server. */
export interface ScheduledTaskRun {
  /** `''` for the whole server. */
  readonly graph: string;
  /** Duration of the run, or why it failed. */
  readonly outcome: Result<Millis, Failure>;
}
