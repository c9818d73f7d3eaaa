import { err, ok, type Result } from './result.ts';
import type { Millis } from './time.ts';

/** A calendar expression that was understood. */
export interface CronExpression {
  readonly text: string;
  /** No two neighbouring runs are further apart than this; a bound by unit (a day, a week), not an exact figure. */
  readonly longestGap: Millis;
}

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** What an expression that is particular in this field can have to wait for. */
  readonly gap: Millis;
  readonly words?: readonly string[];
}

const minute = 60_000;
const day = 1440 * minute;
const monthWords = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const dayWords = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

const fields: readonly Field[] = [
  { name: 'second', min: 0, max: 59, gap: minute },
  { name: 'minute', min: 0, max: 59, gap: 60 * minute },
  { name: 'hour', min: 0, max: 23, gap: day },
  { name: 'day of month', min: 1, max: 31, gap: 31 * day },
  { name: 'month', min: 1, max: 12, gap: 366 * day, words: monthWords },
  { name: 'day of week', min: 0, max: 7, gap: 7 * day, words: dayWords },
];

/** Reads `minute hour day month weekday`, with an optional leading `second`. The error does not repeat the text. */
export function readCron(text: string): Result<CronExpression, string> {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== 5 && parts.length !== 6) {
    return err('is not a cron expression: write minute, hour, day of month, month and day of week');
  }
  const six = parts.length === 5 ? ['0', ...parts] : parts;
  const wrong = fields.find((field, at) => !understands(field, six[at] ?? ''));
  if (wrong !== undefined) {
    const words = wrong.words === undefined ? '' : ` or ${wrong.words[0]} to ${wrong.words.at(-1)}`;
    return err(`has a wrong ${wrong.name}: it takes ${wrong.min} to ${wrong.max}${words}, with * , - and /`);
  }
  const gaps = fields.map((field, at) => (six[at] === '*' ? 0 : field.gap));
  return ok({ text: parts.join(' '), longestGap: Math.max(1000, ...gaps) });
}

function understands(field: Field, text: string): boolean {
  return text.split(',').every((item) => {
    const [, range = '', step] = /^([^/]+)(?:\/(\d{1,2}))?$/.exec(item) ?? [];
    if (step !== undefined && Number(step) === 0) return false;
    if (range === '*') return true;
    const ends = range.split('-').map((end) => place(field, end));
    // A step needs something to walk through, as in `*/5` or `10-50/5`.
    if (ends.length > 2 || (step !== undefined && ends.length < 2)) return false;
    const [first, last] = [ends[0], ends.at(-1)];
    return first !== undefined && last !== undefined && first <= last;
  });
}

function place(field: Field, text: string): number | undefined {
  const word = field.words?.indexOf(text.toUpperCase()) ?? -1;
  const number = word >= 0 ? word + (field.min === 1 ? 1 : 0) : Number(/^\d{1,2}$/.exec(text)?.[0] ?? Number.NaN);
  return number >= field.min && number <= field.max ? number : undefined;
}
