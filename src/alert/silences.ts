import { z } from 'zod';
import { durationField } from '../graphdb/duration-field.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Random } from '../kernel/system.ts';
import type { Millis } from '../kernel/time.ts';
import type { Match, Silence } from './alerting.ts';
import { matchField } from './settings.ts';

/** What is to be silent for longer is no silence: switch the rule off. */
const longest: Millis = 365 * 86_400_000;

const most = { labels: 20, values: 100, value: 256, author: 100, reason: 1000 };

/** People read identifiers to each other and type them: nothing that looks like something else. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz';
const idLength = 10;

const labels = matchField
  .refine(asksForSomething, { error: 'has to ask for a value of at least one label' })
  .refine(isSmall, { error: 'is too large' });

const moment = z.iso
  .datetime({ offset: true, error: 'is no moment such as 2026-01-31T12:00:00Z' })
  .transform((given) => Date.parse(given));

const request = z.strictObject(
  {
    match: labels,
    author: text(most.author),
    reason: text(most.reason),
    startsAt: moment.optional(),
    endsAt: moment.optional(),
    // As the configuration would have it.
    ends_at: moment.optional(),
    duration: durationField.optional(),
  },
  {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? 'only match, author, reason, startsAt, endsAt and duration are known'
        : 'a silence is a JSON object',
  },
);

/** A silence that somebody asks for at `now`, wall ms; the error is a sentence that says all that is wrong with it. */
export function silenceAsked(given: unknown, id: string, now: number): Result<Silence, string> {
  const read = request.safeParse(given);
  if (!read.success) return err(read.error.issues.map(complaint).join('; '));
  const { match, author, reason } = read.data;
  const startsAt = Math.max(now, read.data.startsAt ?? now);
  const endsAt = endOf(read.data, startsAt);
  if (!endsAt.ok) return endsAt;
  const length = endsAt.value - startsAt;
  if (length <= 0) return err('the end has to come after now, and after the beginning');
  if (endsAt.value - now > longest) return err('the end is more than a year away: for so long, switch the rule off');
  return ok({ id, match, startsAt, endsAt: endsAt.value, author, reason });
}

/** A name for a new silence. */
export function silenceId(random: Random): string {
  const letter = (): string => alphabet.charAt(Math.floor(random.next() * alphabet.length));
  return Array.from({ length: idLength }, letter).join('');
}

function endOf(given: z.infer<typeof request>, startsAt: number): Result<number, string> {
  const { endsAt = given.ends_at, duration } = given;
  if (endsAt !== undefined && duration !== undefined) return err('endsAt cannot stand beside duration');
  const end = endsAt ?? (duration === undefined ? undefined : startsAt + duration);
  return end === undefined ? err('an end is missing: give duration or endsAt') : ok(end);
}

function complaint({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${path.join('.')} ${message}`;
}

/** To have no such label is what nearly every alert does. */
function asksForSomething(asked: Match): boolean {
  return Object.values(asked).some((values) => !values.includes(''));
}

function isSmall(asked: Match): boolean {
  const lists = Object.values(asked);
  const isShort = (values: readonly string[]): boolean =>
    values.length <= most.values && values.every((value) => value.length <= most.value);
  return lists.length <= most.labels && lists.every(isShort);
}

/** Where a text is nothing but blanks, there is none. */
function text(length: number) {
  return z
    .string({ error: ({ input }) => (input === undefined ? 'is missing' : 'is no text') })
    .trim()
    .min(1, { error: 'is missing' })
    .max(length, { error: `is longer than ${length} characters` });
}
