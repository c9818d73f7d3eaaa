import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../src/guard/comparison.ts';
import { meets } from '../../src/guard/comparison.ts';
import type { Policy } from '../../src/guard/policy.ts';
import { minAgeWhenConfirmed, policyReach } from '../../src/guard/policy-reach.ts';
import { numberOfRuns } from '../support/campaign.ts';
import { policyOf } from './parsed-policy.ts';

const second = 1000;
const minute = 60 * second;
const endless = Number.POSITIVE_INFINITY;

describe('policy reach', () => {
  it.each([
    [{ when: { query: 'adhoc_*' } }, [34.5 * second, endless, 0]],
    [{ when: { query: 'adhoc_*' }, grace: '0s' }, [4.5 * second, endless, 0]],
    [{ when: { query: 'adhoc_*' }, confirm: { observations: 4, apart: '10s' } }, [57 * second, endless, 0]],
    [{ when: { age: '> 10m' } }, [10.5 * minute, endless, 0]],
    [{ when: { age: '> 10m', remaining: '> 30s' } }, [10.5 * minute, endless, 11 * minute]],
    [{ when: { age: '> 10m', granted_timeout: '> 1h' } }, [10.5 * minute, endless, 60 * minute]],
    [{ when: { granted_timeout: '> 1h', age_share: '> 0.5' } }, [30.5 * minute, endless, 60 * minute]],
    [{ when: { age_share: '> 0.5', remaining: '> 0s' } }, [minute, endless, minute]],
    [{ when: { age_share: '> 0.9', remaining: '> 30s' } }, [9.5 * minute, endless, 10 * minute]],
    [{ when: { granted_timeout: '> 1h', remaining: '< 10m' } }, [50.5 * minute, endless, 60 * minute]],
    [{ when: { query: 'a*', age: '< 5m' } }, [34.5 * second, 5 * minute, 0]],
    [{ when: { query: 'a*', age: '<= 34500ms' } }, [34.5 * second, 34.5 * second, 0]],
    [
      { when: { query: 'a*', granted_timeout: '<= 69s', age_share: '<= 0.5' } },
      [34.5 * second, 34.5 * second, 69 * second],
    ],
    [{ when: { query: 'a*', age_share: '< 0.5' } }, [34.5 * second, endless, 69 * second]],
    [{ when: { query: 'a*', granted_timeout: '< 2m', age_share: '< 0.5' } }, [34.5 * second, minute, 69 * second]],
    [{ when: { query: 'a*', granted_timeout: '< 2m', remaining: '> 1m' } }, [34.5 * second, minute, 94.5 * second]],
    [{ when: { query: 'a*' }, group: { youngest: '> 5m' } }, [5.5 * minute, endless, 0]],
    [{ when: { query: 'a*' }, group: { oldest: '> 5m' } }, [34.5 * second, endless, 0]],
    [{ when: { query: 'a*' }, group: { oldest: '< 5m' } }, [34.5 * second, 5 * minute, 0]],
    [{ when: { age_share: '> 1.5' }, grace: '1m' }, [64.5 * second, endless, 0]],
  ])('of %j is %j', (given, [earliest, latest, minTimeout]) => {
    const reach = policyReach(policyOf(given));
    expect(reach).toEqual({
      earliest: expect.closeTo(earliest ?? 0, 3),
      latest,
      minTimeout: expect.closeTo(minTimeout ?? 0, 3),
    });
  });

  it.each([
    [{ when: { query: 'a*', age: '< 30s' } }],
    [{ when: { query: 'a*', age: '<= 34499ms' } }],
    [{ when: { query: 'a*', age: '< 5m' }, grace: '5m' }],
    [{ when: { granted_timeout: '< 1m', age: '> 10m', remaining: '> 0s' } }],
    [{ when: { granted_timeout: '< 1m', age_share: '> 0.9', remaining: '> 0s' } }],
    [{ when: { age_share: '> 1', remaining: '> 0s' } }],
    [{ when: { query: 'a*', remaining: '> 1m', granted_timeout: '< 90s' } }],
    [{ when: { query: 'a*', remaining: '< 20s', age_share: '< 0.1', granted_timeout: '> 1m' } }],
    [{ when: { query: 'a*', age_share: '<= 0' } }],
    [{ when: { age: '> 10m' }, group: { oldest: '< 10m' } }],
    [{ when: { query: 'a*' }, group: { youngest: '> 30m', oldest: '< 20m' } }],
  ])('of %j is empty, so that the policy is rejected', (given) => {
    expect(() => policyOf(given)).toThrow('never matches: no query can meet all conditions');
  });
});

const operator = fc.constantFrom('>' as const, '>=' as const, '<' as const, '<=' as const);

function bounds(value: fc.Arbitrary<number>): fc.Arbitrary<Comparison> {
  return fc.record({ operator, value });
}

const length = fc.integer({ min: 0, max: 40 }).map((tens) => tens * 10 * second);
const policy = fc.record(
  {
    age: bounds(length),
    grantedTimeout: bounds(length),
    remaining: bounds(length),
    ageShare: bounds(fc.constantFrom(0, 0.1, 0.5, 0.9, 1, 1.5)),
  },
  { requiredKeys: [] },
);
const confirmation = fc.record({ grace: length, observations: fc.integer({ min: 2, max: 5 }) });

/** Whether a query of this timeout, which matches at `age`, still does so when the grace time is over. */
function isMeant({ when, confirm, grace }: Policy, timeout: number, age: number): boolean {
  const at = (now: number): boolean =>
    (when.age === undefined || meets(when.age, now)) &&
    (when.grantedTimeout === undefined || meets(when.grantedTimeout, timeout)) &&
    (when.remaining === undefined || meets(when.remaining, timeout - now)) &&
    (when.ageShare === undefined || meets(when.ageShare, now / timeout));
  return age >= minAgeWhenConfirmed(confirm) && at(age) && at(age + grace);
}

it('policy reach › contains every query that matches', () => {
  let meant = 0;
  let unreachable = 0;
  fc.assert(
    fc.property(policy, confirmation, ({ ...when }, { grace, observations }) => {
      const tried = { ...policyOf(), when, grace, confirm: { observations, apart: 5000 } };
      const reach = policyReach(tried);
      if (reach === undefined) unreachable += 1;
      for (let timeout = second; timeout < 500 * second; timeout += 7 * second) {
        for (let age = 0; age < 500 * second; age += 7 * second) {
          if (!isMeant(tried, timeout, age)) continue;
          meant += 1;
          const end = age + grace;
          const tiny = 1e-3;
          expect(reach).toBeDefined();
          expect(end).toBeGreaterThanOrEqual((reach?.earliest ?? endless) - tiny);
          expect(end).toBeLessThanOrEqual((reach?.latest ?? 0) + tiny);
          expect(timeout).toBeGreaterThanOrEqual((reach?.minTimeout ?? endless) - tiny);
        }
      }
    }),
    { numRuns: numberOfRuns({ short: 50, campaign: 150 }) },
  );
  expect(meant).toBeGreaterThan(1000);
  expect(unreachable).toBeGreaterThan(1);
});

it('policy reach › contains no query that cannot match', () => {
  fc.assert(
    fc.property(policy, confirmation, ({ ...when }, { grace, observations }) => {
      const tried = { ...policyOf(), when, grace, confirm: { observations, apart: 5000 } };
      const reach = policyReach(tried);
      if (reach === undefined) return;
      expect(reach.earliest).toBeLessThanOrEqual(reach.latest + 1e-3);
      // By bounds that may be met exactly, the youngest query that is reached is meant.
      const lax = isMeant(loosened(tried), reach.minTimeout, reach.earliest - grace);
      if (reach.minTimeout > 0) expect(lax).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

/** The same, with a little tolerance at each bound. */
function loosened(given: Policy): Policy {
  const when = Object.fromEntries(
    Object.entries(given.when).map(([key, value]) => [key, isComparison(value) ? loose(value) : value]),
  );
  return { ...given, when };
}

function loose({ operator: sign, value }: Comparison): Comparison {
  const tolerance = 1e-6 * (1 + value);
  return { operator: sign, value: sign.startsWith('>') ? value - tolerance : value + tolerance };
}

function isComparison(value: object): value is Comparison {
  return 'operator' in value && typeof value.operator === 'string';
}
