import type { Clock } from './time.ts';

/** Slices of long synchronous work: ask {@link Slices.due} often, and {@link Slices.rest} when it says so. */
export interface Slices {
  /** The present slice has lasted long enough. */
  due(): boolean;
  /** Lets pending I/O and timers run, and begins the next slice. */
  rest(): Promise<void>;
}

/** A slice may last 10 ms; a check comes between two portions of work, so it must leave room for one more. */
const sliceMillis = 6;

/** Begins the first slice now. */
export function startSlices(clock: Clock): Slices {
  let began = clock.now().mono;
  return {
    due: () => clock.now().mono - began >= sliceMillis,
    rest: async () => {
      await clock.breathe();
      began = clock.now().mono;
    },
  };
}
