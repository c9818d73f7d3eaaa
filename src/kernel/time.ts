/** Duration in milliseconds. */
export type Millis = number;

/**
 * One instant on both clocks. `wall` is for people and timestamps (ms since the epoch, may step); `mono` only grows and
 * is for durations and deadlines (ms, arbitrary origin).
 */
export interface Instant {
  readonly wall: number;
  readonly mono: number;
}

/** Port to time. No other code reads a clock or sets a timer. */
export interface Clock {
  now(): Instant;
  /** Resolves after `length`, or as soon as `signal` aborts; never rejects. */
  sleep(length: Millis, signal?: AbortSignal): Promise<void>;
  /** Runs pending I/O and timers; called between slices of long synchronous work. */
  yieldToEventLoop(): Promise<void>;
}

/** Converts milliseconds to seconds, the unit of metrics. */
export function toSeconds(length: Millis): number {
  return length / 1000;
}
