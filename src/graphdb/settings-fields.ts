import { z } from 'zod';
import { formatDuration, parseDuration } from '../kernel/duration.ts';
import type { Result } from '../kernel/result.ts';
import { Secret, type SecretSource } from '../kernel/secret.ts';
import { formatSize, parseSize } from '../kernel/size.ts';
import type { Millis } from '../kernel/time.ts';

/** Name of a cluster, a node or a statement: it appears in labels, paths and `CLUSTER/NODE` without quoting. */
export const identifier = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, {
  error: 'must be 1 to 63 letters, digits, dots, dashes or underscores, and begin with a letter or digit',
});

/** Request id of an asynchronous statement. */
export const requestId = z.string().regex(/^[\w.-]{0,64}[\w-][\w.-]{0,63}$/, { error: 'must be a request id' });

/** Maximum number of asynchronous statements of a cluster. */
export const maxStatements = 100;

/** Longest duration, a century: a time that is further away has no date. */
const maxDuration: Millis = 36_500 * 86_400_000;
const tooLong = 'must not be longer than 36500d';

/** Duration of `least` or more: text such as `10s` in, milliseconds out. */
export function durationFieldFrom(least: Millis) {
  return z
    .string()
    .transform((text, context) => {
      const length = parseDuration(text);
      if (length.ok && length.value >= least && length.value <= maxDuration) return length.value;
      context.issues.push({ code: 'custom', message: durationProblem(length, least), input: '' });
      return z.NEVER;
    })
    .meta({ title: 'duration' });
}

function durationProblem(length: Result<Millis, string>, least: Millis): string {
  if (!length.ok) return 'is not a duration: write a number with a unit, such as 250ms, 10s, 5m or 1h30m';
  if (length.value === 0) return 'must be longer than 0s';
  return length.value < least ? `must be ${formatDuration(least)} or longer` : tooLong;
}

/** Duration above zero. A timer below one millisecond would run without a pause. */
export const durationField = durationFieldFrom(1);

/** Duration that may be `0s`, which disables or means immediately: text in, milliseconds out. */
export const nonNegativeDurationField = z
  .string()
  .transform((text, context) => {
    const length = parseDuration(text);
    if (length.ok && length.value <= maxDuration) return length.value;
    const message = length.ok ? tooLong : 'is not a duration: write 0s, 10s or 5m';
    context.issues.push({ code: 'custom', message, input: '' });
    return z.NEVER;
  })
  .meta({ title: 'duration' });

/** Size such as `64MiB`, of `least` bytes or more: text in, bytes out. */
export function sizeField(least = 0) {
  return z
    .string()
    .transform((text, context) => {
      const bytes = parseSize(text);
      if (bytes.ok && bytes.value >= least) return bytes.value;
      const message = bytes.ok ? `must be ${formatSize(least)} or more` : bytes.error;
      context.issues.push({ code: 'custom', message, input: '' });
      return z.NEVER;
    })
    .meta({ title: 'size' });
}

/** Secret, inline or from an environment variable. */
export const secretText = z
  .string()
  .min(1)
  // A line break would end the header that carries the secret.
  .refine((text) => !/\p{Cc}/u.test(text), { error: 'must not contain line breaks or control characters' })
  .transform((text) => new Secret(text));

/** Name of a file with a secret. */
export const secretFile = z.string().min(1);

/** Example value of an inline secret, which refers to an environment variable. */
export function environmentReference(variable: string): string {
  return `\${${variable}}`;
}

/** Returns the given one of two alternatives; undefined if neither or both are given. */
export function secretSource(value: Secret | undefined, file: string | undefined): SecretSource | undefined {
  if (value !== undefined) return file === undefined ? { value } : undefined;
  return file === undefined ? undefined : { file };
}

/**
 * HTTP or HTTPS URL without user, query and fragment: text in, the URL without a trailing slash out. Messages never repeat the
 * value, because URLs may contain passwords.
 */
export function urlField(example: string) {
  return z
    .string()
    .transform((text, context) => {
      const url = URL.parse(text);
      const message = urlProblem(text, url);
      if (url !== null && message === undefined) return url.origin + url.pathname.replace(/\/+$/, '');
      context.issues.push({ code: 'custom', message, input: '', params: { hint: `for example ${example}` } });
      return z.NEVER;
    })
    .meta({ title: 'URL', examples: [example] });
}

function urlProblem(text: string, url: URL | null): string | undefined {
  if (!/^\s*https?:\/\//i.test(text)) return 'must be an address that begins with http:// or https://';
  if (url === null) return 'is not an address: the host or the port (1 to 65535) is invalid';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password';
  return /[?#]/.test(text) ? 'must not have a query or a fragment' : undefined;
}

/** Days as the configuration names them; their indexes are the numbers of `WeeklyHours`. */
export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

const minutesPerDay = 24 * 60;

/** Start of hours: `hh:mm` in, minutes since midnight out. */
export const startTimeField = timeOfDayField('00:00–23:59', minutesPerDay - 1);

/** End of hours: the same, and midnight may be written `24:00`. */
export const endTimeField = timeOfDayField('00:00–24:00', minutesPerDay);

/** Name of a time zone. */
export const timeZoneField = z
  .string()
  .refine(isTimeZone, { error: 'is not a time zone; write its name, such as Europe/Berlin or UTC' })
  .prefault('UTC')
  .describe('Time zone of `from` and `to`, including daylight saving time.')
  .meta({ examples: ['Europe/Berlin'] });

function timeOfDayField(range: string, last: number) {
  return z.string().transform((text, context) => {
    const [, hours, minutes] = /^(\d\d):([0-5]\d)$/.exec(text) ?? [];
    const time = Number(hours) * 60 + Number(minutes);
    if (time <= last) return time;
    context.issues.push({ code: 'custom', message: `is not a time of day; write it as "hh:mm", ${range}`, input: '' });
    return z.NEVER;
  });
}

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
