import type { MaintenanceSettings } from './alerting.ts';
import { matches } from './match.ts';

const minutesPerDay = 1440;
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const formats = new Map<string, Intl.DateTimeFormat>();

/** The name of the window that holds alerts with these labels back at `wall`, ms since the epoch; undefined where there is none. */
export function windowAt(
  windows: readonly MaintenanceSettings[],
  labels: Readonly<Record<string, string>>,
  wall: number,
): string | undefined {
  return windows.find((window) => matches(window.match, labels) && isOpen(window, wall))?.name;
}

/**
 * By what the clocks on the wall of the zone show: on the day when they go forward the hour that is left out opens
 * nothing, and when they go back the hour that comes twice is open twice.
 */
function isOpen({ days, from, to, zone }: MaintenanceSettings, wall: number): boolean {
  const { day, minute } = wallTime(zone, wall);
  const yesterday = (day + 6) % weekdays.length;
  if (from < to) return days.includes(day) && minute >= from && minute < to;
  return (days.includes(day) && minute >= from) || (days.includes(yesterday) && minute < to);
}

interface WallTime {
  readonly day: number;
  readonly minute: number;
}

const latest = new Map<string, WallTime & { readonly at: number }>();

/** Thousands of alerts ask in the same minute. */
function wallTime(zone: string, wall: number): WallTime {
  const at = Math.floor(wall / 60_000);
  const known = latest.get(zone);
  if (known?.at === at) return known;
  const read = { ...readWallTime(zone, wall), at };
  latest.set(zone, read);
  return read;
}

function readWallTime(zone: string, wall: number): WallTime {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(wall)
      .map(({ type, value }) => [type, value]),
  );
  const number = (type: 'hour' | 'minute'): number => Number(parts.get(type) ?? 0);
  const day = weekdays.indexOf(parts.get('weekday') ?? '');
  return { day, minute: (number('hour') * 60 + number('minute')) % minutesPerDay };
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
