import type { Range } from '../../kernel/range.ts';
import { type Comparison, meets, negate, timingOf } from '../comparison.ts';
import { durationBound } from '../condition-fields.ts';
import { durationBoundText, durationPhrase, durationRangeText } from '../phrases.ts';
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
    return granted === undefined ? undefined : timingOf(bound, remainingAt(lasted, granted), 'shrinks');
  },
  negated: negate,
  wanted: durationBoundText,
  seen: ({ grantedTimeout }, lasted) =>
    grantedTimeout === undefined ? undefined : durationRangeText(remainingAt(lasted, grantedTimeout)),
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

function remainingAt({ least, most }: Range, granted: Range): Range {
  return { least: granted.least - most, most: granted.most - least };
}
