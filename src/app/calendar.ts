import type { Cron } from '../kernel/system.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import type { Task } from './task.ts';

/** Runs the tasks that go by calendar: heavy ones, so never two of one cluster at a time. */
export class Calendar {
  readonly #cron: Cron;
  readonly #clock: Clock;
  readonly #entries = new Map<string, { readonly task: Task; readonly stop: () => void }>();
  readonly #queued = new Set<string>();
  readonly #lines = new Map<string, Promise<void>>();
  /** When the running task of a cluster ought to be over, on the monotonic clock. */
  readonly #expected = new Map<string, number>();

  constructor(cron: Cron, clock: Clock) {
    this.#cron = cron;
    this.#clock = clock;
  }

  /** Calls `task` at the instants of its expression. */
  add(task: Task, expression: string): void {
    const { stop } = this.#cron(expression, () => this.#queue(task));
    this.#entries.set(task.key, { task, stop });
  }

  /** Calls `key` no more; a run under way ends by itself. */
  remove(key: string): void {
    this.#entries.get(key)?.stop();
    this.#entries.delete(key);
  }

  /** Resolves when nothing is queued or running. */
  async idle(): Promise<void> {
    await Promise.all(this.#lines.values());
  }

  /** Whether a run takes much longer than it may. */
  isStuck(mono: number, tolerance: Millis): boolean {
    return [...this.#expected.values()].some((expected) => mono > expected + tolerance);
  }

  #queue(task: Task): void {
    if (this.#queued.has(task.key)) {
      task.skipped('overlap', 1);
      return;
    }
    this.#queued.add(task.key);
    const before = this.#lines.get(task.cluster) ?? Promise.resolve();
    const line = before.then(() => this.#run(task));
    this.#lines.set(task.cluster, line);
  }

  async #run(task: Task): Promise<void> {
    if (this.#entries.get(task.key)?.task === task) {
      this.#expected.set(task.cluster, this.#clock.now().mono + task.patience);
      const done = await task.run();
      if (done === undefined) task.skipped('busy', 1);
      if (this.#entries.get(task.key)?.task === task) await done?.show(0);
      this.#expected.delete(task.cluster);
    }
    this.#queued.delete(task.key);
  }
}
