import { z } from 'zod';
import { beginField, endField, weekdays, zoneField } from '../graphdb/week-fields.ts';
import type { ActiveWindow } from './policy.ts';

const dayNames: readonly string[] = weekdays;
const dayName = `(?:${weekdays.join('|')})`;

/** A day, or the days from one to another: the numbers of each. */
const daysField = z
  .string()
  .regex(new RegExp(`^${dayName}(?:-${dayName})?$`), { error: 'is no day and no days: write mon or mon-fri' })
  .transform((text) => {
    const [first = 0, last = first] = text.split('-').map((name) => dayNames.indexOf(name));
    const length = (last - first + weekdays.length) % weekdays.length;
    return Array.from({ length: length + 1 }, (_, at) => (first + at) % weekdays.length);
  });

/** The hours in which a policy may act. */
export const windowSection = z
  .strictObject({
    days: z
      .array(daysField)
      .min(1)
      .prefault(['sun-sat'])
      .describe('Days on which the hours begin.')
      .meta({ examples: [['mon-fri']] }),
    from: beginField.prefault('00:00').describe('When they begin.'),
    to: endField.prefault('24:00').describe('When they end; on the next day where that is not after `from`.'),
    tz: zoneField,
  })
  .transform(
    ({ days, from, to, tz }): ActiveWindow => ({
      days: [...new Set(days.flat())].toSorted((one, other) => one - other),
      from,
      to,
      zone: tz,
    }),
  )
  .describe('Hours of the week in which it acts; absent: always.');
