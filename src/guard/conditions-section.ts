import { z } from 'zod';
import { durationBound, shareBound } from './bound-fields.ts';
import { patternsField } from './pattern-field.ts';
import type { Conditions, Protection } from './policy.ts';

const whereFields = {
  node: patternsField('node')
    .optional()
    .describe('Name of the node: a glob, or a list of which one has to match.')
    .meta({ examples: ['m1'] }),
  graph: patternsField('name')
    .optional()
    .describe('Name of the graph, likewise.')
    .meta({ examples: [['sandbox']] }),
  query: patternsField('name')
    .optional()
    .describe('Name of the installed query, likewise; `re:^…$` is a regular expression.')
    .meta({ examples: ['adhoc_*'] }),
};

const conditionFields = {
  ...whereFields,
  method: patternsField('name')
    .optional()
    .describe('Method of the request, likewise; matches nothing where the server does not list it.')
    .meta({ examples: ['GET'] }),
  params: z
    .record(z.string().min(1, { error: 'is no name of a parameter' }), patternsField('text'), {
      error: 'is no mapping of parameters to patterns',
    })
    .refine((params) => Object.keys(params).length > 0, { error: 'names no parameter' })
    .optional()
    .describe('Patterns by parameter of the request, all of which have to match; the values are never kept.')
    .meta({ examples: [{ depth: 're:^[0-9]{2,}$' }] }),
  age: durationBound.optional().describe('How long it has been running.'),
  granted_timeout: durationBound
    .optional()
    .describe('The timeout that the client granted itself.')
    .meta({ examples: ['> 1h'] }),
  remaining: durationBound
    .optional()
    .describe('Time until the server ends it by itself.')
    .meta({ examples: ['> 30s'] }),
  age_share: shareBound.optional().describe('Age as a share of the granted timeout.'),
};

/** What is asked of a query: all of it. */
export const conditionsSection = z
  .strictObject(conditionFields)
  .transform((given, context): Conditions => {
    const { granted_timeout: grantedTimeout, age_share: ageShare, ...rest } = given;
    const conditions: Conditions = present({ ...rest, grantedTimeout, ageShare });
    if (Object.keys(conditions).length > 0) return conditions;
    context.issues.push({ code: 'custom', message: 'is empty, which would mean every query', input: '' });
    return z.NEVER;
  })
  .describe('What a query has to be like: all of it. What the server does not tell of a query does not match.');

/** Queries that no policy aborts. */
export const protectionSection = z.strictObject(whereFields).transform((given, context): Protection => {
  const protection: Protection = present(given);
  if (Object.keys(protection).length > 0) return protection;
  context.issues.push({
    code: 'custom',
    message: 'is empty, which would protect every query',
    params: { hint: 'to abort nothing, say guard.mode: observe' },
    input: '',
  });
  return z.NEVER;
});

/** The fields that are there. */
function present<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> };
function present(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
