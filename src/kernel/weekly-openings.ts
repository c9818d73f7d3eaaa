import type { WeeklyHours } from './weekly-hours.ts';

/** One opening of weekly hours, in ms since the epoch. */
export interface Opening {
  readonly start: number;
  readonly end: number;
}

const minute = 60_000;
const day = 24 * 60 * minute;

/**
 * Returns the opening at `wall`, ms since the epoch, or the next one after it. Each day has at most one opening:
 * - If a clock change skips the start, the hours open when the skipped time is over; a skipped end is moved by the
 *   skipped time. Hours that would lose all their time last their usual length.
 * - If a clock change repeats the start or the end, its first occurrence counts.
 */
export function openingAt(hours: WeeklyHours, wall: number): Opening {
  const known = latest.get(hours);
  if (known !== undefined && known.from <= wall && wall < known.opening.end) return known.opening;
  const opening = firstOpeningAfter(hours, wall);
  latest.set(hours, { from: wall, opening });
  return opening;
}

/** Returns the next openings at or after `wall`, including one that is open. */
export function nextOpenings(hours: WeeklyHours, wall: number, count: number): readonly Opening[] {
  const found: Opening[] = [];
  for (let at = wall; found.length < count; at = found.at(-1)?.end ?? at) found.push(firstOpeningAfter(hours, at));
  return found;
}

/** The last result for each window, because every evaluation checks every alert against every window. */
const latest = new WeakMap<WeeklyHours, { readonly from: number; readonly opening: Opening }>();

function firstOpeningAfter({ days, from, to, zone }: WeeklyHours, wall: number): Opening {
  const today = Math.floor((wall + offsetAt(zone, wall)) / day) * day;
  // Hours of yesterday last until today at most, or a little longer after a clock change.
  for (let date = today - 2 * day; ; date += day) {
    if (!days.includes(new Date(date).getUTCDay())) continue;
    const length = (to > from ? 0 : day) + (to - from) * minute;
    const start = instantOf(date + from * minute, zone).afterGap;
    const localEnd = instantOf(date + from * minute + length, zone).shifted;
    const end = localEnd > start ? localEnd : start + length;
    if (end > wall) return { start, end };
  }
}

/** Instant of a local time. The two differ only for a local time that a clock change skips. */
interface LocalInstant {
  /** The end of the skipped time. */
  readonly afterGap: number;
  /** The local time with the offset from before the change, as RFC 5545 defines it. */
  readonly shifted: number;
}

/** Returns the instant of a local time, which is given in ms as if it were UTC. */
function instantOf(local: number, zone: string): LocalInstant {
  const offsets = [offsetAt(zone, local - day), offsetAt(zone, local + day)];
  const [exact] = offsets.map((offset) => local - offset).filter((at) => at + offsetAt(zone, at) === local);
  if (exact !== undefined) return { afterGap: exact, shifted: exact };
  const [before = 0, after = 0] = offsets;
  return { afterGap: changeBetween(local - after, local - before, zone), shifted: local - before };
}

/** Returns the instant of the clock change between two instants. */
function changeBetween(earliest: number, latestAt: number, zone: string): number {
  const before = offsetAt(zone, earliest);
  let [low, high] = [earliest, latestAt];
  while (high - low > minute) {
    const middle = low + Math.floor((high - low) / (2 * minute)) * minute;
    if (offsetAt(zone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Returns the offset of a zone from UTC at an instant, in ms. */
function offsetAt(timeZone: string, wall: number): number {
  const formatter = formatters.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { ...localTimeFormat, timeZone });
  formatters.set(timeZone, formatter);
  const parts = new Map(formatter.formatToParts(wall).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  return local - Math.floor(wall / minute) * minute;
}

const localTimeFormat = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  hourCycle: 'h23',
} as const;
