import { exponentialBackoff } from '../../kernel/backoff.ts';
import type { Millis } from '../../kernel/time.ts';
import { minListInterval } from '../../model/list-time-share.ts';

/** Reasons for a skipped poll. Closed, because it is a label value. */
export const pollSkipReasons = ['overlap', 'busy', 'backoff', 'retry_after', 'slow_down', 'late'] as const;

/**
 * One of {@link pollSkipReasons}: the last poll was still running; a poll that ignores its abort holds the permit;
 * backoff after failures; the server sent `Retry-After`; lists are expensive; the process was blocked.
 */
export type PollSkipReason = (typeof pollSkipReasons)[number];

/** Outcome of one poll, as far as timing depends on it. */
export interface PollEffort {
  readonly isSuccess: boolean;
  /** How long the server was busy. */
  readonly cost: Millis;
  /** Time to wait that the server asked for. */
  readonly retryAfter?: Millis;
}

/** Wait until the next poll: a number of configured intervals, and at least `minimum`. */
export interface PollWait {
  readonly intervals: number;
  readonly minimum: Millis;
  readonly reason: PollSkipReason;
}

/** Failures younger than this are retried at every interval, so that polling recovers quickly after a short failure. */
const backoffGrace: Millis = 60_000;
const maximumWait: Millis = 300_000;
const backoffIntervals = { min: 1, max: 8 };

/** Backoff of one task while it fails. */
export class Backoff {
  #failingSince: number | undefined;
  #doublings = 0;

  /** Returns the number of intervals to wait after a poll that ended at `mono`. */
  intervalsAfter(good: boolean, every: Millis, mono: number): number {
    if (good) {
      this.reset();
      return 1;
    }
    this.#failingSince ??= mono;
    if (mono - this.#failingSince >= backoffGrace) this.#doublings += 1;
    return Math.max(
      1,
      Math.min(exponentialBackoff(backoffIntervals, this.#doublings), Math.floor(maximumWait / every)),
    );
  }

  /** Resets the backoff, because another task on the same node has recovered. */
  reset(): void {
    this.#failingSince = undefined;
    this.#doublings = 0;
  }
}

/**
 * Limits the time that the process lists of one node take together to {@link minListInterval}. An expensive list counts
 * at once; a cheap list halves the remembered cost.
 */
export class ListBudget {
  readonly #costs = new Map<string, PollEffort>();

  /**
   * Records the cost of a poll of `task` and returns the intervals to wait, so that all tasks together stay within the
   * limit.
   */
  charge(task: string, effort: PollEffort, every: Millis): number {
    const before = this.#costs.get(task)?.cost ?? 0;
    this.#costs.set(task, { isSuccess: effort.isSuccess, cost: Math.max(effort.cost, before / 2) });
    const total = [...this.#costs.values()].reduce((sum, { cost }) => sum + cost, 0);
    return intervalsFor(total, every);
  }

  /** Returns the intervals that `task` alone would have to wait, without the cost of other tasks. */
  intervalsAlone(task: string, every: Millis): number {
    return intervalsFor(this.#costs.get(task)?.cost ?? 0, every);
  }

  /** Forgets the cost of failed polls: a node that recovers from a hang is not slow. */
  forgetFailures(): void {
    for (const [task, { isSuccess }] of this.#costs) if (!isSuccess) this.#costs.delete(task);
  }

  /** Removes a task. */
  remove(task: string): void {
    this.#costs.delete(task);
  }
}

function intervalsFor(cost: Millis, every: Millis): number {
  return Math.max(1, Math.ceil(minListInterval(cost) / every));
}

/** Returns the longest of all waits, with its reason. */
export function longerWait(effort: PollEffort, backOff: number, budget: number): PollWait {
  const minimum = effort.isSuccess ? 0 : Math.min(effort.retryAfter ?? 0, maximumWait);
  if (minimum > 0) return { intervals: Math.max(backOff, budget), minimum, reason: 'retry_after' };
  if (budget > backOff) return { intervals: budget, minimum, reason: 'slow_down' };
  return { intervals: backOff, minimum, reason: backOff > 1 ? 'backoff' : 'late' };
}

/** Grid of intervals of one task: every `every` from `phase` on. */
export class IntervalGrid {
  readonly #phase: number;
  readonly #every: Millis;
  /** The last interval that was used or skipped; −1 before the first. */
  #passed = -1;

  constructor(phase: number, every: Millis) {
    this.#phase = phase;
    this.#every = every;
  }

  /** Returns the time of the next poll after `now` that `wait` allows. */
  next(now: number, wait: PollWait): number {
    const soonest = Math.ceil((now + wait.minimum - this.#phase) / this.#every);
    const cycle = Math.max(this.#passed + wait.intervals, this.#intervalAt(now) + 1, soonest, 0);
    return this.#phase + cycle * this.#every;
  }

  /** Skips all intervals up to `now` and returns how many there were since the last call. */
  skipTo(now: number): number {
    const at = Math.max(this.#passed, this.#intervalAt(now));
    const cycles = at - this.#passed;
    this.#passed = at;
    return cycles;
  }

  #intervalAt(now: number): number {
    return Math.floor((now - this.#phase) / this.#every);
  }
}
