import type { Millis } from '../../kernel/time.ts';

const first: Millis = 1000;
const longest: Millis = 300_000;
const firstLimit: Millis = 30_000;
const longestLimit: Millis = 900_000;

/** Time until the next try after so many failures in a row: full jitter, so that many who wait do not come at once. */
export function backOff(failures: number, chance: number): Millis {
  return chance * Math.min(longest, first * 2 ** Math.min(failures, 20));
}

/** Time for which a receiver is left alone that wants less of us; it grows where the receiver does not say how long. */
export function limitedFor(wait: Millis | undefined, times: number): Millis {
  const asked = wait ?? firstLimit * 2 ** Math.min(Math.max(0, times - 1), 10);
  return Math.min(longestLimit, Math.max(0, asked));
}
