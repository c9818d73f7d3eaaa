import type { Millis } from './time.ts';

/**
 * Parses a `Retry-After` header, in seconds or as an HTTP date, into the time to wait from `now` (ms since the epoch).
 * Returns undefined if the header is absent or invalid. A date in the past gives 0. The caller caps the time.
 */
export function parseRetryAfter(headers: Readonly<Record<string, string>>, now: number): Millis | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // HTTP dates begin with the name of a day; `Date.parse` alone accepts many other texts.
  const until = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(until) ? undefined : Math.max(0, until - now);
}
