import { patternsField } from '../condition-fields.ts';
import { compilePatterns, type Patterns } from '../pattern.ts';
import { alternatives } from '../phrases.ts';
import type { PolicyCondition } from './condition.ts';

/** HTTP method of the request; most servers do not list it. */
export const method: PolicyCondition<Patterns> = {
  name: 'method',
  field: patternsField('name')
    .optional()
    .describe('HTTP method of the request: a glob or a list; false if the server does not list it.')
    .meta({ examples: ['GET'] }),
  neverMatches: 'Queries whose method the server does not list never match; most servers do not list it.',
  recorded: 'property',
  test(patterns) {
    const test = compilePatterns(patterns);
    return ({ observation: { method: given } }) => (given === undefined ? undefined : test(given));
  },
  wanted: alternatives,
  seen: ({ observation }) => observation.method,
  phrases: (patterns) => [`use the HTTP method ${alternatives(patterns)}`],
  excludes: () => false,
};
