import type { HrTime } from '@opentelemetry/api';

/** Seconds and nanoseconds: of a bare number the library guesses which clock is meant. */
export function hrTime(millis: number): HrTime {
  const seconds = Math.floor(millis / 1000);
  return [seconds, Math.floor((millis - seconds * 1000) * 1e6)];
}
