import type { PollSkipReason } from '../../../src/app/poll/poll-pacing.ts';
import type { PollTask, PollTaskResult } from '../../../src/app/poll/poll-task.ts';
import type { FakeClock } from '../../support/clock.ts';

/** How a scripted run goes: how long it takes, and how it ends. */
export interface Run {
  readonly takes?: number;
  readonly good?: boolean;
  readonly retryAfter?: number;
  readonly busy?: boolean;
}

/** A task that does what its script says, and notes when it ran, with which interval, and what was skipped. */
export class ScriptedTask implements PollTask {
  readonly key: string;
  readonly cluster: string;
  readonly node: string;
  readonly interval: number;
  readonly schedule?: string;
  readonly stuckAfter: number;
  readonly changesServer: boolean;
  readonly isExpensive: boolean;
  readonly neverBacksOff: boolean;
  readonly runs: number[] = [];
  readonly intervals: number[] = [];
  /** The interval after each run: as published, or the longer one that was reported later. */
  readonly shown: number[] = [];
  readonly skips: Partial<Record<PollSkipReason, number>> = {};
  script: (run: number) => Run = () => ({});
  /** How many runs are going on, and the most there ever were. */
  running = 0;
  maxRunning = 0;
  readonly #clock: FakeClock;

  constructor(clock: FakeClock, more: Partial<PollTask> = {}) {
    this.#clock = clock;
    this.key = more.key ?? 'prod/facts/m1';
    this.cluster = more.cluster ?? 'prod';
    this.node = more.node ?? 'm1';
    this.interval = more.interval ?? 5000;
    if (more.schedule !== undefined) this.schedule = more.schedule;
    this.stuckAfter = more.stuckAfter ?? 6000;
    this.changesServer = more.changesServer ?? false;
    this.isExpensive = more.isExpensive ?? false;
    this.neverBacksOff = more.neverBacksOff ?? false;
  }

  async run(): Promise<PollTaskResult | undefined> {
    this.runs.push(this.#clock.now().mono);
    this.running += 1;
    this.maxRunning = Math.max(this.maxRunning, this.running);
    const { takes = 0, good: isSuccess = true, retryAfter, busy = false } = this.script(this.runs.length - 1);
    if (takes > 0) await this.#clock.sleep(takes);
    this.running -= 1;
    if (busy) return undefined;
    return {
      isSuccess,
      cost: takes,
      ...(retryAfter === undefined ? {} : { retryAfter }),
      publish: async (interval) => {
        this.intervals.push(interval);
        this.shown.push(interval);
      },
    };
  }

  onSkipped(reason: PollSkipReason, cycles: number): void {
    this.skips[reason] = (this.skips[reason] ?? 0) + cycles;
  }

  onDelayed(interval: number): void {
    this.shown[this.shown.length - 1] = interval;
  }
}
