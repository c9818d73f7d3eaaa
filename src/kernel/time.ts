/** A length of time in milliseconds. */
export type Millis = number;

/**
 * One moment on both clocks. `wall` is what people and timestamps mean (ms since the epoch, may step);
 * `mono` only grows and is what durations and deadlines are measured with (ms, arbitrary origin).
 */
export interface Instant {
  readonly wall: number;
  readonly mono: number;
}

/** The port to time. Nothing else in the program reads a clock or sets a timer. */
export interface Clock {
  now(): Instant;
  /** Resolves after `length`, or as soon as `signal` aborts; never rejects. */
  sleep(length: Millis, signal?: AbortSignal): Promise<void>;
  /** Lets pending I/O and timers run: called between slices of long synchronous work. */
  breathe(): Promise<void>;
}

/** Milliseconds as the seconds that metrics carry. */
export function inSeconds(length: Millis): number {
  return length / 1000;
}
