import { z } from 'zod';
import { durationField } from '../../graphdb/settings-fields.ts';
import { pathField } from '../custom/metric-settings.ts';
import type { AgeAssertion, Assertions, CountAssertion, ValueAssertion } from './probe.ts';

/** Path to one value. */
const onePath = pathField.refine(({ isEach }) => !isEach, { error: 'must lead to one value; remove the `*`' });

const countSection = z
  .strictObject({
    path: onePath
      .optional()
      .describe('Path of the list or object whose entries are counted; the whole result if omitted.')
      .meta({ examples: ['0.accounts'] }),
    min: z
      .int()
      .min(0)
      .optional()
      .describe('Minimum number of entries.')
      .meta({ examples: [1] }),
    max: z
      .int()
      .min(0)
      .optional()
      .describe('Maximum number of entries.')
      .meta({ examples: [1000] }),
  })
  .transform(({ path, min, max }, context): CountAssertion => {
    const wrong = boundsProblem(min, max) ?? (min === undefined && max === undefined ? 'needs min or max' : undefined);
    if (wrong !== undefined) {
      context.issues.push({ code: 'custom', message: wrong, input: '' });
      return z.NEVER;
    }
    return { ...(path === undefined ? {} : { path }), ...bounds(min, max) };
  });

const valueSection = z
  .strictObject({
    path: onePath
      .describe('Path of the value, which must exist: the index of the PRINT statement from 0, then names.')
      .meta({ examples: ['0.total'] }),
    equals: z
      .union([z.string(), z.number(), z.boolean()], { error: 'must be a text, a number, true or false' })
      .optional()
      .describe('Required value.')
      .meta({ examples: ['ok'] }),
    min: z
      .number()
      .optional()
      .describe('Minimum value; the value must be a number.')
      .meta({ examples: [1] }),
    max: z
      .number()
      .optional()
      .describe('Maximum value; the value must be a number.')
      .meta({ examples: [100] }),
  })
  .transform(({ path, equals, min, max }, context): ValueAssertion => {
    const isBoth = equals !== undefined && (min !== undefined || max !== undefined);
    const wrong = isBoth ? 'has equals and a bound; keep one of them' : boundsProblem(min, max);
    if (wrong !== undefined) {
      context.issues.push({ code: 'custom', message: wrong, input: '' });
      return z.NEVER;
    }
    return { path, ...(equals === undefined ? {} : { equals }), ...bounds(min, max) };
  });

const ageSection = z
  .strictObject({
    path: onePath
      .describe('Path of the timestamp: Unix time in seconds or milliseconds, or `YYYY-MM-DD hh:mm:ss` in UTC.')
      .meta({ examples: ['0.newest'] }),
    max: durationField
      .optional()
      .describe('Maximum age; if omitted, the age is exposed but not checked.')
      .meta({ examples: ['15m'] }),
  })
  .transform(({ path, max }): AgeAssertion => ({ path, ...(max === undefined ? {} : { max }) }));

/** `assert` of a probe. */
export const assertionsSection = z
  .strictObject({
    max_latency: durationField
      .optional()
      .describe('Maximum duration of a successful run; the timeout if omitted.')
      .meta({ examples: ['500ms'] }),
    count: countSection.optional().describe('Assertion on the number of entries of a list or object.'),
    values: z.array(valueSection).max(20).prefault([]).describe('Assertions on values of the result.'),
    age: ageSection.optional().describe('Assertion on the age of a timestamp in the result.'),
  })
  .transform(
    ({ max_latency: maxLatency, count, values, age }): Assertions => ({
      values,
      ...(maxLatency === undefined ? {} : { maxLatency }),
      ...(count === undefined ? {} : { count }),
      ...(age === undefined ? {} : { age }),
    }),
  )
  .prefault({})
  .describe('Assertions on the result. The first one that fails determines the reason of the failure.');

function boundsProblem(min: number | undefined, max: number | undefined): string | undefined {
  return min !== undefined && max !== undefined && min > max ? 'has a min above its max; swap them' : undefined;
}

function bounds(min: number | undefined, max: number | undefined): { readonly min?: number; readonly max?: number } {
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}
