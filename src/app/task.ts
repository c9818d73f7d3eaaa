import type { Millis } from '../kernel/time.ts';
import type { Effort, SkipReason } from './pace.ts';

/** What a task did in one beat. */
export interface Done extends Effort {
  /** Shows what was read; `interval` is the time until the next read, stretched or not. */
  show(interval: Millis): Promise<void>;
}

/** Something to be done again and again. */
export interface Task {
  /** Unique; the same key with the same timing is the same task after a reload. */
  readonly key: string;
  readonly cluster: string;
  /** `''` for what concerns the whole cluster. */
  readonly node: string;
  readonly every: Millis;
  /** Runs by calendar instead, one task of a cluster at a time. */
  readonly cron?: string;
  /** A beat that takes longer than this is stuck. */
  readonly patience: Millis;
  /** Shares the budget of the node's process lists. */
  readonly dear: boolean;
  /** Never backs off: it is how the others learn that the node is back. */
  readonly steady: boolean;
  /** Does it once; `undefined` where an earlier run still holds the permit. Never rejects. */
  run(): Promise<Done | undefined>;
  /** Hears of beats that did not happen. */
  skipped(reason: SkipReason, beats: number): void;
}

/** The key of the task that reads for a collector; `node` is `''` for what concerns the whole cluster. */
export function taskKey({
  cluster,
  collector,
  node,
}: {
  readonly cluster: string;
  readonly collector: string;
  readonly node: string;
}): string {
  return JSON.stringify([cluster, collector, node]);
}
