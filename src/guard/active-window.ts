import type { Millis } from '../kernel/time.ts';
import { isWithinHours, type WallTime, type WeeklyHours, wallTimeAt } from '../kernel/weekly-hours.ts';
import type { Timing } from './comparison.ts';

const minute: Millis = 60_000;
/** Offsets of time zones are multiples of 15 minutes, so local time does not jump within a quarter of an hour. */
const minutesPerQuarter = 15;
const lookBackMinutes = 24 * 60;
const lookAheadMinutes = 60;

/**
 * Returns whether a window is open at `wall` (ms since the epoch), since when and until when, by the local time of its
 * zone: an hour that a DST change skips opens nothing, and a repeated hour is open twice. Searches one day back and one
 * hour ahead; undefined if the window is closed for longer than that.
 */
export function windowTiming(window: WeeklyHours, wall: number): Timing | undefined {
  const isOpen = windowTest(window);
  const now = Math.floor(wall / minute);
  const holds = isOpen(now);
  const opens = holds ? now : nextMinuteWhere(now, isOpen);
  if (opens === undefined) return undefined;
  const opened = holds ? openedAtMinute(now, isOpen) : opens;
  const closes = nextMinuteWhere(opens, (at) => !isOpen(at));
  return {
    holds,
    from: opened === undefined ? Number.NEGATIVE_INFINITY : opened * minute - wall,
    until: closes === undefined ? Number.POSITIVE_INFINITY : closes * minute - wall,
  };
}

/** Returns the minute at which the current window opened; undefined if that is more than a day ago. */
function openedAtMinute(now: number, isOpen: (at: number) => boolean): number | undefined {
  for (let at = now; at > now - lookBackMinutes; at -= 1) if (!isOpen(at - 1)) return at;
  return undefined;
}

function nextMinuteWhere(now: number, test: (at: number) => boolean): number | undefined {
  for (let at = now + 1; at <= now + lookAheadMinutes; at += 1) if (test(at)) return at;
  return undefined;
}

/** Returns a test of whether the window is open at a time, in minutes since the epoch. */
function windowTest(window: WeeklyHours): (at: number) => boolean {
  const wallTimes = new Map<number, WallTime>();
  return (at) => {
    const quarter = Math.floor(at / minutesPerQuarter) * minutesPerQuarter;
    const begun = wallTimes.get(quarter) ?? wallTimeAt(window.zone, quarter * minute);
    wallTimes.set(quarter, begun);
    return isWithinHours(window, { ...begun, minute: begun.minute + at - quarter });
  };
}
