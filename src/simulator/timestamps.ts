import type { Millis } from '../kernel/time.ts';
import { formatDateTime, formatTimestamp } from '../kernel/timestamp.ts';

/**
 * UTC offset of the simulated hosts. Like real hosts they do not report it: `startTime` parsed as UTC is wrong by seven
 * hours.
 */
const utcOffset: Millis = -7 * 3_600_000;

/** Formats a time (ms since the epoch) as in process lists: `2026-09-22 04:53:20.723`, in the local time of the server without a zone. */
export function localTime(epoch: number): string {
  return formatTimestamp(epoch + utcOffset)
    .replace('T', ' ')
    .replace('Z', '');
}

/** Formats a time (ms since the epoch) as in the license: `2027-01-31 00:00:00`. */
export function plainDate(epoch: number): string {
  return formatDateTime(epoch);
}

/** Formats a time (ms since the epoch) as nanoseconds since the epoch; `salt`, from 0 to below 1, determines the digits below milliseconds. */
export function nanoseconds(epoch: number, salt: number): string {
  return `${Math.floor(epoch)}${String(Math.floor(salt * 1e6)).padStart(6, '0')}`;
}

/** Parses nanoseconds since the epoch to milliseconds, rounded down. */
export function fromNanoseconds(text: string): number {
  return Number(BigInt(text) / 1_000_000n);
}

/** Formats a time (ms since the epoch) as 4.x does for the expiration of a token: `Wed Jul 10 06:12:47 UTC 2024` (Java's `Date.toString`). */
export function javaDate(epoch: number): string {
  const [weekday = '', day = '', month = '', year = '', time = ''] = new Date(epoch).toUTCString().split(' ');
  return `${weekday.replace(',', '')} ${month} ${day} ${time} UTC ${year}`;
}
