import { getOrCreate } from '../../collect/keyed-rows.ts';
import { exponentialBackoff } from '../../kernel/backoff.ts';
import type { Millis } from '../../kernel/time.ts';
import { chargeListTime, fullListTime, nextListAt } from '../../model/list-time-share.ts';

/** Reasons for a skipped poll. Closed, because it is a label value. */
export const pollSkipReasons = ['overlap', 'busy', 'backoff', 'retry_after', 'slow_down', 'late'] as const;

/**
 * One of {@link pollSkipReasons}: the last poll was still running; a poll that ignores its abort holds the permit;
 * backoff after failures; the server sent `Retry-After`; lists have used up their server time; the process was blocked.
 */
export type PollSkipReason = (typeof pollSkipReasons)[number];

/** Outcome of a poll, as far as the time of the next one depends on it. */
export interface FinishedPoll {
  readonly isSuccess: boolean;
  /** Set if the poll failed and returned a part of its facts: it does not back off, because they would become stale. */
  readonly isPartial?: true;
  /** Server time that the poll took. */
  readonly cost: Millis;
  /** Time to wait that the server requested. */
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
const maxWait: Millis = 300_000;
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
    return Math.max(1, Math.min(exponentialBackoff(backoffIntervals, this.#doublings), Math.floor(maxWait / every)));
  }

  /** Resets the backoff, because another task on the same node has recovered. */
  reset(): void {
    this.#failingSince = undefined;
    this.#doublings = 0;
  }
}

/** The first polls of a node happen within this time, so that a start completes soon. */
export const initialSpread: Millis = 2000;

/** Number of nodes that begin together: their first polls keep a processor busy for about two seconds. */
const nodesAtOnce = 50;

/** Number of nodes that begin per second if there are more. */
const nodesPerSecond = 25;

/** Spreads the first polls of many nodes over a longer time, because at once they would delay each other until they time out. */
export class StartPacing {
  #waiting = 0;
  #at: Millis = 0;

  /** Returns the time after `now` at which the first polls of one more node may begin. */
  add(now: Millis): Millis {
    this.#waiting = Math.max(0, this.#waiting - ((now - this.#at) * nodesPerSecond) / 1000) + 1;
    this.#at = now;
    return Math.max(0, ((this.#waiting - nodesAtOnce) * 1000) / nodesPerSecond);
  }
}

/**
 * Limits the server time that the process lists of one node take, for all tasks together. Requests of the guard only
 * wait for the limit of their own task.
 */
export class ListBudget {
  readonly #node = new ListCharges();
  readonly #tasks = new Map<string, ListCharges>();

  /** Records a poll of `task` that ended at `now`. */
  charge(task: string, timing: FinishedPoll, now: Millis): void {
    this.#node.charge(timing, now);
    this.#ofTask(task).charge(timing, now);
  }

  /** Returns the earliest start of a list of any task, after one that started at `started`. */
  nextAt(started: Millis): Millis {
    return nextListAt(this.#node.time, started);
  }

  /** Returns the earliest start of a list of `task` if there were no other tasks. */
  nextAloneAt(task: string, started: Millis): Millis {
    return nextListAt(this.#ofTask(task).time, started);
  }

  /** Forgets the time of failed polls: a node that recovers from a hang is not slow. */
  forgetFailures(): void {
    for (const charges of [this.#node, ...this.#tasks.values()]) charges.forgetFailures();
  }

  /** Removes a task; the time of its lists still counts for the node. */
  remove(task: string): void {
    this.#tasks.delete(task);
  }

  #ofTask(task: string): ListCharges {
    return getOrCreate(this.#tasks, task, () => new ListCharges());
  }
}

/** Server time with and without failed polls. */
class ListCharges {
  time = fullListTime;
  #withoutFailures = fullListTime;

  charge({ isSuccess, cost }: FinishedPoll, now: Millis): void {
    this.time = chargeListTime(this.time, cost, now);
    if (isSuccess) this.#withoutFailures = chargeListTime(this.#withoutFailures, cost, now);
  }

  forgetFailures(): void {
    this.time = this.#withoutFailures;
  }
}

/**
 * Returns the wait after a poll, with its reason: the backoff, and at least what the server requested. Server time is
 * not included.
 */
export function longerWait(timing: FinishedPoll, backOff: number): PollWait {
  const minimum = timing.isSuccess ? 0 : Math.min(timing.retryAfter ?? 0, maxWait);
  if (minimum > 0) return { intervals: backOff, minimum, reason: 'retry_after' };
  return { intervals: backOff, minimum, reason: backOff > 1 ? 'backoff' : 'late' };
}

/** Grid of intervals of one task: every `every` from `phase` on. */
export class IntervalGrid {
  readonly #phase: number;
  readonly #every: Millis;
  /** Number of the last interval that was used or skipped; −1 before the first. */
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

  /** Returns the first time of the grid that is not before `time`. */
  ceil(time: number): number {
    return this.#phase + Math.ceil((time - this.#phase) / this.#every) * this.#every;
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
