import type { Millis } from '../../kernel/time.ts';

/** Nobody is obeyed for longer: an alert is worth an impolite try. */
const longest: Millis = 15 * 60_000;

/** A date that has passed, or a clock that is wrong, shall not make us knock without a pause. */
const shortest: Millis = 1000;

/** The wait that `Retry-After` asks for, in seconds or as a date; undefined where it is absent or unreadable. */
export function readRetryAfter(headers: Readonly<Record<string, string>>, now: number): Millis | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  const wait = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : untilDate(text, now);
  return wait === undefined ? undefined : Math.min(Math.max(wait, shortest), longest);
}

/** Only what begins with the name of a day is a date of HTTP: `Date.parse` reads far more than that. */
function untilDate(text: string, now: number): Millis | undefined {
  const until = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(until) ? undefined : until - now;
}
