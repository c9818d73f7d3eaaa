import type { Millis } from '../kernel/time.ts';

/** Part of the time that the process lists of one node may take: 5 %. */
const maxListTimeShare = 0.05;

/** Server time that lists may take in a row before they are requested less often: the share of five minutes. */
export const maxListTime: Millis = maxListTimeShare * 300_000;

/** Longest interval that slow lists cause: a node is never without a list for longer. */
export const maxListInterval: Millis = 30_000;

/**
 * Token bucket of the server time that the process lists of a node may take. The regular polls and the list requests of
 * the guard both use it, so that listing queries never becomes the load.
 */
export interface ListTime {
  /** Server time that is left; negative after lists that took more than there was. */
  readonly left: Millis;
  /** Time of `left`, on the monotonic clock. */
  readonly at: Millis;
}

/** Full bucket. */
export const fullListTime: ListTime = { left: maxListTime, at: 0 };

/**
 * Takes the server time of a list that ended at `now`. A debt is capped: the next list starts at the latest after the longest
 * interval, and lists return to their interval with the first quick answer.
 */
export function chargeListTime({ left, at }: ListTime, duration: Millis, now: Millis): ListTime {
  const refilled = Math.min(maxListTime, left + Math.max(0, now - at) * maxListTimeShare);
  const least = Math.min(0, duration - maxListInterval) * maxListTimeShare;
  return { left: Math.max(least, refilled - Math.max(0, duration)), at: Math.max(at, now) };
}

/**
 * Returns the earliest start of the next list after one that started at `started`: when the bucket is no longer below
 * zero, at the latest after the longest interval.
 */
export function nextListAt({ left, at }: ListTime, started: Millis): Millis {
  return Math.min(started + maxListInterval, left < 0 ? at - left / maxListTimeShare : started);
}
