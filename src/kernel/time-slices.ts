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

/** Below the limit of 10 ms for a slice, because one more portion of work may run before the next check. */
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
