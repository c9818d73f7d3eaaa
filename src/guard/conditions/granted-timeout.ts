import { type Comparison, certainlyMeets, meets, negate } from '../comparison.ts';
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
    ({ grantedTimeout: granted }) => {
      if (granted === undefined) return undefined;
      return certainlyMeets(bound, granted) ? true : certainlyMeets(negate(bound), granted) ? false : undefined;
    },
  wanted: durationBoundText,
  seen: ({ grantedTimeout: granted }) => granted && durationRangeText(granted),
  phrases: (bound) => [`were granted a timeout of ${durationPhrase(bound)}`],
  neverMatches: needsTimeout,
  excludes: (bound, ordinary) => !meets(bound, ordinary.grantedTimeout),
  limits(bound) {
    const [minTimeout, maxTimeout] = [boundOn(bound, '>'), boundOn(bound, '<')];
    return {
      ...(minTimeout === undefined ? {} : { minTimeout }),
      ...(maxTimeout === undefined ? {} : { maxTimeout }),
    };
  },
};
