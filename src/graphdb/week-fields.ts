import { z } from 'zod';

/** The days as a configuration names them; their places are the numbers of `WeeklyHours`. */
export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

const minutesPerDay = 24 * 60;

/** When hours begin: `hh:mm` in, minutes since midnight out. */
export const beginField = timeField('00:00–23:59', minutesPerDay - 1);

/** When hours end: the same, and midnight may be written `24:00` as well. */
export const endField = timeField('00:00–24:00', minutesPerDay);

/** The name of a time zone. */
export const zoneField = z
  .string()
  .refine(isZone, { error: 'is no time zone: write its name, such as Europe/Berlin or UTC' })
  .prefault('UTC')
  .describe('Time zone in which `from` and `to` are told, with its summer time.')
  .meta({ examples: ['Europe/Berlin'] });

function timeField(range: string, last: number) {
  return z.string().transform((text, context) => {
    const [, hours, minutes] = /^(\d\d):([0-5]\d)$/.exec(text) ?? [];
    const time = Number(hours) * 60 + Number(minutes);
    if (time <= last) return time;
    context.issues.push({ code: 'custom', message: `is no time of day: write it as "hh:mm", ${range}`, input: '' });
    return z.NEVER;
  });
}

function isZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
