import type { Millis } from '../kernel/time.ts';
import { isWithin, type WallTime, type WeeklyHours, wallTimeAt } from '../kernel/week.ts';
import type { Timing } from './comparison.ts';

const minute: Millis = 60_000;
/** All zones are whole quarters of an hour apart, so within one each clock goes on minute by minute. */
const minutesPerQuarter = 15;
const lookingBack = 24 * 60;
const lookingAhead = 60;

/**
 * Whether a window is open at `wall` (ms since the epoch), since when and until when. It goes by what the clocks of its
 * zone show: an hour that they leave out opens nothing, one that comes twice is open twice. It looks back one day, and
 * ahead one hour, no further; undefined where it is closed for longer than that.
 */
export function windowTiming(window: WeeklyHours, wall: number): Timing | undefined {
  const isOpen = opennessOf(window);
  const now = Math.floor(wall / minute);
  const holds = isOpen(now);
  const opens = holds ? now : ahead(now, isOpen);
  if (opens === undefined) return undefined;
  const opened = holds ? begin(now, isOpen) : opens;
  const closes = ahead(opens, (at) => !isOpen(at));
  return {
    holds,
    from: opened === undefined ? Number.NEGATIVE_INFINITY : opened * minute - wall,
    until: closes === undefined ? Number.POSITIVE_INFINITY : closes * minute - wall,
  };
}

/** The first minute of those in a row up to `now` that are open; undefined where that is long ago. */
function begin(now: number, isOpen: (at: number) => boolean): number | undefined {
  for (let at = now; at > now - lookingBack; at -= 1) if (!isOpen(at - 1)) return at;
  return undefined;
}

function ahead(now: number, isIt: (at: number) => boolean): number | undefined {
  for (let at = now + 1; at <= now + lookingAhead; at += 1) if (isIt(at)) return at;
  return undefined;
}

/** Tells of minutes since the epoch. */
function opennessOf(window: WeeklyHours): (at: number) => boolean {
  const wallTimes = new Map<number, WallTime>();
  return (at) => {
    const quarter = Math.floor(at / minutesPerQuarter) * minutesPerQuarter;
    const begun = wallTimes.get(quarter) ?? wallTimeAt(window.zone, quarter * minute);
    wallTimes.set(quarter, begun);
    return isWithin(window, { ...begun, minute: begun.minute + at - quarter });
  };
}
