import type { Clock } from './time.ts';

/**
 * Time slices of long synchronous work: check {@link TimeSlices.shouldYield} often, and then await {@link
 * TimeSlices.nextSlice}.
 */
export interface TimeSlices {
  /** Returns whether the current slice has lasted long enough. */
  shouldYield(): boolean;
  /** Runs pending I/O and timers, and starts the next slice. */
  nextSlice(): Promise<void>;
}

/** A slice may last 10 ms; a check happens between two portions of work, so it leaves room for one more. */
const sliceMillis = 6;

/** Starts the first slice now. */
export function startTimeSlices(clock: Clock): TimeSlices {
  let began = clock.now().mono;
  return {
    shouldYield: () => clock.now().mono - began >= sliceMillis,
    nextSlice: async () => {
      await clock.yieldToEventLoop();
      began = clock.now().mono;
    },
  };
}
