const latest = Date.UTC(9999, 11, 31);

/**
 * Formats ms since the epoch as RFC 3339 in UTC: `2026-09-22T04:53:20.000Z`. Servers may send any number; values
 * outside 1970 to 9999 give the nearest limit.
 */
export function formatTimestamp(wall: number): string {
  return new Date(Math.min(Math.max(wall, 0), latest) || 0).toISOString();
}

/** Formats ms since the epoch for a table, in UTC and without a zone: `2026-09-22 04:53:20`. */
export function formatDateTime(wall: number): string {
  return formatTimestamp(wall).slice(0, 19).replace('T', ' ');
}

/** Formats ms since the epoch for a sentence: `2026-09-22 04:53:20 UTC`. */
export function formatMoment(wall: number): string {
  return `${formatDateTime(wall)} UTC`;
}

/** Formats ms since the epoch for a sentence, to the minute: `2026-09-22 04:53 UTC`. */
export function formatMinute(wall: number): string {
  return `${formatDateTime(wall).slice(0, 16)} UTC`;
}

/** Formats the UTC time of day: `04:53:20`. */
export function formatTimeOfDay(wall: number): string {
  return formatTimestamp(wall).slice(11, 19);
}
