import type { Millis } from '../kernel/time.ts';
import { formatDateTime, formatTimestamp } from '../kernel/timestamp.ts';

/**
 * UTC offset of the simulated hosts. Like real hosts they do not report it: `startTime` parsed as UTC is wrong by seven
 * hours.
 */
const utcOffset: Millis = -7 * 3_600_000;

/** `2026-09-22 04:53:20.723` in server local time without a zone: the form of the process lists. */
export function localTime(epoch: number): string {
  return formatTimestamp(epoch + utcOffset)
    .replace('T', ' ')
    .replace('Z', '');
}

/** `2027-01-31 00:00:00`: the form of the licence. */
export function plainDate(epoch: number): string {
  return formatDateTime(epoch);
}

/** Nanoseconds since the epoch as decimal text; `salt` fills the digits that milliseconds lack. */
export function nanoseconds(epoch: number, salt: number): string {
  return `${Math.floor(epoch)}${String(Math.floor(salt * 1e6)).padStart(6, '0')}`;
}

/** Nanoseconds since the epoch as text back to milliseconds; more digits than milliseconds need are cut off. */
export function fromNanoseconds(text: string): number {
  return Number(BigInt(text) / 1_000_000n);
}

/** `Wed Jul 10 06:12:47 UTC 2024`: how 4.x writes the expiry of a token (Java's `Date.toString`). */
export function javaDate(epoch: number): string {
  const [weekday = '', day = '', month = '', year = '', time = ''] = new Date(epoch).toUTCString().split(' ');
  return `${weekday.replace(',', '')} ${month} ${day} ${time} UTC ${year}`;
}
