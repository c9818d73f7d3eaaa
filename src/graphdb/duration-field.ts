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
