import { type Comparison, meets } from '../comparison.ts';
import { durationBound } from '../condition-fields.ts';
import { durationBoundText, durationPhrase, durationRangeText } from '../phrases.ts';
import { boundOn, needsTimeout, type PolicyCondition } from './condition.ts';

/** Timeout that the client set for the query, in milliseconds. */
export const grantedTimeout: PolicyCondition<Comparison> = {
  name: 'granted_timeout',
  field: durationBound
    .optional()
    .describe('Timeout that the client set for the query.')
    .meta({ examples: ['> 1h'] }),
  recorded: 'property',
  test:
    (bound) =>
    ({ observation: { grantedTimeout: granted } }) =>
      granted === undefined ? undefined : meets(bound, granted),
  wanted: durationBoundText,
  seen: ({ observation: { grantedTimeout: granted } }) =>
    granted === undefined ? undefined : durationRangeText({ least: granted, most: granted }),
  phrases: (bound) => [`were granted a timeout of ${durationPhrase(bound)}`],
  neverMatches: needsTimeout,
  excludes: (bound, ordinary) => !meets(bound, ordinary.grantedTimeout),
  limits(bound) {
    const [leastTimeout, mostTimeout] = [boundOn(bound, '>'), boundOn(bound, '<')];
    return {
      ...(leastTimeout === undefined ? {} : { leastTimeout }),
      ...(mostTimeout === undefined ? {} : { mostTimeout }),
    };
  },
};
