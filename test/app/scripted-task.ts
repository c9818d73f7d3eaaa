import type { SkipReason } from '../../src/app/pace.ts';
import type { Done, Task } from '../../src/app/task.ts';
import type { FakeClock } from '../support/clock.ts';

/** How a scripted run goes: how long it takes, and how it ends. */
export interface Run {
  readonly takes?: number;
  readonly good?: boolean;
  readonly retryAfter?: number;
  readonly busy?: boolean;
}

/** A task that does what its script says, and notes when it ran, with which interval, and what was skipped. */
export class ScriptedTask implements Task {
  readonly key: string;
  readonly cluster: string;
  readonly node: string;
  readonly every: number;
  readonly cron?: string;
  readonly patience: number;
  readonly dear: boolean;
  readonly steady: boolean;
  readonly runs: number[] = [];
  readonly intervals: number[] = [];
  readonly skips: Partial<Record<SkipReason, number>> = {};
  script: (run: number) => Run = () => ({});
  /** How many runs are going on, and the most there ever were. */
  running = 0;
  mostRunning = 0;
  readonly #clock: FakeClock;

  constructor(clock: FakeClock, more: Partial<Task> = {}) {
    this.#clock = clock;
    this.key = more.key ?? 'prod/facts/m1';
    this.cluster = more.cluster ?? 'prod';
    this.node = more.node ?? 'm1';
    this.every = more.every ?? 5000;
    if (more.cron !== undefined) this.cron = more.cron;
    this.patience = more.patience ?? 6000;
    this.dear = more.dear ?? false;
    this.steady = more.steady ?? false;
  }

  async run(): Promise<Done | undefined> {
    this.runs.push(this.#clock.now().mono);
    this.running += 1;
    this.mostRunning = Math.max(this.mostRunning, this.running);
    const { takes = 0, good = true, retryAfter, busy = false } = this.script(this.runs.length - 1);
    if (takes > 0) await this.#clock.sleep(takes);
    this.running -= 1;
    if (busy) return undefined;
    return {
      good,
      cost: takes,
      ...(retryAfter === undefined ? {} : { retryAfter }),
      show: async (interval) => void this.intervals.push(interval),
    };
  }

  skipped(reason: SkipReason, beats: number): void {
    this.skips[reason] = (this.skips[reason] ?? 0) + beats;
  }
}
