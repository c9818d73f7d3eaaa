import type { FlappingSettings } from './settings.ts';

const oldestWeight = 0.8;
const newestWeight = 1.2;

/** The last observations of a replica, oldest first: `1` where the status was another than before, else `0`. */
export type Changes = string;

/** Adds an observation, and lets go of the one that leaves the window. */
export function noted(changes: Changes, changed: boolean, { window }: FlappingSettings): Changes {
  // Of n observations, n - 1 can differ from the one before.
  return `${changes}${changed ? 1 : 0}`.slice(1 - window);
}

/** Whether changes are too many, given whether they were until now. */
export function isFlapping(changes: Changes, flapping: boolean, settings: FlappingSettings): boolean {
  const share = shareOf(changes, settings.window - 1);
  return flapping ? share >= settings.off : share >= settings.on;
}

/** The share of changes among `most` observations. The newest weighs half as much again as the oldest; what is not there yet was none. */
function shareOf(changes: Changes, most: number): number {
  const step = (newestWeight - oldestWeight) / Math.max(1, most - 1);
  const missing = most - changes.length;
  let sum = 0;
  for (let at = 0; at < changes.length; at += 1) {
    if (changes[at] === '1') sum += oldestWeight + step * (missing + at);
  }
  return sum / most;
}
