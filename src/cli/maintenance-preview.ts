import type { MaintenanceSettings } from '../alert/alerting.ts';
import { formatMinute, formatTimestamp } from '../kernel/timestamp.ts';
import { replaceControlCharacters } from '../kernel/visible-text.ts';
import { nextOpenings } from '../kernel/weekly-openings.ts';
import { formatTable, type Terminal } from './table.ts';

/** Next openings of a maintenance window. */
export interface MaintenancePreview {
  readonly name: string;
  /** Time zone of the window. */
  readonly tz: string;
  readonly openings: readonly MaintenanceOpening[];
}

/** One opening, in UTC and as the clocks of the time zone show it. */
interface MaintenanceOpening {
  readonly startsAt: string;
  readonly endsAt: string;
  readonly localStart: string;
  readonly localEnd: string;
}

const openingCount = 5;

/** Returns the next openings of each window at `wall`, ms since the epoch; an open window comes first. */
export function maintenancePreview(
  windows: readonly MaintenanceSettings[],
  wall: number,
): readonly MaintenancePreview[] {
  return windows.map((window) => ({
    name: window.name,
    tz: window.zone,
    openings: nextOpenings(window, wall, openingCount).map(({ start, end }) => ({
      startsAt: formatTimestamp(start),
      endsAt: formatTimestamp(end),
      localStart: formatLocal(start, window.zone),
      localEnd: formatLocal(end, window.zone),
    })),
  }));
}

/** Next openings as a table; empty without windows. */
export function maintenanceTable(previews: readonly MaintenancePreview[], terminal?: Terminal): string {
  if (previews.length === 0) return '';
  const rows = previews.flatMap(({ name, tz, openings }) =>
    openings.map(({ startsAt, endsAt, localStart, localEnd }) => [
      replaceControlCharacters(name),
      tz,
      localStart,
      localEnd,
      minuteOf(startsAt),
      minuteOf(endsAt),
    ]),
  );
  return `\n${formatTable([['MAINTENANCE', 'ZONE', 'OPENS', 'CLOSES', 'OPENS IN UTC', 'CLOSES IN UTC'], ...rows], terminal)}`;
}

function minuteOf(timestamp: string): string {
  return formatMinute(Date.parse(timestamp));
}

/** Formats an instant as `Sun 2026-03-29 03:00 GMT+2`: the offset shows which of two repeated times it is. */
function formatLocal(at: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { ...localFormat, timeZone });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  const date = `${part('weekday')} ${part('year')}-${part('month')}-${part('day')}`;
  return `${date} ${part('hour')}:${part('minute')} ${part('timeZoneName')}`;
}

const localFormat = {
  weekday: 'short',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'shortOffset',
} as const;
