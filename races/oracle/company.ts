import type { GroupCondition, Policy } from '../../src/guard/policy.ts';
import type { Millis } from '../../src/kernel/time.ts';
import type { Query } from '../world/log.ts';
import { isMore, isOfThese, isSpared, type Span, spanOf } from './clauses.ts';
import { settingsAt, type Trial } from './trial.ts';

/** How much the guard may know too late of who runs, and what ages may be taken wrong by. */
export interface Leniency {
  readonly memory: Millis;
  readonly slack: Millis;
  /** Who counts; absent: all. */
  readonly counts?: (query: Query) => boolean;
}

/** Whether a query has the company at an instant that a policy asks for. */
export function hasCompany(
  trial: Trial,
  { policy, group, query }: { readonly policy: Policy; readonly group: GroupCondition; readonly query: Query },
  { at, memory, slack, counts = () => true }: Leniency & { readonly at: Millis },
): boolean {
  const settings = settingsAt(trial, at);
  const company = trial.log.queries.filter((one) => {
    const isThere = one.beganAt <= at && one.endedAt > at - memory;
    return isThere && isAlike(group, one, query) && isOfThese(policy.when, one) && !isSpared(settings, one);
  });
  const meant = (leeway: Millis) => company.filter((one) => isWithin(spanOf(policy.when, one, leeway), at));
  const members = meant(slack).filter(counts);
  const ages = members.map(({ beganAt }) => at - beganAt);
  // Where there has to be company, it is in doubt who is about to be of it; where nobody may be young, who was not seen.
  const known = meant(Math.abs(slack)).flatMap(({ beganAt }) => (at - beganAt >= memory ? [at - beganAt] : []));
  const isMany = group.count === undefined || isMore(group.count, members.length);
  const isOld = group.oldest === undefined || isMore(group.oldest, Math.max(...ages) + slack);
  return isMany && isOld && (group.youngest === undefined || isMore(group.youngest, Math.min(...known) + slack));
}

/** How many others of its kind a policy could take instead of a query, at an instant. */
export function rivalsOf(
  trial: Trial,
  policy: Policy,
  { query, at }: { readonly query: Query; readonly at: Millis },
): number {
  const { group, when } = policy;
  const settings = settingsAt(trial, at);
  return trial.log.queries.filter((one) => {
    const isThere =
      one !== query && one.beganAt <= at && one.endedAt > at - 45_000 && spanOf(when, one, 1000).from <= at;
    const isSame = group === undefined ? one.node === query.node : isAlike(group, one, query);
    return isThere && isSame && isOfThese(when, one) && !isSpared(settings, one);
  }).length;
}

function isWithin({ from, to }: Span, at: Millis): boolean {
  return from <= at && at <= to;
}

function isAlike({ by }: GroupCondition, one: Query, other: Query): boolean {
  return by.every((key) => (key === 'query' ? one.name === other.name : one[key] === other[key]));
}
