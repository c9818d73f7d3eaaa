import { type Comparison, meets, timingOf } from '../comparison.ts';
import { durationBound } from '../condition-fields.ts';
import { durationPhrase } from '../phrases.ts';
import { boundOn, needsTimeout, type PolicyCondition } from './condition.ts';

/** Time until the server itself ends the query, in milliseconds. */
export const remaining: PolicyCondition<Comparison> = {
  name: 'remaining',
  field: durationBound
    .optional()
    .describe('Time until the server ends the query at its timeout.')
    .meta({ examples: ['> 30s'] }),
  recorded: 'property',
  timing: (bound) => (lasted, granted) => {
    if (granted === undefined) return undefined;
    return timingOf(bound, { least: granted - lasted.most, most: granted - lasted.least }, 'dwindles');
  },
  phrases: (bound) => [`have ${durationPhrase(bound)} left until the server ends them`],
  neverMatches: needsTimeout,
  excludes: (bound, ordinary) => !meets(bound, Math.max(0, ordinary.grantedTimeout - ordinary.age)),
  limits(bound) {
    const [most, least] = [boundOn(bound, '<'), boundOn(bound, '>')];
    return {
      ...(most === undefined ? {} : { lower: { constant: -most, share: 1 } }),
      ...(least === undefined ? {} : { upper: { constant: -least, share: 1 } }),
    };
  },
};
