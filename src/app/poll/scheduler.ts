import { SerialQueue } from '../../kernel/serial-queue.ts';
import type { Cron, CronTimes, Random } from '../../kernel/system.ts';
import type { Clock, Millis } from '../../kernel/time.ts';
import { PollLoop } from './poll-loop.ts';
import { ListBudget, StartPacing } from './poll-pacing.ts';
import type { PollTask } from './poll-task.ts';

/** Lateness of a task at which the process counts as stuck. */
const stuckTolerance: Millis = 30_000;

/**
 * Result of a request to run the tasks with a schedule: there are none, they already run or wait, or they are started.
 */
export type ScheduledRun = 'none' | 'running' | 'started';

/** Runs all tasks, each in its own loop, so that a slow task delays no other. */
export class Scheduler {
  readonly #ports: { readonly clock: Clock; readonly random: Random };
  readonly #cron: CronRunner;
  readonly #loops = new Map<string, PollLoop>();
  readonly #cronTasks = new Map<string, PollTask>();
  readonly #budgets = new Map<string, ListBudget>();
  readonly #stopping = new Set<Promise<void>>();
  readonly #pacing = new StartPacing();

  constructor(ports: { readonly clock: Clock; readonly random: Random; readonly cron: Cron }) {
    this.#ports = ports;
    this.#cron = new CronRunner(ports.cron, ports.clock);
  }

  /** Sets the tasks of `cluster`: tasks with the same key and timing continue without a missed interval. */
  sync(cluster: string, tasks: readonly PollTask[]): void {
    const wanted = new Map(tasks.map((task) => [task.key, task]));
    const before = this.#tasksOf(cluster);
    for (const task of before) {
      const next = wanted.get(task.key);
      if (next !== undefined && sameTiming(task, next)) wanted.delete(task.key);
      else this.#drop(task);
    }
    const delays = this.#startDelays(before, [...wanted.values()]);
    for (const task of wanted.values()) this.#add(task, delays.get(task.node) ?? 0);
  }

  /** Runs a task at once or joins its run, and resolves when it has ended; false if nothing was run. */
  async runNow(key: string, isUrgent: boolean): Promise<boolean> {
    return (await this.#loops.get(key)?.runNow(isUrgent)) ?? false;
  }

  /** Runs the checks of a cluster that have a schedule now, one after the other, without waiting for their end. */
  runScheduled(cluster: string): ScheduledRun {
    return this.#cron.runAll(cluster);
  }

  /** Returns when a task runs next, in ms since the epoch; undefined while it runs and if it is not known. */
  nextRun(key: string): number | undefined {
    const loop = this.#loops.get(key);
    if (loop === undefined) return this.#cron.nextRun(key);
    const { wall, mono } = this.#ports.clock.now();
    return loop.due === undefined ? undefined : wall + Math.max(0, loop.due - mono);
  }

  /** Returns whether every task with an interval has run once, successful or not. */
  isFirstRoundOver(): boolean {
    return [...this.#loops.values()].every((loop) => loop.hasRun);
  }

  /** Returns whether a task is long overdue although permits expire: the process needs a restart. */
  isStuck(): boolean {
    const { mono } = this.#ports.clock.now();
    const loops = [...this.#loops.values()];
    return loops.some((loop) => loop.isStuck(mono, stuckTolerance)) || this.#cron.isStuck(mono, stuckTolerance);
  }

  /** Resolves when all removed tasks have ended. */
  async idle(): Promise<void> {
    await Promise.all([...this.#stopping, this.#cron.idle()]);
  }

  #tasksOf(cluster: string): readonly PollTask[] {
    const all = [...[...this.#loops.values()].map((loop) => loop.task), ...this.#cronTasks.values()];
    return all.filter((task) => task.cluster === cluster);
  }

  /**
   * Returns how long the first polls of new nodes wait; tasks of the whole cluster (`''`) wait as long as its first
   * node.
   */
  #startDelays(before: readonly PollTask[], added: readonly PollTask[]): ReadonlyMap<string, Millis> {
    const { mono } = this.#ports.clock.now();
    const known = new Set(before.map(({ node }) => node));
    const nodes = new Set(added.map(({ node }) => node).filter((node) => node !== '' && !known.has(node)));
    const delays = new Map([...nodes].map((node) => [node, this.#pacing.add(mono)]));
    const [first] = delays.values();
    return before.length > 0 || first === undefined ? delays : delays.set('', first);
  }

  #add(task: PollTask, startDelay: Millis): void {
    if (task.schedule !== undefined) {
      this.#cronTasks.set(task.key, task);
      this.#cron.add(task, task.schedule);
      return;
    }
    const budget = this.#budget(task);
    const onRecovered = (from: PollTask): void => this.#retryOthers(from);
    const loop = new PollLoop(task, { ...this.#ports, budget, startDelay, onRecovered });
    this.#loops.set(task.key, loop);
  }

  #drop(task: PollTask): void {
    this.#cron.remove(task.key);
    this.#cronTasks.delete(task.key);
    this.#removeFromBudget(task);
    const loop = this.#loops.get(task.key);
    if (loop === undefined) return;
    this.#loops.delete(task.key);
    loop.stop();
    this.#stopping.add(loop.ended);
    void loop.ended.then(() => this.#stopping.delete(loop.ended));
  }

  #retryOthers({ cluster, node }: PollTask): void {
    for (const loop of this.#loops.values()) {
      const other = loop.task;
      const isRelated = other.cluster === cluster && (other.node === node || other.node === '' || node === '');
      if (!isRelated) continue;
      this.#budget(other).forgetFailures();
      loop.retryNow();
    }
  }

  #removeFromBudget(task: PollTask): void {
    const budget = this.#budget(task);
    budget.remove(task.key);
    const isLast = this.#tasksOf(task.cluster).every((other) => other.node !== task.node || other.key === task.key);
    if (isLast) this.#budgets.delete(budgetKey(task));
  }

  #budget(task: PollTask): ListBudget {
    const key = budgetKey(task);
    const budget = this.#budgets.get(key) ?? new ListBudget();
    this.#budgets.set(key, budget);
    return budget;
  }
}

function budgetKey({ cluster, node }: PollTask): string {
  return JSON.stringify([cluster, node]);
}

function sameTiming(one: PollTask, other: PollTask): boolean {
  return one.interval === other.interval && one.schedule === other.schedule && one.isExpensive === other.isExpensive;
}

/** Runs the tasks with a schedule: they are heavy, so only one of a cluster runs at a time. */
export class CronRunner {
  readonly #cron: Cron;
  readonly #clock: Clock;
  readonly #entries = new Map<string, { readonly task: PollTask; readonly times: CronTimes }>();
  readonly #queued = new Set<string>();
  readonly #queues = new Map<string, SerialQueue>();
  /** Expected end of the running task of a cluster, on the monotonic clock. */
  readonly #expected = new Map<string, number>();

  constructor(cron: Cron, clock: Clock) {
    this.#cron = cron;
    this.#clock = clock;
  }

  /** Schedules `task` at the times of its cron expression. */
  add(task: PollTask, expression: string): void {
    const times = this.#cron(expression, () => this.#enqueue(task));
    this.#entries.set(task.key, { task, times });
  }

  /** Runs the tasks of `cluster` that do not change the server now, unless one of them runs or waits for its turn. */
  runAll(cluster: string): ScheduledRun {
    const all = [...this.#entries.values()].map(({ task }) => task);
    const tasks = all.filter((task) => task.cluster === cluster && !task.changesServer);
    if (tasks.length === 0) return 'none';
    if (tasks.some(({ key }) => this.#queued.has(key))) return 'running';
    for (const task of tasks) this.#enqueue(task);
    return 'started';
  }

  /** Returns the next time of a task, in ms since the epoch. */
  nextRun(key: string): number | undefined {
    return this.#entries.get(key)?.times.next();
  }

  /** Removes `key`; a run in progress continues to its end. */
  remove(key: string): void {
    this.#entries.get(key)?.times.stop();
    this.#entries.delete(key);
  }

  /** Resolves when nothing is queued or running. */
  async idle(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.idle()));
  }

  /** Returns whether a run takes much longer than allowed. */
  isStuck(mono: number, tolerance: Millis): boolean {
    return [...this.#expected.values()].some((expected) => mono > expected + tolerance);
  }

  #enqueue(task: PollTask): void {
    if (this.#queued.has(task.key)) {
      task.onSkipped('overlap', 1);
      return;
    }
    this.#queued.add(task.key);
    const queue = this.#queues.get(task.cluster) ?? new SerialQueue();
    this.#queues.set(task.cluster, queue);
    void queue.run(() => this.#run(task));
  }

  async #run(task: PollTask): Promise<void> {
    if (this.#entries.get(task.key)?.task === task) {
      this.#expected.set(task.cluster, this.#clock.now().mono + task.stuckAfter);
      const done = await task.run();
      if (done === undefined) task.onSkipped('busy', 1);
      if (this.#entries.get(task.key)?.task === task) await done?.publish(0);
      this.#expected.delete(task.cluster);
    }
    this.#queued.delete(task.key);
  }
}
