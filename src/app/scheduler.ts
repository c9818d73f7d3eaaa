import type { Cron, Random } from '../kernel/system.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import { BeatLoop } from './beat-loop.ts';
import { Calendar } from './calendar.ts';
import { Budget } from './pace.ts';
import type { Task } from './task.ts';

/** How late a task may be before the process counts as stuck. */
const tolerance: Millis = 30_000;

/** Keeps the beats of all tasks, each in a loop of its own, so that a slow one delays nobody. */
export class Scheduler {
  readonly #ports: { readonly clock: Clock; readonly random: Random };
  readonly #calendar: Calendar;
  readonly #loops = new Map<string, BeatLoop>();
  readonly #byCalendar = new Map<string, Task>();
  readonly #budgets = new Map<string, Budget>();
  readonly #ending = new Set<Promise<void>>();

  constructor(ports: { readonly clock: Clock; readonly random: Random; readonly cron: Cron }) {
    this.#ports = ports;
    this.#calendar = new Calendar(ports.cron, ports.clock);
  }

  /** Makes `tasks` the tasks of `cluster`: what kept its key and its timing goes on without missing a beat. */
  sync(cluster: string, tasks: readonly Task[]): void {
    const wanted = new Map(tasks.map((task) => [task.key, task]));
    for (const task of this.#tasksOf(cluster)) {
      const next = wanted.get(task.key);
      if (next !== undefined && sameTiming(task, next)) wanted.delete(task.key);
      else this.#drop(task);
    }
    for (const task of wanted.values()) this.#add(task);
  }

  /** Does a task at once or joins its run, and resolves when that is over; false where nothing was done. */
  async nudge(key: string, isUrgent: boolean): Promise<boolean> {
    return (await this.#loops.get(key)?.nudge(isUrgent)) ?? false;
  }

  /** Whether everything that goes by interval has run once, well or badly. */
  firstRoundIsOver(): boolean {
    return [...this.#loops.values()].every((loop) => loop.hasRun);
  }

  /** Whether some beat is long overdue although permits expire: the process needs a restart. */
  isStuck(): boolean {
    const { mono } = this.#ports.clock.now();
    const loops = [...this.#loops.values()];
    return loops.some((loop) => loop.isStuck(mono, tolerance)) || this.#calendar.isStuck(mono, tolerance);
  }

  /** Resolves when all tasks that were dropped have ended. */
  async idle(): Promise<void> {
    await Promise.all([...this.#ending, this.#calendar.idle()]);
  }

  #tasksOf(cluster: string): readonly Task[] {
    const all = [...[...this.#loops.values()].map((loop) => loop.task), ...this.#byCalendar.values()];
    return all.filter((task) => task.cluster === cluster);
  }

  #add(task: Task): void {
    if (task.cron !== undefined) {
      this.#byCalendar.set(task.key, task);
      this.#calendar.add(task, task.cron);
      return;
    }
    const budget = this.#budget(task);
    const loop = new BeatLoop(task, { ...this.#ports, budget, recovered: (from) => this.#wakeBeside(from) });
    this.#loops.set(task.key, loop);
  }

  #drop(task: Task): void {
    this.#calendar.remove(task.key);
    this.#byCalendar.delete(task.key);
    this.#leaveBudget(task);
    const loop = this.#loops.get(task.key);
    if (loop === undefined) return;
    this.#loops.delete(task.key);
    loop.stop();
    this.#ending.add(loop.ended);
    void loop.ended.then(() => this.#ending.delete(loop.ended));
  }

  #wakeBeside({ cluster, node }: Task): void {
    for (const loop of this.#loops.values()) {
      const other = loop.task;
      const beside = other.cluster === cluster && (other.node === node || other.node === '' || node === '');
      if (!beside) continue;
      this.#budget(other).forgive();
      loop.wake();
    }
  }

  #leaveBudget(task: Task): void {
    const budget = this.#budget(task);
    budget.drop(task.key);
    const isLast = this.#tasksOf(task.cluster).every((other) => other.node !== task.node || other.key === task.key);
    if (isLast) this.#budgets.delete(budgetKey(task));
  }

  #budget(task: Task): Budget {
    const key = budgetKey(task);
    const budget = this.#budgets.get(key) ?? new Budget();
    this.#budgets.set(key, budget);
    return budget;
  }
}

function budgetKey({ cluster, node }: Task): string {
  return JSON.stringify([cluster, node]);
}

function sameTiming(one: Task, other: Task): boolean {
  return one.every === other.every && one.cron === other.cron && one.dear === other.dear;
}
