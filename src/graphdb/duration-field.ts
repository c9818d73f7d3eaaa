import { z } from 'zod';
import { parseDuration } from '../kernel/duration.ts';

/** A duration above zero in a configuration section: text such as `10s` in, milliseconds out. */
export const durationField = z
  .string()
  .transform((text, context) => {
    const length = parseDuration(text);
    if (length.ok && length.value > 0) return length.value;
    const message = length.ok
      ? 'must be longer than 0s'
      : 'is not a duration: write a number with a unit, such as 250ms, 10s, 5m or 1h30m';
    context.issues.push({ code: 'custom', message, input: '' });
    return z.NEVER;
  })
  .meta({ title: 'duration' });

/** A duration that may be `0s`, which means «not at all» or «at once»: text in, milliseconds out. */
export const holdField = z
  .string()
  .transform((text, context) => {
    const length = parseDuration(text);
    if (length.ok) return length.value;
    context.issues.push({ code: 'custom', message: 'is not a duration: write 0s, 10s or 5m', input: '' });
    return z.NEVER;
  })
  .meta({ title: 'duration' });
