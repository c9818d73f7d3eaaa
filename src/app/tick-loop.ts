import type { LatestResults } from '../collect/latest-results.ts';
import type { Clock, Instant, Millis } from '../kernel/time.ts';
import type { Pipeline } from './poll/pipeline.ts';

/** Interval at which overdue poll results expire. */
const tickInterval: Millis = 1000;

/** Interval at which everything else is updated while there are no poll results, alerts, policies or storage problems. */
const idleTickInterval: Millis = 5000;

/** Dependencies of a {@link TickLoop}. */
export interface TickLoopContext {
  readonly clock: Clock;
  readonly pipeline: Pick<Pipeline, 'expire' | 'subscribe'>;
  readonly board: Pick<LatestResults, 'nextOverdue'>;
}

/** Work of a tick. */
export interface TickActions {
  /** Applies timeouts and updates the page. */
  tick(now: Instant): Promise<void>;
  /** Returns whether nothing depends on time until the next poll result. */
  isIdle(): boolean;
}

/** Updates alerts, guard and page each second, and less often while nothing happens. */
export class TickLoop {
  readonly #context: TickLoopContext;
  readonly #actions: TickActions;
  /** Number of poll results so far. */
  #resultCount = 0;
  /** Ends the wait for the next tick while nothing happens. */
  #wake = new AbortController();

  constructor(context: TickLoopContext, actions: TickActions) {
    this.#context = context;
    this.#actions = actions;
    context.pipeline.subscribe({
      onPollResult: () => {
        this.#resultCount += 1;
        this.#wake.abort('poll result');
      },
    });
  }

  /** Ends the wait for the next tick, because the configuration or the owned clusters changed. */
  wake(): void {
    this.#wake.abort('configuration');
  }

  /** Runs until the signal aborts. */
  async run(stopped: AbortSignal): Promise<void> {
    const { clock, pipeline } = this.#context;
    // An absolute time, because the difference of two times may be rounded below the interval.
    let nextTick = Number.NEGATIVE_INFINITY;
    let lastCount = 0;
    while (!stopped.aborted) {
      const hasExpired = await pipeline.expire(clock.now());
      const resultCount = this.#resultCount;
      const { mono } = clock.now();
      const isIdle = !hasExpired && resultCount === lastCount && this.#actions.isIdle();
      if (!isIdle || mono >= nextTick) {
        nextTick = mono + idleTickInterval;
        lastCount = resultCount;
        await this.#actions.tick(clock.now());
      }
      if (isIdle && this.#resultCount === lastCount) await this.#sleepUntilDue(nextTick, stopped);
      else await clock.sleep(tickInterval, stopped);
    }
  }

  /** Waits until `time`, until a poll result arrives or becomes overdue, or until it is woken. */
  async #sleepUntilDue(time: number, stopped: AbortSignal): Promise<void> {
    const { clock, board } = this.#context;
    this.#wake = new AbortController();
    const due = Math.min(time, board.nextOverdue());
    await clock.sleep(due - clock.now().mono, AbortSignal.any([this.#wake.signal, stopped]));
  }
}
