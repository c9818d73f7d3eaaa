import type { HrTime } from '@opentelemetry/api';

/** Converts ms since the epoch to seconds and nanoseconds, because the library guesses the clock of a plain number. */
export function hrTime(millis: number): HrTime {
  const seconds = Math.floor(millis / 1000);
  return [seconds, Math.floor((millis - seconds * 1000) * 1e6)];
}
