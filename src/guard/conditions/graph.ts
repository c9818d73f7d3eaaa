import { patternsField } from '../condition-fields.ts';
import { compilePatterns, matchesEveryName, type Patterns } from '../pattern.ts';
import { alternatives } from '../phrases.ts';
import type { PolicyCondition } from './condition.ts';

/** Graph of the query. */
export const graph: PolicyCondition<Patterns> = {
  name: 'graph',
  field: patternsField('name')
    .optional()
    .describe('Name of the graph: a glob or a list.')
    .meta({ examples: [['sandbox']] }),
  canProtect: true,
  recorded: 'property',
  test(patterns) {
    const test = compilePatterns(patterns);
    return ({ observation }) => test(observation.graph);
  },
  wanted: alternatives,
  seen: ({ observation }) => observation.graph,
  phrases: (patterns) => [`run in the graph ${alternatives(patterns)}`],
  excludes: (patterns) => !matchesEveryName(patterns),
  isAlwaysTrue: matchesEveryName,
};
