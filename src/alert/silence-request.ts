import { z } from 'zod';
import { durationField } from '../graphdb/settings-fields.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Random } from '../kernel/system.ts';
import type { Millis } from '../kernel/time.ts';
import type { Silence } from './alerting.ts';
import { isMet, type Matcher } from './matcher.ts';
import { matchersField } from './settings.ts';

/** Maximum duration of a silence. To suppress an alert for longer, disable its rule. */
const maxDuration: Millis = 365 * 86_400_000;

const limits = { matchers: 20, value: 256, author: 100, reason: 1000 };

/** Characters of an id. Ambiguous ones are missing, because operators read ids aloud and type them. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz';
const idLength = 10;

const matchers = matchersField
  .refine(requiresLabelValue, { error: 'must require a value of at least one label' })
  .refine(isSmall, { error: 'is too large' });

const timestamp = z.iso
  .datetime({ offset: true, error: 'is not a timestamp such as 2026-01-31T12:00:00Z' })
  .transform((given) => Date.parse(given));

/** Body of the request that creates a silence. */
export const silenceRequestSchema = z
  .strictObject(
    {
      matchers: matchers.describe('Matchers, in the notation of Alertmanager; all of them must match the labels.'),
      author: text(limits.author).describe('Who creates the silence.'),
      reason: text(limits.reason).describe('Reason for the silence.'),
      startsAt: timestamp.optional().describe('When the silence begins; now if absent.'),
      endsAt: timestamp.optional().describe('When the silence ends; required without `duration`.'),
      duration: durationField.optional().describe('Length of the silence; required without `endsAt`.'),
    },
    {
      error: ({ code }) =>
        code === 'unrecognized_keys'
          ? 'only matchers, author, reason, startsAt, endsAt and duration are allowed'
          : 'the body must be a JSON object',
    },
  )
  .meta({
    id: 'SilenceRequest',
    description: 'Silence to create, with either `endsAt` or `duration`.',
    examples: [{ matchers: ['node=~"m1|m2"'], author: 'alice', reason: 'new disks', duration: '2h' }],
  });

/** Parses a request for a silence at `now`, wall-clock ms. The error is a sentence that lists all problems. */
export function parseSilence(given: unknown, id: string, now: number): Result<Silence, string> {
  const read = silenceRequestSchema.safeParse(given);
  if (!read.success) return err(read.error.issues.map(describeIssue).join('; '));
  const { matchers: requested, author, reason } = read.data;
  const startsAt = Math.max(now, read.data.startsAt ?? now);
  const endsAt = silenceEnd(read.data, startsAt);
  if (!endsAt.ok) return endsAt;
  const length = endsAt.value - startsAt;
  if (length <= 0) return err('the end must be after now and after the start');
  if (endsAt.value - now > maxDuration)
    return err('the end is more than a year away; to suppress an alert for longer, disable its rule');
  return ok({ id, matchers: requested, startsAt, endsAt: endsAt.value, author, reason });
}

/** Returns the id of a new silence. */
export function newSilenceId(random: Random): string {
  const character = (): string => alphabet.charAt(Math.floor(random.next() * alphabet.length));
  return Array.from({ length: idLength }, character).join('');
}

function silenceEnd(given: z.infer<typeof silenceRequestSchema>, startsAt: number): Result<number, string> {
  const { endsAt, duration } = given;
  if (endsAt !== undefined && duration !== undefined)
    return err('endsAt and duration are mutually exclusive; set one of them');
  const end = endsAt ?? (duration === undefined ? undefined : startsAt + duration);
  return end === undefined ? err('the end is missing; set duration or endsAt') : ok(end);
}

function describeIssue({ path, ...issue }: z.core.$ZodIssue): string {
  const isWrongType = issue.code === 'invalid_type' && issue.message.startsWith('Invalid input');
  const message = isWrongType ? `is not a ${issue.expected}` : issue.message;
  return path.length === 0 ? message : `${path.join('.')} ${message}`;
}

/** Returns whether a matcher requires a label: otherwise nearly every alert matches, because it lacks the labels. */
function requiresLabelValue(requested: readonly Matcher[]): boolean {
  return requested.some((matcher) => !isMet(matcher, ''));
}

function isSmall(requested: readonly Matcher[]): boolean {
  return requested.length <= limits.matchers && requested.every(({ value }) => value.length <= limits.value);
}

/** Creates a field for a text that is not blank. */
function text(length: number) {
  return z
    .string({ error: ({ input }) => (input === undefined ? 'is missing' : 'is not a string') })
    .trim()
    .min(1, { error: 'is missing' })
    .max(length, { error: `is longer than ${length} characters` });
}
