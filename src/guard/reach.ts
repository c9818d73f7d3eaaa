import type { Millis } from '../kernel/time.ts';
import { leastAgeWhenConfirmed } from './narrowing.ts';
import type { Comparison, Policy } from './policy.ts';

/** What a policy can abort at all; nothing of it depends on gates, hours or groups, which may hold at any time. */
export interface Reach {
  /** No query is aborted younger than this, ms. */
  readonly earliest: Millis;
  /** None that is older than this; `Infinity` where age is no limit. */
  readonly latest: Millis;
  /** None whose granted timeout is shorter; 0 where it does not matter. */
  readonly leastTimeout: Millis;
}

/** A limit on an age that depends on the granted timeout T: constant + share × T. */
interface Limit {
  readonly constant: number;
  readonly share: number;
}

const endless = Number.POSITIVE_INFINITY;

/**
 * Adds up the clauses of a policy: what asks for a high age has to be met when the query matches, what asks for a low
 * one still when the grace time is over. Undefined where no query can do both.
 */
export function reachOf(policy: Policy): Reach | undefined {
  const { grantedTimeout } = policy.when;
  const [lowers, uppers] = [lowerLimits(policy), upperLimits(policy)];
  let [least, most] = [sided(grantedTimeout, '>', 0), sided(grantedTimeout, '<', endless)];
  for (const lower of lowers) {
    for (const upper of uppers) {
      const slope = lower.share - upper.share;
      const room = upper.constant - lower.constant - policy.grace;
      if (slope > 0) most = Math.min(most, room / slope);
      else if (slope < 0) least = Math.max(least, room / slope);
      else if (room < 0) return undefined;
    }
  }
  if (least > most) return undefined;
  return {
    earliest: Math.max(...lowers.map((limit) => valueAt(limit, least))) + policy.grace,
    latest: Math.min(endless, ...uppers.map((limit) => valueAt(limit, most))),
    leastTimeout: least,
  };
}

function lowerLimits({ when: { age, ageShare, remaining }, group, confirm }: Policy): readonly Limit[] {
  const constant = Math.max(leastAgeWhenConfirmed(confirm), sided(age, '>', 0), sided(group?.youngest, '>', 0));
  const left = sided(remaining, '<', endless);
  return [
    { constant, share: 0 },
    { constant: 0, share: sided(ageShare, '>', 0) },
    ...(left === endless ? [] : [{ constant: -left, share: 1 }]),
  ];
}

function upperLimits({ when: { age, ageShare, remaining } }: Policy): readonly Limit[] {
  const [most, left, share] = [
    sided(age, '<', endless),
    sided(remaining, '>', -endless),
    sided(ageShare, '<', endless),
  ];
  return [
    ...(most === endless ? [] : [{ constant: most, share: 0 }]),
    ...(left === -endless ? [] : [{ constant: -left, share: 1 }]),
    ...(share === endless ? [] : [{ constant: 0, share }]),
  ];
}

function valueAt({ constant, share }: Limit, timeout: Millis): number {
  // No share of an endless timeout is nothing, not an undefined number.
  return share === 0 ? constant : constant + share * timeout;
}

function sided(bound: Comparison | undefined, side: '<' | '>', otherwise: number): number {
  return bound?.operator.startsWith(side) === true ? bound.value : otherwise;
}
