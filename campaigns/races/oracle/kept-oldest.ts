import { parseRequestId } from '../../../src/graphdb/query-identity.ts';
import type { Policy } from '../../../src/guard/policy.ts';
import type { Millis } from '../../../src/kernel/time.ts';
import type { Query } from '../simulation/log.ts';
import {
  conditionSpan,
  isProtectedQuery,
  isSameVictimGroup,
  matchesStaticConditions,
  type Span,
} from './conditions.ts';
import { enforcingPolicies, observationsOf, type RecordedRun, settingsAt, stateKnownSince } from './recorded-run.ts';

/** Maximum error of the guard in the order of two queries: of ages on two nodes, of which lists show one late. */
const orderTolerance: Millis = 5000;

interface VictimOfPolicy {
  readonly policy: Policy;
  readonly query: Query;
}

/**
 * Returns true if, in favour of the guard, a policy with `keep: oldest` may abort a query at an instant: an older query
 * of its group is left, without an abort request. A list may contain a query that ended `listMemory` before.
 */
export function isOlderQueryLeft(
  run: RecordedRun,
  { policy, query }: VictimOfPolicy,
  { at, listMemory, slack }: { readonly at: Millis; readonly listMemory: Millis; readonly slack: Millis },
): boolean {
  const since = knownSince(run, query, at);
  return run.log.queries.some((one) => {
    const { from, to } = conditionSpan(policy, one, slack);
    const isMatched = from <= at && at <= to && one.beganAt <= at && one.endedAt > at - listMemory;
    return (
      isMatched &&
      mayBeOlder(one, query, since) &&
      isRival(run, { policy, query }, { one, at }) &&
      !wasTried(run, one, at)
    );
  });
}

/** Returns true if an older query of the node surely stays matched through a span, so that the policy keeps that one. */
export function isOlderQueryKept(run: RecordedRun, { policy, query }: VictimOfPolicy, { from, to }: Span): boolean {
  return run.log.queries.some((one) => {
    const isOlder = one.node === query.node && one.beganAt < query.beganAt && timeInId(one) < timeInId(query);
    const matched = conditionSpan(policy, one, 0);
    const isMatched = matched.from < from && matched.to > to && one.beganAt + one.runsFor > to && one.endedAt > to;
    const owner = enforcingPolicies(settingsAt(run, from)).find((other) => matchesStaticConditions(other, one));
    return isOlder && isMatched && owner?.name === policy.name && isRival(run, { policy, query }, { one, at: from });
  });
}

/** Returns true if a query is another one of the group that the policy may abort. */
function isRival(
  run: RecordedRun,
  { policy, query }: VictimOfPolicy,
  { one, at }: { readonly one: Query; readonly at: Millis },
): boolean {
  return (
    one !== query &&
    isSameVictimGroup(policy, one, query) &&
    matchesStaticConditions(policy, one) &&
    !isProtectedQuery(settingsAt(run, at), one)
  );
}

/** Whether an abort of a query was sent. The start is compared too, because an id may repeat after a restart of its node. */
function wasTried({ log }: RecordedRun, { id, node, beganAt }: Query, at: Millis): boolean {
  return log.aborts.some(
    ({ order, sentAt }) => order.id === id && order.node === node && sentAt >= beganAt && sentAt <= at,
  );
}

/** Returns the latest start of a query that its ages allow: a clock that is set back before its first list hides a part. */
function knownSince(run: RecordedRun, query: Query, at: Millis): Millis {
  const [first] = observationsOf(run, query, stateKnownSince(run, at), at);
  const understatement = Math.max(0, -query.overstatedAge);
  return Math.min(query.beganAt + understatement, first?.receivedAt ?? at);
}

/** Whether the guard may regard a query as older. On one node it compares times in ids, whose order a queue or a clock step may reverse. */
function mayBeOlder(one: Query, query: Query, since: Millis): boolean {
  return one.beganAt < since + orderTolerance || (one.node === query.node && timeInId(one) <= timeInId(query));
}

function timeInId({ id }: Query): number {
  return parseRequestId(id)?.arrivedAt ?? Number.NaN;
}
