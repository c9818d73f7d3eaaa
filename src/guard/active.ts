import type { Millis } from '../kernel/time.ts';
import type { Timing } from './comparison.ts';
import type { ActiveWindow } from './policy.ts';

const minute: Millis = 60_000;
const minutesPerDay = 1440;
/** All zones are whole quarters of an hour apart, so within one each clock goes on minute by minute. */
const minutesPerQuarter = 15;
const lookingBack = minutesPerDay;
const lookingAhead = 60;

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const formats = new Map<string, Intl.DateTimeFormat>();

/** What a clock on the wall shows. */
interface WallTime {
  readonly day: number;
  readonly minute: number;
}

/**
 * Whether a window is open at `wall` (ms since the epoch), since when and until when. It goes by what the clocks of its
 * zone show: an hour that they leave out opens nothing, one that comes twice is open twice. It looks back one day, and
 * ahead one hour; undefined where it is closed for longer than that.
 */
export function windowTiming(window: ActiveWindow, wall: number): Timing | undefined {
  const isOpen = opennessOf(window);
  const now = Math.floor(wall / minute);
  const holds = isOpen(now);
  const change = ahead(now, (at) => isOpen(at) !== holds);
  if (!holds && change === undefined) return undefined;
  const opened = holds ? begin(now, isOpen) : change;
  const closes = holds ? change : undefined;
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
function opennessOf({ days, from, to, zone }: ActiveWindow): (at: number) => boolean {
  const wallTimes = new Map<number, WallTime>();
  return (at) => {
    const quarter = Math.floor(at / minutesPerQuarter) * minutesPerQuarter;
    const begun = wallTimes.get(quarter) ?? wallTime(zone, quarter * minute);
    wallTimes.set(quarter, begun);
    const shown = begun.minute + at - quarter;
    const yesterday = (begun.day + 6) % weekdays.length;
    if (from < to) return days.includes(begun.day) && shown >= from && shown < to;
    return (days.includes(begun.day) && shown >= from) || (days.includes(yesterday) && shown < to);
  };
}

function wallTime(zone: string, wall: number): WallTime {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(wall)
      .map(({ type, value }) => [type, value]),
  );
  const number = (type: 'hour' | 'minute'): number => Number(parts.get(type));
  return { day: weekdays.indexOf(parts.get('weekday') ?? ''), minute: number('hour') * 60 + number('minute') };
}

/** Making one takes longer than asking it a thousand times. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  formats.set(timeZone, made);
  return made;
}
