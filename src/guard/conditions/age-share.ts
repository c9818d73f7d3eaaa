import { type Comparison, meets, negate, timingOf } from '../comparison.ts';
import { shareBound } from '../condition-fields.ts';
import { sharePhrase } from '../phrases.ts';
import { boundOn, needsTimeout, type PolicyCondition } from './condition.ts';

/** Age of the query as a share of its granted timeout: 0.5 is half of it. */
export const ageShare: PolicyCondition<Comparison> = {
  name: 'age_share',
  field: shareBound.optional().describe('Age as a share of the granted timeout.'),
  recorded: 'property',
  // A timeout of zero has no share.
  timing:
    ({ operator, value }) =>
    (lasted, granted) =>
      granted ? timingOf({ operator, value: value * granted }, lasted, 'grows') : undefined,
  negated: negate,
  wanted: ({ operator, value }) => `${operator} ${value}`,
  seen: ({ observation: { grantedTimeout } }, lasted) =>
    grantedTimeout ? (lasted.least / grantedTimeout).toFixed(2) : undefined,
  phrases: (bound) => [`have used ${sharePhrase(bound)} of their timeout`],
  neverMatches: needsTimeout,
  excludes: (bound, ordinary) => !meets(bound, ordinary.age / ordinary.grantedTimeout),
  limits(bound) {
    const [lower, upper] = [boundOn(bound, '>'), boundOn(bound, '<')];
    return {
      ...(lower === undefined ? {} : { lower: { constant: 0, share: lower } }),
      ...(upper === undefined ? {} : { upper: { constant: 0, share: upper } }),
    };
  },
};
