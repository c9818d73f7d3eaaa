import type { Millis } from './time.ts';

/** Greatest change of the clocks of a time zone, to and from daylight saving time. */
export const greatestClockChange: Millis = 3_600_000;

/** Change of the clocks of a time zone, to or from daylight saving time. */
export interface ClockChange {
  /** ms since the epoch. */
  readonly at: number;
  /** Offset from UTC before the change; positive in the east. */
  readonly before: Millis;
  /** Change of the offset; positive if clocks are set forward. */
  readonly by: Millis;
}

/**
 * Time zones of which one changes its clocks whenever any zone does, from the same offset and by the same time. A test
 * compares them with all zones: the formatters of all zones would take 20 MB. The research station Troll is not one of them:
 * it changes its clocks by two hours, which would also count for servers in UTC.
 */
const zones: readonly string[] = [
  'Africa/Cairo',
  'Africa/Casablanca',
  'America/Adak',
  'America/Anchorage',
  'America/Chicago',
  'America/Denver',
  'America/Edmonton',
  'America/Godthab',
  'America/Halifax',
  'America/Havana',
  'America/Los_Angeles',
  'America/Miquelon',
  'America/New_York',
  'America/Santiago',
  'America/St_Johns',
  'America/Vancouver',
  'Asia/Beirut',
  'Asia/Gaza',
  'Asia/Jerusalem',
  'Atlantic/Azores',
  'Australia/Adelaide',
  'Australia/Lord_Howe',
  'Australia/Sydney',
  'Europe/Athens',
  'Europe/Berlin',
  'Europe/London',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'Pacific/Easter',
  'Pacific/Norfolk',
];

const minute: Millis = 60_000;
const day: Millis = 86_400_000;
/** Two changes of a zone are weeks apart, so that a zone has at most one between two probes. */
const step: Millis = 7 * day;
/** Time before and after the present in which changes are known. */
const reach: Millis = 2 * step;

/** Returns the offset of a time zone from UTC at an instant, in ms since the epoch. */
type OffsetLookup = (zone: string, wall: number) => Millis;

/**
 * Returns the changes of clocks in any time zone between two instants, in ms since the epoch. Undefined if one of them is
 * more than two weeks from `now`.
 */
type ClockChangeLookup = (from: number, to: number, now: number) => readonly ClockChange[] | undefined;

/**
 * Creates a lookup. It looks up offsets only if `now` is on another UTC day than before, which takes a millisecond: the two
 * other instants may be values of a server, and each of 20,000 queries may have other ones.
 */
export function createClockChangeLookup(offsetAt: OffsetLookup): ClockChangeLookup {
  let latest: { readonly today: number; readonly changes: readonly ClockChange[] } | undefined;
  return (from, to, now) => {
    if (!(from >= now - reach && to <= now + reach)) return undefined;
    const today = Math.floor(now / day) * day;
    if (latest?.today !== today)
      latest = { today, changes: zones.flatMap((zone) => findChanges((wall) => offsetAt(zone, wall), today)) };
    return latest.changes.filter(({ at }) => from <= at && at <= to);
  };
}

/** Lookup with the time zone data of Node. */
export const clockChangesBetween = createClockChangeLookup(zoneOffset);

/** Returns the changes of a zone within reach of a day. */
function findChanges(offsetAt: (wall: number) => Millis, today: number): readonly ClockChange[] {
  const changes: ClockChange[] = [];
  let before = offsetAt(today - reach);
  for (let start = today - reach; start < today + day + reach; start += step) {
    const after = offsetAt(start + step);
    if (after !== before) changes.push({ at: findChange(offsetAt, start, before), before, by: after - before });
    before = after;
  }
  return changes;
}

/** Returns when the offset is no longer `before`, to the minute. */
function findChange(offsetAt: (wall: number) => Millis, start: number, before: Millis): number {
  let [earlier, later] = [start, start + step];
  while (later - earlier > minute) {
    const middle = earlier + Math.floor((later - earlier) / 2 / minute) * minute;
    if (offsetAt(middle) === before) earlier = middle;
    else later = middle;
  }
  return later;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Returns the offset of a time zone by the time zone data of Node. */
export function zoneOffset(timeZone: string, wall: number): Millis {
  const known = formatters.get(timeZone);
  // Cached, because creating a formatter is slow.
  const format = known ?? new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  if (known === undefined) formatters.set(timeZone, format);
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(format.format(wall)) ?? [];
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minute;
}
