import type { Millis } from '../kernel/time.ts';

/** Why a beat did not happen. Closed, because it is a label value. */
export const skipReasons = ['overlap', 'busy', 'backoff', 'retry_after', 'slow_down', 'late'] as const;

/**
 * One of {@link skipReasons}: the last read was still running; a read that ignores its abort holds the
 * permit; failures back off; the server asked us to stay away; listing is dear; the process was held up.
 */
export type SkipReason = (typeof skipReasons)[number];

/** How one read went, as far as timing is concerned. */
export interface Effort {
  readonly good: boolean;
  /** How long the server was kept busy. */
  readonly cost: Millis;
  /** How long the server asked us to stay away. */
  readonly retryAfter?: Millis;
}

/** When to read again: after so many beats of the configured interval, and no sooner than `atLeast`. */
export interface Wait {
  readonly beats: number;
  readonly atLeast: Millis;
  readonly reason: SkipReason;
}

/** Failures younger than this are retried at every beat, so that a short trouble is over when it is over. */
const patience: Millis = 60_000;
const longestWait: Millis = 300_000;
const mostBeats = 8;
const fairShare = 0.05;

/** Grows the pause between the attempts of one task while they fail. */
export class BackOff {
  #failingSince: number | undefined;
  #factor = 1;

  /** How many beats to wait after a read that ended at `mono`. */
  after(good: boolean, every: Millis, mono: number): number {
    if (good) {
      this.forget();
      return 1;
    }
    this.#failingSince ??= mono;
    if (mono - this.#failingSince >= patience) this.#factor = Math.min(mostBeats, this.#factor * 2);
    return Math.max(1, Math.min(this.#factor, Math.floor(longestWait / every)));
  }

  /** Begins anew: something else on the same node works again. */
  forget(): void {
    this.#failingSince = undefined;
    this.#factor = 1;
  }
}

/**
 * What the process lists of one node may cost together: a twentieth of the time. A dear read counts at once,
 * a cheap one halves what is remembered.
 */
export class Budget {
  readonly #costs = new Map<string, Effort>();

  /** Counts a read of `task` and gives the beats to wait so that all tasks together stay within the share. */
  charge(task: string, effort: Effort, every: Millis): number {
    const before = this.#costs.get(task)?.cost ?? 0;
    this.#costs.set(task, { good: effort.good, cost: Math.max(effort.cost, before / 2) });
    const total = [...this.#costs.values()].reduce((sum, { cost }) => sum + cost, 0);
    return beatsFor(total, every);
  }

  /** The beats that `task` would have to wait if it were alone: what hangs beside it is not its fault. */
  alone(task: string, every: Millis): number {
    return beatsFor(this.#costs.get(task)?.cost ?? 0, every);
  }

  /** Drops the cost of reads that failed: a hung node that is back is not a slow one. */
  forgive(): void {
    for (const [task, { good }] of this.#costs) if (!good) this.#costs.delete(task);
  }

  /** The task is gone. */
  drop(task: string): void {
    this.#costs.delete(task);
  }
}

function beatsFor(cost: Millis, every: Millis): number {
  return Math.max(1, Math.ceil(cost / fairShare / every));
}

/** Of all reasons to wait, the one that waits longest. */
export function longest(effort: Effort, backOff: number, budget: number): Wait {
  const atLeast = effort.good ? 0 : Math.min(effort.retryAfter ?? 0, longestWait);
  if (atLeast > 0) return { beats: Math.max(backOff, budget), atLeast, reason: 'retry_after' };
  if (budget > backOff) return { beats: budget, atLeast, reason: 'slow_down' };
  return { beats: backOff, atLeast, reason: backOff > 1 ? 'backoff' : 'late' };
}

/** The beats of one task: every `every` from `phase` on, whatever happens in between. */
export class Grid {
  readonly #phase: number;
  readonly #every: Millis;
  /** The last beat that was made or passed over; −1 before the first. */
  #passed = -1;

  constructor(phase: number, every: Millis) {
    this.#phase = phase;
    this.#every = every;
  }

  /** The instant of the next beat after `now` that `wait` allows. */
  next(now: number, wait: Wait): number {
    const soonest = Math.ceil((now + wait.atLeast - this.#phase) / this.#every);
    const beat = Math.max(this.#passed + wait.beats, this.#at(now) + 1, soonest, 0);
    return this.#phase + beat * this.#every;
  }

  /** Passes over all beats up to `now` and gives how many there were since the last call. */
  pass(now: number): number {
    const at = Math.max(this.#passed, this.#at(now));
    const beats = at - this.#passed;
    this.#passed = at;
    return beats;
  }

  #at(now: number): number {
    return Math.floor((now - this.#phase) / this.#every);
  }
}
