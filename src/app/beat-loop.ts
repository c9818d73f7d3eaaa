import type { Random } from '../kernel/system.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import { BackOff, type Budget, Grid, longest, type SkipReason, type Wait } from './pace.ts';
import type { Done, Task } from './task.ts';

/** The first read of everything comes within this time, so that a start is soon complete. */
const firstSpread: Millis = 2000;
const noWait: Wait = { beats: 1, atLeast: 0, reason: 'late' };

interface LoopOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly budget: Budget;
  /** Something that failed works again. */
  readonly recovered: (task: Task) => void;
}

/** Does one task at its beats: work, then sleep until the next. Never two runs of it at once. */
export class BeatLoop {
  readonly task: Task;
  readonly #options: LoopOptions;
  #grid: Grid;
  readonly #backOff = new BackOff();
  #nap = new AbortController();
  #stopped = false;
  #woken = false;
  #nudged = false;
  /** The end of the run that is going on, or else of the next one. */
  #turn = Promise.withResolvers<boolean>();
  #failing = false;
  #running = false;
  #wait = noWait;
  /** Until then the task would wait if it were alone: what others on the node cost is not its fault. */
  #waitsUntil = 0;
  #expected: number;
  /** The first run is over, well or badly. */
  hasRun = false;
  /** Resolves when the loop has ended after {@link BeatLoop.stop}. */
  readonly ended: Promise<void>;

  constructor(task: Task, options: LoopOptions) {
    this.task = task;
    this.#options = options;
    const { mono } = options.clock.now();
    const phase = options.random.next();
    this.#grid = new Grid(mono + phase * task.every, task.every);
    this.#expected = mono + phase * Math.min(task.every, firstSpread);
    this.ended = this.#loop();
  }

  /** Tries again at once if the last run failed: something beside it works again. */
  wake(): void {
    if (!this.#failing || this.#wait.atLeast > 0) return;
    this.#backOff.forget();
    this.#woken = true;
    this.#nap.abort();
  }

  /**
   * Makes a run at once or joins the one that goes on, from which the beats go on; resolves when it is over. Nothing is
   * done and false given before the first beat and where the task itself has a reason to wait, unless it is urgent.
   */
  async nudge(isUrgent: boolean): Promise<boolean> {
    const isWaiting = !this.hasRun || this.#options.clock.now().mono < this.#waitsUntil;
    if (this.#stopped || (isWaiting && !isUrgent && !this.#running)) return false;
    this.#nudged = !this.#running;
    if (this.#nudged) this.#nap.abort();
    return this.#turn.promise;
  }

  /** Ends the loop before its next run. */
  stop(): void {
    this.#stopped = true;
    this.#nap.abort();
  }

  /** Whether the task should have been done long ago. */
  isStuck(mono: number, tolerance: Millis): boolean {
    return mono > this.#expected + tolerance;
  }

  async #loop(): Promise<void> {
    await this.#sleepUntil(this.#expected);
    while (!this.#stopped) {
      if (this.#nudged) this.#beginGrid();
      this.#countSkipped(this.#wait.reason);
      const wait = await this.#beat();
      const { mono } = this.#options.clock.now();
      this.#wait = wait;
      await this.#sleepUntil(this.#grid.next(mono, wait));
    }
    this.#turn.resolve(false);
  }

  #beginGrid(): void {
    this.#nudged = false;
    this.#grid = new Grid(this.#options.clock.now().mono, this.task.every);
  }

  async #run(): Promise<Done | undefined> {
    this.#running = true;
    const done = await this.task.run();
    this.#running = false;
    this.#turn.resolve(true);
    this.#turn = Promise.withResolvers();
    return done;
  }

  async #beat(): Promise<Wait> {
    const { clock, recovered } = this.#options;
    this.#expected = clock.now().mono + this.task.patience;
    this.#woken = false;
    const done = await this.#run();
    if (this.#stopped) return noWait;
    if (done === undefined) return this.#busy();
    const wait = this.#pace(done);
    const hadFailed = this.#failing;
    this.#failing = !done.good;
    if (done.good) this.#woken = false;
    await done.show(stretch(wait, this.task.every));
    this.#countOverlapped();
    this.hasRun = true;
    if (hadFailed && done.good) recovered(this.task);
    return wait;
  }

  #busy(): Wait {
    this.task.skipped('busy', 1);
    this.#failing = true;
    this.hasRun = true;
    this.#waitsUntil = 0;
    return noWait;
  }

  #pace(done: Done): Wait {
    const { key, every, dear, steady } = this.task;
    const { clock, budget } = this.#options;
    const { mono } = clock.now();
    const backOff = this.#backOff.after(done.good || steady, every, mono);
    const together = dear ? budget.charge(key, done, every) : 1;
    const own = longest(done, backOff, dear ? budget.alone(key, every) : 1);
    this.#waitsUntil = own.beats > 1 || own.atLeast > 0 ? this.#grid.next(mono, own) : 0;
    return longest(done, backOff, together);
  }

  #countOverlapped(): void {
    const beats = this.#grid.pass(this.#options.clock.now().mono);
    if (beats > 0 && this.hasRun) this.task.skipped('overlap', beats);
  }

  #countSkipped(reason: SkipReason): void {
    const beats = this.#grid.pass(this.#options.clock.now().mono);
    if (beats > 1) this.task.skipped(reason, beats - 1);
  }

  async #sleepUntil(due: number): Promise<void> {
    const { clock } = this.#options;
    this.#expected = due;
    while (!this.#stopped && !this.#woken && !this.#nudged && clock.now().mono < due) {
      this.#nap = new AbortController();
      await clock.sleep(due - clock.now().mono, this.#nap.signal);
    }
  }
}

/** The time from one beat to the next that `wait` allows. */
function stretch({ beats, atLeast }: Wait, every: Millis): Millis {
  return Math.max(beats, Math.ceil(atLeast / every)) * every;
}
