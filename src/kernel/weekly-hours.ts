/** Weekly recurring hours in the local time of a time zone. */
export interface WeeklyHours {
  /** Days on which they start; 0 is Sunday. */
  readonly days: readonly number[];
  /** Minutes since midnight, 0 to 1439. */
  readonly from: number;
  /** Minutes since midnight, 0 to 1440; if not after `from`, they end on the next day. */
  readonly to: number;
  /** IANA name of the time zone. */
  readonly zone: string;
}

/** Local time. */
export interface WallTime {
  /** 0 is Sunday. */
  readonly day: number;
  /** Since midnight. */
  readonly minute: number;
}

const daysPerWeek = 7;
const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns whether the hours include a local time. When clocks are set forward, the skipped hour includes nothing; when
 * they are set back, the repeated hour counts twice.
 */
export function isWithinHours({ days, from, to }: WeeklyHours, { day, minute }: WallTime): boolean {
  const yesterday = (day + daysPerWeek - 1) % daysPerWeek;
  if (from < to) return days.includes(day) && minute >= from && minute < to;
  return (days.includes(day) && minute >= from) || (days.includes(yesterday) && minute < to);
}

const latestWallTimes = new Map<string, { readonly at: number; readonly shown: WallTime }>();

/**
 * Returns the local time of a zone at `wall`, ms since the epoch. Cached, because many callers ask in the same minute.
 */
export function wallTimeAt(zone: string, wall: number): WallTime {
  const at = Math.floor(wall / 60_000);
  const known = latestWallTimes.get(zone);
  if (known?.at === at) return known.shown;
  const shown = computeWallTime(zone, wall);
  latestWallTimes.set(zone, { at, shown });
  return shown;
}

/** Local time of a zone for people: `Mon 07:05`. */
export function wallTimeText(zone: string, wall: number): string {
  const { day, minute } = wallTimeAt(zone, wall);
  const [hours, minutes] = [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0'));
  return `${dayNames[day]} ${hours}:${minutes}`;
}

function computeWallTime(zone: string, wall: number): WallTime {
  const parts = new Map(
    formatterFor(zone)
      .formatToParts(wall)
      .map(({ type, value }) => [type, value]),
  );
  const number = (type: 'hour' | 'minute'): number => Number(parts.get(type) ?? 0);
  return { day: dayNames.indexOf(parts.get('weekday') ?? ''), minute: number('hour') * 60 + number('minute') };
}

/** Returns the formatter of a zone. Cached, because creating a formatter is slow. */
function formatterFor(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  formatters.set(timeZone, made);
  return made;
}

/** Returns whether the hours include every minute of the week. */
export function isAlwaysOpen({ days, from, to }: WeeklyHours): boolean {
  return new Set(days).size === daysPerWeek && (from === to || to - from === 24 * 60);
}
