import { patternsField } from '../condition-fields.ts';
import { compilePatterns, matchesEveryName, type Patterns } from '../pattern.ts';
import { alternatives } from '../phrases.ts';
import type { PolicyCondition } from './condition.ts';

/** Name of the node that runs the query. One node alone does not exclude ordinary queries. */
export const node: PolicyCondition<Patterns> = {
  name: 'node',
  field: patternsField('node')
    .optional()
    .describe('Name of the node: a glob, or a list of globs of which one must match.')
    .meta({ examples: ['m1'] }),
  canProtect: true,
  recorded: 'property',
  test(patterns) {
    const test = compilePatterns(patterns);
    return (candidate) => test(candidate.node);
  },
  wanted: alternatives,
  seen: ({ node: name }) => name,
  phrases: (patterns) => [`run on the node ${alternatives(patterns)}`],
  excludes: () => false,
  isAlwaysTrue: matchesEveryName,
};
