import { type Comparison, meets, negate, timingOf } from '../comparison.ts';
import { durationBound } from '../condition-fields.ts';
import { durationBoundText, durationPhrase, durationRangeText } from '../phrases.ts';
import { boundOn, type PolicyCondition } from './condition.ts';

/** Time for which the query has run, in milliseconds. */
export const age: PolicyCondition<Comparison> = {
  name: 'age',
  field: durationBound.optional().describe('Time for which the query has run.'),
  recorded: 'property',
  timing: (bound) => (lasted) => timingOf(bound, lasted, 'grows'),
  negated: negate,
  wanted: durationBoundText,
  seen: (_, lasted) => durationRangeText(lasted),
  phrases: (bound) => [`have run for ${durationPhrase(bound)}`],
  excludes: (bound, ordinary) => !meets(bound, ordinary.age),
  limits(bound) {
    const [lower, upper] = [boundOn(bound, '>'), boundOn(bound, '<')];
    return {
      ...(lower === undefined ? {} : { lower: { constant: lower, share: 0 } }),
      ...(upper === undefined ? {} : { upper: { constant: upper, share: 0 } }),
    };
  },
};
