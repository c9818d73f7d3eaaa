import type { Millis } from '../../src/kernel/time.ts';
import type { TimeWindow } from '../../src/track/availability.ts';

const hour: Millis = 3_600_000;
const day: Millis = 86_400_000;

/** Lengths of the timeline, the shortest first. */
export const viewLengths: readonly Millis[] = [
  hour,
  3 * hour,
  6 * hour,
  12 * hour,
  day,
  3 * day,
  7 * day,
  14 * day,
  30 * day,
];

const shortest = viewLengths[0] ?? hour;
const longest = viewLengths.at(-1) ?? hour;

/** Part of the past that the timeline shows. */
export interface TimeView {
  readonly length: Millis;
  /** End, in ms since the epoch; undefined to follow the present time. */
  readonly end: number | undefined;
}

/** Returns the time window of a view. */
export function windowOf({ length, end }: TimeView, now: number): TimeWindow {
  const to = end ?? now;
  return { from: to - length, to };
}

/** Returns the view at the next shorter or longer length; its middle stays, unless it follows the present time. */
export function zoomed(view: TimeView, direction: 'in' | 'out', now: number): TimeView {
  const length =
    direction === 'in'
      ? (viewLengths.findLast((one) => one < view.length) ?? shortest)
      : (viewLengths.find((one) => one > view.length) ?? longest);
  return view.end === undefined ? { length, end: undefined } : around(view.end - view.length / 2, length, now);
}

/** Returns the view half its length earlier or later. */
export function moved(view: TimeView, direction: 'earlier' | 'later', now: number): TimeView {
  const middle = windowOf(view, now).to - view.length / 2;
  return around(middle + (direction === 'earlier' ? -0.5 : 0.5) * view.length, view.length, now);
}

/** Returns the view of the time between two moments, at least the shortest and at most the longest length. */
export function between(one: number, other: number, now: number): TimeView {
  const length = Math.min(longest, Math.max(shortest, Math.abs(other - one)));
  return around((one + other) / 2, length, now);
}

/** Returns a view by its middle. A view that would end in the future follows the present time. */
function around(middle: number, length: Millis, now: number): TimeView {
  const end = middle + length / 2;
  return end >= now ? { length, end: undefined } : { length, end };
}
