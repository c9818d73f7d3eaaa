import type { Random } from '../../kernel/system.ts';
import type { Clock, Millis } from '../../kernel/time.ts';
import {
  Backoff,
  IntervalGrid,
  type ListBudget,
  longerWait,
  type PollSkipReason,
  type PollWait,
} from './poll-pacing.ts';
import type { PollTask, PollTaskResult } from './poll-task.ts';

/** The first poll of every task happens within this time, so that a start completes soon. */
const initialSpread: Millis = 2000;
const noWait: PollWait = { intervals: 1, minimum: 0, reason: 'late' };

interface PollLoopOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly budget: ListBudget;
  /** Called when a failed task has recovered. */
  readonly onRecovered: (task: PollTask) => void;
}

/** Runs one task at its intervals: poll, then sleep until the next. Never two runs at once. */
export class PollLoop {
  readonly task: PollTask;
  readonly #options: PollLoopOptions;
  #intervals: IntervalGrid;
  readonly #backOff = new Backoff();
  #sleepAbort = new AbortController();
  #stopped = false;
  #isWoken = false;
  #runRequested = false;
  /** Resolves at the end of the current run, or otherwise of the next one. */
  #currentRun = Promise.withResolvers<boolean>();
  #failing = false;
  #running = false;
  #wait = noWait;
  /** Until then the task would wait even if it were alone: the cost of other tasks on the node is not its own. */
  #earliestRun = 0;
  #expected: number;
  /** The first run has ended, successful or not. */
  hasRun = false;
  /** Resolves when the loop has ended after {@link PollLoop.stop}. */
  readonly ended: Promise<void>;

  constructor(task: PollTask, options: PollLoopOptions) {
    this.task = task;
    this.#options = options;
    const { mono } = options.clock.now();
    const phase = options.random.next();
    this.#intervals = new IntervalGrid(mono + phase * task.interval, task.interval);
    this.#expected = mono + phase * Math.min(task.interval, initialSpread);
    this.ended = this.#loop();
  }

  /** Retries at once if the last run failed: another task on the node has recovered. */
  retryNow(): void {
    if (!this.#failing || this.#wait.minimum > 0) return;
    this.#backOff.reset();
    this.#isWoken = true;
    this.#sleepAbort.abort();
  }

  /**
   * Runs at once, or joins the current run, and continues the intervals from there; resolves when the result is
   * published. Returns false without a run before the first interval, and while the task must wait, unless it is
   * urgent.
   */
  async runNow(isUrgent: boolean): Promise<boolean> {
    const isWaiting = !this.hasRun || this.#options.clock.now().mono < this.#earliestRun;
    if (this.#stopped || (isWaiting && !isUrgent && !this.#running)) return false;
    this.#runRequested = !this.#running;
    if (this.#runRequested) this.#sleepAbort.abort();
    return this.#currentRun.promise;
  }

  /** Ends the loop before its next run. */
  stop(): void {
    this.#stopped = true;
    this.#sleepAbort.abort();
  }

  /** Returns whether the task is long overdue. */
  isStuck(mono: number, tolerance: Millis): boolean {
    return mono > this.#expected + tolerance;
  }

  async #loop(): Promise<void> {
    await this.#sleepUntil(this.#expected);
    while (!this.#stopped) {
      if (this.#runRequested) this.#restartIntervals();
      this.#countSkipped(this.#wait.reason);
      const wait = await this.#runOnce();
      const { mono } = this.#options.clock.now();
      this.#wait = wait;
      await this.#sleepUntil(this.#intervals.next(mono, wait));
    }
    this.#currentRun.resolve(false);
  }

  #restartIntervals(): void {
    this.#runRequested = false;
    this.#intervals = new IntervalGrid(this.#options.clock.now().mono, this.task.interval);
  }

  async #runTask(): Promise<PollTaskResult | undefined> {
    this.#running = true;
    const done = await this.task.run();
    this.#running = false;
    return done;
  }

  async #runOnce(): Promise<PollWait> {
    const { clock } = this.#options;
    this.#expected = clock.now().mono + this.task.stuckAfter;
    this.#isWoken = false;
    const done = await this.#runTask();
    // A request from here on is for the next run: this one's poll result is complete.
    const { resolve } = this.#currentRun;
    this.#currentRun = Promise.withResolvers();
    const wait = await this.#finishRun(done);
    resolve(true);
    return wait;
  }

  async #finishRun(done: PollTaskResult | undefined): Promise<PollWait> {
    const { onRecovered } = this.#options;
    if (this.#stopped) return noWait;
    if (done === undefined) return this.#onBusy();
    const wait = this.#nextWait(done);
    const hadFailed = this.#failing;
    this.#failing = !done.isSuccess;
    if (done.isSuccess) this.#isWoken = false;
    await done.publish(effectiveInterval(wait, this.task.interval));
    this.#countOverlapped();
    this.hasRun = true;
    if (hadFailed && done.isSuccess) onRecovered(this.task);
    return wait;
  }

  #onBusy(): PollWait {
    this.task.onSkipped('busy', 1);
    this.#failing = true;
    this.hasRun = true;
    this.#earliestRun = 0;
    return noWait;
  }

  #nextWait(done: PollTaskResult): PollWait {
    const { key, interval, isExpensive, neverBacksOff } = this.task;
    const { clock, budget } = this.#options;
    const { mono } = clock.now();
    const backOff = this.#backOff.intervalsAfter(done.isSuccess || neverBacksOff, interval, mono);
    const together = isExpensive ? budget.charge(key, done, interval) : 1;
    const own = longerWait(done, backOff, isExpensive ? budget.intervalsAlone(key, interval) : 1);
    this.#earliestRun = own.intervals > 1 || own.minimum > 0 ? this.#intervals.next(mono, own) : 0;
    return longerWait(done, backOff, together);
  }

  #countOverlapped(): void {
    const cycles = this.#intervals.skipTo(this.#options.clock.now().mono);
    if (cycles > 0 && this.hasRun) this.task.onSkipped('overlap', cycles);
  }

  #countSkipped(reason: PollSkipReason): void {
    const cycles = this.#intervals.skipTo(this.#options.clock.now().mono);
    if (cycles > 1) this.task.onSkipped(reason, cycles - 1);
  }

  async #sleepUntil(due: number): Promise<void> {
    const { clock } = this.#options;
    this.#expected = due;
    while (!this.#stopped && !this.#isWoken && !this.#runRequested && clock.now().mono < due) {
      this.#sleepAbort = new AbortController();
      await clock.sleep(due - clock.now().mono, this.#sleepAbort.signal);
    }
  }
}

/** Returns the time until the next run for `wait`. */
function effectiveInterval({ intervals, minimum }: PollWait, every: Millis): Millis {
  return Math.max(intervals, Math.ceil(minimum / every)) * every;
}
