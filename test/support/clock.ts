import type { Clock, Instant, Millis } from '../../src/kernel/time.ts';

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

/** Clock that stands still until a test advances it. */
export class FakeClock implements Clock {
  #wall: number;
  #mono = 0;
  #sleepers: Sleeper[] = [];

  constructor(wall = Date.UTC(2026, 8, 22, 4, 53, 20)) {
    this.#wall = wall;
  }

  now(): Instant {
    return { wall: this.#wall, mono: this.#mono };
  }

  sleep(length: Millis, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      // Each sleep advances the time, as on a real clock, even if rounding would drop its length.
      const later = length > 0 ? this.#mono * (1 + Number.EPSILON) : this.#mono;
      const sleeper: Sleeper = { due: Math.max(this.#mono + Math.max(0, length), later), wake };
      const sleepers = (): Sleeper[] => this.#sleepers;
      const forget = (): void => {
        this.#sleepers = sleepers().filter((other) => other !== sleeper);
      };
      signal?.addEventListener('abort', wake, { once: true });
      this.#sleepers.push(sleeper);
      function wake(): void {
        signal?.removeEventListener('abort', wake);
        forget();
        resolve();
      }
    });
  }

  yieldToEventLoop(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  /** Number of pending sleeps. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  /** Advances both clocks, wakes sleepers in order and lets their continuations run. */
  async advance(length: Millis): Promise<void> {
    const end = this.#mono + length;
    await this.settle();
    for (;;) {
      const next = this.#earliest();
      if (next === undefined || next.due > end) break;
      this.#move(Math.max(next.due, this.#mono));
      next.wake();
      await this.settle();
    }
    this.#move(end);
    await this.settle();
  }

  /** Steps only the wall clock, as NTP or a person does. */
  step(length: Millis): void {
    this.#wall += length;
  }

  /** Lets all continuations run that need no time. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 5; turn += 1) await this.yieldToEventLoop();
  }

  /** Returns the sleeper that is due first; of several at one instant, the one that began to sleep first. */
  #earliest(): Sleeper | undefined {
    let first: Sleeper | undefined;
    for (const sleeper of this.#sleepers) if (first === undefined || sleeper.due < first.due) first = sleeper;
    return first;
  }

  #move(mono: number): void {
    this.#wall += mono - this.#mono;
    this.#mono = mono;
  }
}

/** Clock that advances by a millisecond with each call of `now`, so that sliced work has to pause. Counts the pauses. */
export class CostlyClock extends FakeClock {
  pauses = 0;
  readonly #paused: () => void;
  #looks = 0;

  constructor(paused: () => void = () => undefined) {
    super();
    this.#paused = paused;
  }

  override now(): Instant {
    this.#looks += 1;
    const { wall, mono } = super.now();
    return { wall, mono: mono + this.#looks };
  }

  override async yieldToEventLoop(): Promise<void> {
    this.pauses += 1;
    this.#paused();
  }
}
