import { z } from 'zod';
import { countBound, durationBound } from './bound-fields.ts';
import type { GroupCondition } from './policy.ts';

/** The company that a query has to have. */
export const groupSection = z
  .strictObject({
    by: z
      .array(z.enum(['node', 'graph', 'query']))
      .min(1)
      .prefault(['node', 'graph', 'query'])
      .describe('What the queries of a group have in common.'),
    count: countBound.optional().describe('How many of them match.'),
    oldest: durationBound
      .optional()
      .describe('Age of the oldest of them.')
      .meta({ examples: ['> 5m'] }),
    youngest: durationBound
      .optional()
      .describe('Age of the youngest of them.')
      .meta({ examples: ['> 1m'] }),
  })
  .transform(({ by, count, oldest, youngest }, context): GroupCondition => {
    if (count === undefined && oldest === undefined && youngest === undefined) {
      context.issues.push({ code: 'custom', message: 'needs count, oldest or youngest', input: '' });
      return z.NEVER;
    }
    return {
      by: [...new Set(by)],
      ...(count === undefined ? {} : { count }),
      ...(oldest === undefined ? {} : { oldest }),
      ...(youngest === undefined ? {} : { youngest }),
    };
  })
  .describe('Looks at all queries of the cluster that match `when` and are alike, and asks this of them together.');
