import type { Millis } from '../kernel/time.ts';

/** Part of the time that the process lists of one node may take: 5 %. */
const maxListTimeShare = 0.05;
const intervalPerDuration = 1 / maxListTimeShare;

/** Longest interval that slow lists cause: a node is never without a list for longer. */
export const maxListInterval: Millis = 30_000;

/**
 * Returns the shortest interval at which lists that take `duration` stay within 5 % of the time, at most 30 s. The
 * regular polls and the list requests of the guard both keep this bound, so that listing queries never becomes the load.
 */
export function minListInterval(duration: Millis): Millis {
  return Math.min(maxListInterval, duration * intervalPerDuration);
}
