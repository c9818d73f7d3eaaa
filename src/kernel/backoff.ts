import type { Millis } from './time.ts';

/** Limits of a wait that doubles with every failure. */
export interface BackoffLimits {
  readonly min: Millis;
  readonly max: Millis;
}

/** Returns `min` doubled `doublings` times, at most `max`. */
export function exponentialBackoff({ min, max }: BackoffLimits, doublings: number): Millis {
  return Math.min(max, min * 2 ** Math.min(Math.max(0, doublings), 20));
}

/** Returns a wait with full jitter: the share `chance`, from 0 to 1, of the exponential backoff. */
export function jitteredBackoff(limits: BackoffLimits, doublings: number, chance: number): Millis {
  return chance * exponentialBackoff(limits, doublings);
}
