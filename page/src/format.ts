import { formatElapsed } from '../../src/kernel/duration.ts';
import { formatMoment } from '../../src/kernel/timestamp.ts';

/** Formats the time since `timestamp`: `3m 20s`. `now` is in ms since the epoch, by the clock of the daemon. */
export function elapsedSince(timestamp: string, now: number): string {
  // Whole seconds, because the page is rendered once a second.
  return formatElapsed(Math.max(0, Math.floor((now - Date.parse(timestamp)) / 1000) * 1000));
}

/** Formats seconds for a table: `1h 4m`, `12s`; `–` if they are unknown. */
export function seconds(value: number | null): string {
  if (value === null) return '–';
  return value < 0 ? `−${formatElapsed(-value * 1000)}` : formatElapsed(value * 1000);
}

// 24-hour format in every language, as in alert texts and logs.
const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' });
const localTime = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium', hourCycle: 'h23' });
const day = 86_400_000;

/** Formats a time in the time zone of the viewer; without the date if it is less than a day from `now`. */
export function localMoment(timestamp: string, now: number): string {
  const time = Date.parse(timestamp);
  return Math.abs(now - time) < day ? localTime.format(time) : local.format(time);
}

/** Formats a time in UTC, for the tooltip of a time. */
export function utcMoment(timestamp: string): string {
  return formatMoment(Date.parse(timestamp));
}

/** Returns the name of a query with its graph; an interpreted query may have none. */
export function queryName({ query, graph }: { readonly query: string; readonly graph: string }): string {
  return graph === '' ? query : `${query} (${graph})`;
}

/** Formats a number of things: `1,250,000`. */
export function amount(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 0 });
}

/** Formats a share: `42 %`; a share below one per cent keeps two digits. */
export function percent(share: number): string {
  return `${(share * 100).toLocaleString('en', { maximumSignificantDigits: share < 0.1 ? 2 : 3 })} %`;
}

/** Writes a name of the API, such as `node_budget`, in words. */
export function inWords(name: string): string {
  return name.replaceAll('_', ' ');
}

/** Formats a number with a noun: `1 node`, `3 nodes`, `2 queries`. */
export function count(number: number, noun: string): string {
  const plural = /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${amount(number)} ${number === 1 ? noun : plural}`;
}
