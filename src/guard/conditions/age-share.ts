import type { Range } from '../../kernel/range.ts';
import type { Millis } from '../../kernel/time.ts';
import { type Comparison, meets, negate, timingOf } from '../comparison.ts';
import { shareBound } from '../condition-fields.ts';
import { sharePhrase } from '../phrases.ts';
import { boundOn, needsTimeout, type PolicyCondition } from './condition.ts';

/** Age of the query as a share of its granted timeout: 0.5 is half of it. */
export const ageShare: PolicyCondition<Comparison> = {
  name: 'age_share',
  field: shareBound.optional().describe('Age as a share of the granted timeout.'),
  recorded: 'property',
  timing({ operator, value }) {
    const side = operator.startsWith('>') ? 'most' : 'least';
    return (lasted, granted) => {
      // A timeout of zero has no share.
      const timeout = granted?.[side] ?? 0;
      return timeout === 0 ? undefined : timingOf({ operator, value: value * timeout }, lasted, 'grows');
    };
  },
  negated: negate,
  wanted: ({ operator, value }) => `${operator} ${value}`,
  seen: ({ grantedTimeout }, { least }) => (grantedTimeout?.most ? shareText(least, grantedTimeout) : undefined),
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

/** Formats the share of a timeout: `0.50`, or `0.25 to 0.50` if the timeout is not known exactly. */
function shareText(lasted: Millis, { least, most }: Range): string {
  const share = (lasted / most).toFixed(2);
  if (least === 0) return `${share} or more`;
  return least === most ? share : `${share} to ${(lasted / least).toFixed(2)}`;
}
