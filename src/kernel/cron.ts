import { err, ok, type Result } from './result.ts';
import type { Millis } from './time.ts';

/** Parsed cron expression. */
export interface CronExpression {
  readonly text: string;
  /**
   * Estimate of the longest time between two runs: the longest period of a restricted field (an hour, a day, a week). Days
   * that some months or years lack, such as 29 February, have longer gaps.
   */
  readonly longestGap: Millis;
}

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Longest time until the same value of the field returns. */
  readonly longestGap: Millis;
  readonly names?: readonly string[];
}

const minute = 60_000;
const day = 1440 * minute;
const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
/** Days of each month, in a leap year. */
const monthLengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const dayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

const dayOfMonth: Field = { name: 'day of month', min: 1, max: 31, longestGap: 31 * day };
const month: Field = { name: 'month', min: 1, max: 12, longestGap: 366 * day, names: monthNames };

const fields: readonly Field[] = [
  { name: 'second', min: 0, max: 59, longestGap: minute },
  { name: 'minute', min: 0, max: 59, longestGap: 60 * minute },
  { name: 'hour', min: 0, max: 23, longestGap: day },
  dayOfMonth,
  month,
  { name: 'day of week', min: 0, max: 7, longestGap: 7 * day, names: dayNames },
];

/** Parses `minute hour day month weekday`, with an optional leading `second`. The error does not repeat the text. */
export function parseCron(text: string): Result<CronExpression, string> {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== 5 && parts.length !== 6) {
    return err('is not a cron expression: write minute, hour, day of month, month and day of week');
  }
  const six = parts.length === 5 ? ['0', ...parts] : parts;
  const wrong = fields.find((field, at) => !isValidField(field, six[at] ?? ''));
  if (wrong !== undefined) {
    const words = wrong.names === undefined ? '' : ` or ${wrong.names[0]} to ${wrong.names.at(-1)}`;
    return err(`has an invalid ${wrong.name}: use ${wrong.min} to ${wrong.max}${words}, with * , - and /`);
  }
  if (!hasDay(six[3] ?? '', six[4] ?? ''))
    return err('is never due, because none of its months has such a day of month');
  const gaps = fields.map((field, at) => (six[at] === '*' ? 0 : field.longestGap));
  return ok({ text: parts.join(' '), longestGap: Math.max(1000, ...gaps) });
}

function isValidField(field: Field, text: string): boolean {
  return text.split(',').every((item) => {
    const [, range = '', step] = /^([^/]+)(?:\/(\d{1,2}))?$/.exec(item) ?? [];
    if (step !== undefined && Number(step) === 0) return false;
    if (range === '*') return true;
    const ends = range.split('-').map((end) => parseValue(field, end));
    // A step needs a range, as in `*/5` or `10-50/5`.
    if (ends.length > 2 || (step !== undefined && ends.length < 2)) return false;
    const [first, last] = [ends[0], ends.at(-1)];
    return first !== undefined && last !== undefined && first <= last;
  });
}

/** Returns whether one of the months has one of the days. */
function hasDay(days: string, months: string): boolean {
  const first = Math.min(...valuesOf(dayOfMonth, days));
  return valuesOf(month, months).some((number) => first <= (monthLengths[number - 1] ?? 0));
}

/** Returns the values that a valid field stands for. */
function valuesOf(field: Field, text: string): readonly number[] {
  return text.split(',').flatMap((item) => {
    const [range = '', step = '1'] = item.split('/');
    const ends =
      range === '*' ? [field.min, field.max] : range.split('-').map((end) => parseValue(field, end) ?? field.min);
    const [first = field.min, last = first] = ends;
    return Array.from({ length: Math.floor((last - first) / Number(step)) + 1 }, (_, at) => first + at * Number(step));
  });
}

function parseValue(field: Field, text: string): number | undefined {
  const word = field.names?.indexOf(text.toUpperCase()) ?? -1;
  const number = word >= 0 ? word + (field.min === 1 ? 1 : 0) : Number(/^\d{1,2}$/.exec(text)?.[0] ?? Number.NaN);
  return number >= field.min && number <= field.max ? number : undefined;
}
