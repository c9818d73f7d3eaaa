import { deepEqual } from '../kernel/deep-equal.ts';
import type { Millis } from '../kernel/time.ts';
import { isAsStrict, isComparison } from './comparison.ts';
import { type Conditions, type GivenCondition, givenConditions } from './conditions/all.ts';
import { type AgeLimit, boundOn } from './conditions/condition.ts';
import { minApartShare } from './confirmation.ts';
import type { ConfirmSettings, Policy } from './policy.ts';

/** Default timeout of the server for queries whose client sets none, in ms. */
const defaultTimeout = 16_000;

/**
 * Returns whether conditions exclude an ordinary query: one with no special name and with the usual timeout, at its
 * confirmation. Other conditions could abort every query. Conditions on the node and on the method do not count, because
 * all queries of a node, or all GET requests, are too many as well.
 */
export function excludesOrdinaryQueries(when: Conditions, confirm: ConfirmSettings): boolean {
  const ordinary = { age: minAgeWhenConfirmed(confirm), grantedTimeout: defaultTimeout };
  return [...givenConditions(when)].some(({ condition, value }) => condition.excludes(value, ordinary));
}

/**
 * Returns the test whether every query that meets `when` meets other conditions as well: each of them is one of `when`, has
 * a bound that is not stricter, or is true of every name.
 */
export function impliedBy(when: Conditions): (other: readonly GivenCondition[]) => boolean {
  const required = new Map<string, unknown>([...givenConditions(when)].map(({ key, value }) => [key, value]));
  return (other) =>
    other.every(
      ({ key, condition, value }) => condition.isAlwaysTrue?.(value) === true || implies(required.get(key), value),
    );
}

function implies(required: unknown, value: unknown): boolean {
  return deepEqual(required, value) || (isComparison(required) && isComparison(value) && isAsStrict(required, value));
}

/** Returns the minimum age of a query when it is confirmed. */
export function minAgeWhenConfirmed({ observations, apart }: ConfirmSettings): Millis {
  return (observations - 1) * apart * minApartShare;
}

/**
 * Limits on the queries that a policy can abort. Gates and active hours do not count, because they may hold at any
 * time.
 */
export interface PolicyReach {
  /** Minimum age of an aborted query, in ms. */
  readonly earliest: Millis;
  /** Maximum age of an aborted query, in ms; `Infinity` without a limit. */
  readonly latest: Millis;
  /** Minimum granted timeout of an aborted query, in ms; 0 without a limit. */
  readonly minTimeout: Millis;
}

const unlimited = Number.POSITIVE_INFINITY;

/**
 * Combines the conditions of a policy: lower bounds on the age must hold at the match time, upper bounds until the end
 * of the grace period. Undefined if no query can meet both.
 */
export function policyReach(policy: Policy): PolicyReach | undefined {
  const limits = [...givenConditions(policy.when)].flatMap(({ condition, value }) => condition.limits?.(value) ?? []);
  const youngest = policy.group?.youngest && boundOn(policy.group.youngest, '>');
  const ages = [minAgeWhenConfirmed(policy.confirm), youngest ?? 0].map((constant) => ({ constant, share: 0 }));
  const lowers = [...ages, ...limits.flatMap(({ lower }) => lower ?? [])];
  const oldest = policy.group?.oldest && boundOn(policy.group.oldest, '<');
  const uppers = limits.flatMap(({ upper }) => upper ?? []);
  if (oldest !== undefined) uppers.push({ constant: oldest, share: 0 });
  let least = Math.max(0, ...limits.flatMap(({ minTimeout }) => minTimeout ?? []));
  let most = Math.min(unlimited, ...limits.flatMap(({ maxTimeout }) => maxTimeout ?? []));
  for (const lower of lowers) {
    for (const upper of uppers) {
      const slope = lower.share - upper.share;
      const slack = upper.constant - lower.constant - policy.grace;
      if (slope > 0) most = Math.min(most, slack / slope);
      else if (slope < 0) least = Math.max(least, slack / slope);
      else if (slack < 0) return undefined;
    }
  }
  if (least > most) return undefined;
  return {
    earliest: Math.max(...lowers.map((limit) => valueAt(limit, least))) + policy.grace,
    latest: Math.min(unlimited, ...uppers.map((limit) => valueAt(limit, most))),
    minTimeout: least,
  };
}

function valueAt({ constant, share }: AgeLimit, timeout: Millis): number {
  // Avoids NaN, the product of 0 and an infinite timeout.
  return share === 0 ? constant : constant + share * timeout;
}
