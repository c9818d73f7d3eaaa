import type { Random } from '../../kernel/system.ts';
import type { Clock, Millis } from '../../kernel/time.ts';
import { maxListInterval } from '../../model/list-time-share.ts';
import {
  Backoff,
  IntervalGrid,
  initialSpread,
  type ListBudget,
  longerWait,
  type PollSkipReason,
  type PollWait,
} from './poll-pacing.ts';
import type { PollTask, PollTaskResult } from './poll-task.ts';

const noWait: PollWait = { intervals: 1, minimum: 0, reason: 'late' };

interface PollLoopOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly budget: ListBudget;
  /** Time until the first poll may begin, because other nodes begin first. */
  readonly startDelay?: Millis;
  /** Called when a failed task has recovered. */
  readonly onRecovered: (task: PollTask) => void;
}

/** Runs one task at its intervals: polls, then sleeps until the next. Never runs it twice at once. */
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
  /** Earliest start of a run that is not urgent, on the monotonic clock. */
  #earliestRun = 0;
  #startedAt = 0;
  #expected: number;
  /** Whether the first run has ended, successful or not. */
  hasRun = false;
  /** Resolves when the loop has ended after {@link PollLoop.stop}. */
  readonly ended: Promise<void>;

  constructor(task: PollTask, options: PollLoopOptions) {
    this.task = task;
    this.#options = options;
    const { mono } = options.clock.now();
    const phase = options.random.next();
    this.#intervals = new IntervalGrid(mono + phase * task.interval, task.interval);
    const spread = Math.min(task.interval, initialSpread);
    const delay = Math.min(options.startDelay ?? 0, task.interval - spread);
    this.#expected = mono + delay + phase * spread;
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
    if (this.#stopped || (this.#mustWait() && !isUrgent && !this.#running)) return false;
    this.#runRequested = !this.#running;
    if (this.#runRequested) this.#sleepAbort.abort('requested');
    return this.#currentRun.promise;
  }

  /** Time at which the next run is due, on the monotonic clock; undefined during a run and after the stop. */
  get due(): number | undefined {
    return this.#running || this.#stopped ? undefined : this.#expected;
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
      await this.#sleepWhileListsAreLimited();
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
    this.#startedAt = clock.now().mono;
    this.#expected = this.#startedAt + this.task.stuckAfter;
    this.#isWoken = false;
    const done = await this.#runTask();
    // A request from here on is for the next run: the poll result of this run is complete.
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
    await done.publish(this.#effectiveInterval(wait));
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
    const isAnswered = done.isSuccess || done.isPartial === true;
    const backOff = this.#backOff.intervalsAfter(isAnswered || neverBacksOff, interval, mono);
    const wait = longerWait(done, backOff);
    this.#earliestRun = wait.intervals > 1 || wait.minimum > 0 ? this.#intervals.next(mono, wait) : 0;
    if (isExpensive) budget.charge(key, done, mono);
    if (isExpensive && done.isSuccess && this.#failing) budget.forgetFailures();
    return wait;
  }

  /** Lists of other tasks on the node do not count: they do not delay requests of the guard. */
  #mustWait(): boolean {
    const { key, isExpensive } = this.task;
    const { clock, budget } = this.#options;
    const listAt = isExpensive ? budget.nextAloneAt(key, this.#startedAt) : 0;
    return !this.hasRun || clock.now().mono < Math.max(this.#earliestRun, listAt);
  }

  /** Returns the time until the next run for `wait`, as far as it is known after a run. */
  #effectiveInterval({ intervals, minimum }: PollWait): Millis {
    const { interval, isExpensive } = this.task;
    const regular = Math.max(intervals, Math.ceil(minimum / interval)) * interval;
    return isExpensive ? Math.max(regular, this.#nextListAt() - this.#startedAt) : regular;
  }

  /**
   * Returns when lists of the node have server time left, rounded up to an interval, but not later than the longest
   * list interval.
   */
  #nextListAt(): number {
    const next = this.#options.budget.nextAt(this.#startedAt);
    return Math.min(this.#intervals.ceil(next), this.#startedAt + maxListInterval);
  }

  /** Waits until lists have server time left. Other tasks may use it up meanwhile, so each time is checked again. */
  async #sleepWhileListsAreLimited(): Promise<void> {
    const { clock, budget } = this.#options;
    while (this.task.isExpensive && this.#isAsleep()) {
      const { mono } = clock.now();
      const due = this.#nextListAt();
      // Rounding may place an interval just before the time at which lists have server time left.
      if (budget.nextAt(this.#startedAt) <= mono || due <= mono) return;
      this.#wait = { ...this.#wait, reason: 'slow_down' };
      this.task.onDelayed(due - this.#startedAt);
      await this.#sleepUntil(due);
    }
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
    while (this.#isAsleep() && clock.now().mono < due) {
      this.#sleepAbort = new AbortController();
      await clock.sleep(due - clock.now().mono, this.#sleepAbort.signal);
    }
  }

  #isAsleep(): boolean {
    return !this.#stopped && !this.#isWoken && !this.#runRequested;
  }
}
