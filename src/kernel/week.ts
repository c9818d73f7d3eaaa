/** Hours that come again every week, by the clocks on the wall of a time zone. */
export interface WeeklyHours {
  /** Days on which they begin; 0 is Sunday. */
  readonly days: readonly number[];
  /** Minutes since midnight, 0 to 1439. */
  readonly from: number;
  /** Minutes since midnight, 0 to 1440; not after `from`: it ends on the next day. */
  readonly to: number;
  /** IANA name of the time zone. */
  readonly zone: string;
}

/** What the clocks on the wall show. */
export interface WallTime {
  /** 0 is Sunday. */
  readonly day: number;
  /** Since midnight. */
  readonly minute: number;
}

const daysPerWeek = 7;
const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Whether these hours are open when the clocks of their zone show this. On the day when they go forward the hour that
 * is left out opens nothing, and when they go back the hour that comes twice is open twice.
 */
export function isWithin({ days, from, to }: WeeklyHours, { day, minute }: WallTime): boolean {
  const yesterday = (day + daysPerWeek - 1) % daysPerWeek;
  if (from < to) return days.includes(day) && minute >= from && minute < to;
  return (days.includes(day) && minute >= from) || (days.includes(yesterday) && minute < to);
}

const latest = new Map<string, { readonly at: number; readonly shown: WallTime }>();

/** What the clocks of a zone show at `wall`, ms since the epoch. Thousands may ask in the same minute. */
export function wallTimeAt(zone: string, wall: number): WallTime {
  const at = Math.floor(wall / 60_000);
  const known = latest.get(zone);
  if (known?.at === at) return known.shown;
  const shown = readWallTime(zone, wall);
  latest.set(zone, { at, shown });
  return shown;
}

function readWallTime(zone: string, wall: number): WallTime {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(wall)
      .map(({ type, value }) => [type, value]),
  );
  const number = (type: 'hour' | 'minute'): number => Number(parts.get(type) ?? 0);
  return { day: dayNames.indexOf(parts.get('weekday') ?? ''), minute: number('hour') * 60 + number('minute') };
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
