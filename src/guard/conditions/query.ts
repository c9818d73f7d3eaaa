import { patternsField } from '../condition-fields.ts';
import { compilePatterns, matchesEveryName, type Patterns } from '../pattern.ts';
import { alternatives } from '../phrases.ts';
import type { PolicyCondition } from './condition.ts';

/** Name of the installed query. */
export const query: PolicyCondition<Patterns> = {
  name: 'query',
  field: patternsField('name')
    .optional()
    .describe('Name of the installed query: a glob or a list; `re:^…$` is a regular expression.')
    .meta({ examples: ['adhoc_*'] }),
  canProtect: true,
  recorded: 'property',
  test(patterns) {
    const test = compilePatterns(patterns);
    return ({ observation }) => test(observation.query);
  },
  wanted: alternatives,
  seen: ({ observation }) => observation.query,
  phrases: (patterns) => [`are called ${alternatives(patterns)}`],
  excludes: (patterns) => !matchesEveryName(patterns),
  isAlwaysTrue: matchesEveryName,
};
