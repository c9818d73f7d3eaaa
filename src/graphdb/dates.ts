const utcNames: ReadonlySet<string> = new Set(['', 'Z', 'UTC', 'GMT']);
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const secondsPerDay = 86_400;
const zero = '0'.charCodeAt(0);

/**
 * Parses a date of the server to seconds since the epoch. Supports `2027-01-31` with an optional time, fraction and offset
 * (UTC without a zone), Java's `Wed Jul 10 06:12:47 UTC 2024`, and the epoch in seconds or milliseconds. Undefined for other
 * texts, such as ambiguous zone abbreviations or days that do not exist, and for all times up to the epoch, because
 * `0000-00-00` and `1970-01-01` stand for no date.
 */
export function parseDate(value: unknown): number | undefined {
  if (typeof value === 'number') return epochSeconds(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return /^\d{9,13}$/.test(text) ? epochSeconds(Number(text)) : (parseIso(text) ?? parseJava(text));
}

function epochSeconds(value: number): number | undefined {
  if (!Number.isFinite(value) || value <= 0) return undefined;
  return value > 100_000_000_000 ? value / 1000 : value;
}

function parseIso(text: string): number | undefined {
  const parts = /^(\d{4})[-/](\d\d)[-/](\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?\s*(\S*)$/.exec(text);
  if (parts === null) return undefined;
  const [, year, month, day, hour = 0, minute = 0, second = 0, zone = ''] = parts;
  const offset = offsetOf(zone);
  if (offset === undefined) return undefined;
  return utc([year, month, day, hour, minute, second].map(Number), offset);
}

function parseJava(text: string): number | undefined {
  const parts = /^(?:[A-Z][a-z]{2},? )?([A-Z][a-z]{2}) +(\d{1,2}) (\d\d):(\d\d):(\d\d) (\S+) (\d{4})$/.exec(text);
  if (parts === null) return undefined;
  const [, name = '', day, hour, minute, second, zone = '', year] = parts;
  const month = months.indexOf(name) + 1;
  const offset = offsetOf(zone);
  if (month === 0 || offset === undefined) return undefined;
  return utc([Number(year), month, ...[day, hour, minute, second].map(Number)], offset);
}

/** Returns the seconds since the epoch; undefined for a day or time that does not exist, and up to the epoch. */
function utc(fields: readonly number[], offset: number): number | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = fields;
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists =
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 25 && minute < 60 && second < 61;
  const seconds = date.getTime() / 1000 + hour * 3600 + minute * 60 + second - offset;
  return exists && seconds > 0 ? seconds : undefined;
}

/** Seconds east of UTC. */
function offsetOf(zone: string): number | undefined {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  if (sign === undefined) return utcNames.has(zone) ? 0 : undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}

/** Returns the date in `days` days, in seconds since the epoch; equal during a whole day. */
export function dateAfterDays(nowMillis: number, days: number): number {
  return (Math.floor(nowMillis / 1000 / secondsPerDay) + days) * secondsPerDay;
}

/**
 * Parses a time without a zone, `YYYY-MM-DD HH:MM:SS.mmm`, to milliseconds. Only differences of them are meaningful.
 */
export function parseLocalMillis(text: string): number | undefined {
  const local = text.trim();
  if (!/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d{1,9})?$/.test(local)) return undefined;
  // Lists have ten thousands of these.
  const at = (start: number, length = 2): number => digitsAt(local, start, length);
  const fraction = Math.min(3, Math.max(0, local.length - 20));
  const millis = at(20, fraction) * 10 ** (3 - fraction);
  return Date.UTC(at(0, 4), at(5) - 1, at(8), at(11), at(14), at(17), millis);
}

function digitsAt(text: string, start: number, length: number): number {
  let value = 0;
  for (let at = start; at < start + length; at += 1) value = value * 10 + text.charCodeAt(at) - zero;
  return value;
}
