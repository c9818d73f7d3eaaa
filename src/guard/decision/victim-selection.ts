import type { Millis } from '../../kernel/time.ts';
import { gateSince } from '../gates.ts';
import { pinnedInstance } from '../instances.ts';
import type { Match, MatchInput } from '../matcher.ts';
import { coverageProblem } from './coverage.ts';
import { type Decision, decisionKey, isTentative, repeatDecisionKey, targetReference } from './decision.ts';
import { recordDecisionEnd } from './foreign-aborts.ts';
import { checkInputFor, observationCountOf, skipReasonFor, startTimeOf } from './guard-conditions.ts';
import { matchableList } from './matchable-list.ts';
import { andThen, type GuardState, type StepContext, type StepResult, stepForEach, withDecision } from './state.ts';

/** Matches all queries with all policies, cancels decisions that no longer hold, and starts new ones. */
export function selectVictims(state: GuardState, context: StepContext): StepResult {
  const matched = matchPolicies(state, context);
  const step = stepForEach(matched, [...matched.decisions.values()].filter(isTentative), (before, decision) => {
    const skipReason = skipReasonFor(checkInputFor(decision, before, context));
    if (skipReason === undefined) return { state: before, outputs: [] };
    const { key, phase } = decision;
    const cancelled: StepResult = {
      state: withDecision(before, key, undefined),
      outputs: [{ kind: 'cancelled', ...targetReference(decision), skipReason }],
    };
    // A query that waited for another abort had time to end by itself.
    const isDue = phase === 'fresh' && decision.late === undefined;
    return isDue
      ? andThen(cancelled, (after) => recordDecisionEnd(after, decision, { end: { skipReason }, now: context.now }))
      : cancelled;
  });
  return andThen(step, (before) => stepForEach(before, newDecisions(before, context), startDecision));
}

/** Returns the decision that a match would start, confirmed or not. */
export function proposeDecision({ candidate, policy, mode, since }: Match): Decision {
  const { node, observation, grantedTimeout } = candidate;
  const { id, startTime, graph, query } = observation;
  const target = { node, id, startTime, graph, query };
  return {
    key: decisionKey(target),
    target,
    policy: policy.name,
    mode,
    matchedAt: since,
    due: since + policy.grace,
    ...(grantedTimeout === undefined ? {} : { endsAt: startTimeOf(candidate) + grantedTimeout.least }),
    phase: 'grace',
    absences: 0,
  };
}

/** Returns whether a decision may start: the query has no intent, and an observing policy has not reported it. */
export function isEligible({ target, mode }: Decision, state: GuardState): boolean {
  const key = decisionKey(target);
  return !state.excludedKeys.has(key) && !(mode === 'observe' && state.reportedKeys.has(key));
}

/** Returns the state with the current matches of the policies. */
export function matchPolicies(state: GuardState, context: StepContext): GuardState {
  if (context.policies.length === 0) return { ...state, matches: [], upcoming: [], groups: new Map() };
  return { ...state, ...context.matcher(matchInputFor(state, context)) };
}

/** Returns the input of the matcher: the queries of all recent lists. */
export function matchInputFor(state: GuardState, { interval, now }: Pick<StepContext, 'interval' | 'now'>): MatchInput {
  const covered = new Map<string, string>();
  const completeNodes = new Set<string>();
  const incompleteNodes = new Set<string>();
  const lists = [...state.views].flatMap(([node, view]) => {
    const list = matchableList(view, { interval, now });
    if (list === undefined) return [];
    const isShared = coverageProblem(node, state, now.mono) === 'other_cluster';
    const own = isShared ? undefined : pinnedInstance(state.instances, node, now.mono);
    if (own !== undefined) covered.set(node, own);
    if (list.skippedEntries > 0) incompleteNodes.add(node);
    // An empty list is complete even if the instance of the node is unknown.
    else if (own !== undefined || list.ids.size === 0) completeNodes.add(node);
    return [list];
  });
  return {
    candidates: lists.flatMap(({ candidates }) => [...candidates.values()]),
    listedAt: Math.max(...lists.map(({ times }) => times.received.mono)),
    now,
    groups: state.groups,
    isComplete: completeNodes.size === state.views.size,
    incompleteNodes,
    countsInGroups: ({ node, observation }) => covered.get(node) === observation.instance,
    gateSince: (node, clause) => gateSince(state.gates, { node, clause, now: now.mono }),
  };
}

/** Returns the decisions to start. Queries that cannot be aborted are skipped, so that they do not count as victims. */
function newDecisions(state: GuardState, context: StepContext): readonly Decision[] {
  const activeDecision = activeDecisionFinder(state);
  const decisionToStart = (match: Match): readonly Decision[] => {
    const at = observationCountOf(match, state, context)?.confirmedAt;
    return at === undefined || activeDecision(match) !== undefined
      ? []
      : [confirmedDecision(match, at, { state, context })];
  };
  // Most of many matches are not confirmed: the expensive checks skip them.
  const own = state.matches.filter(
    (match) =>
      match.owns &&
      (observationCountOf(match, state, context)?.confirmedAt !== undefined || activeDecision(match) !== undefined),
  );
  return pickVictims(
    own,
    (match) => activeDecision(match)?.policy === match.policy.name,
    (match) =>
      activeDecision(match) !== undefined ||
      decisionToStart(match).some((one) => isAbortable(one, match, { state, context })),
  ).flatMap(decisionToStart);
}

/** Returns a lookup of the policy decision in progress about the query of a match. */
export function activeDecisionFinder({ decisions }: GuardState): (match: Match) => Decision | undefined {
  const byPolicies = [...decisions.values()].filter(
    ({ key, target, manual }) => manual === undefined || key === decisionKey(target),
  );
  const byId = Map.groupBy(byPolicies, ({ target }) => target.id);
  return ({ candidate: { node, observation } }) =>
    byId.get(observation.id)?.find(({ target }) => target.node === node && target.startTime === observation.startTime);
}

function isAbortable(
  decision: Decision,
  match: Match,
  { state, context }: { readonly state: GuardState; readonly context: StepContext },
): boolean {
  const { candidate } = match;
  return isEligible(decision, state) && skipReasonFor({ decision, state, context, candidate, match }) === undefined;
}

/** Returns the decision of a confirmed match. After an intent without a request it has a new key, and may have to wait. */
function confirmedDecision(
  match: Match,
  at: Millis,
  { state, context }: { readonly state: GuardState; readonly context: StepContext },
): Decision {
  const { since, policy } = match;
  const matchedAt = Math.max(since, at);
  const decision = { ...proposeDecision(match), matchedAt, due: matchedAt + policy.grace };
  const retry = state.retries.get(decision.key);
  if (retry === undefined) return decision;
  const { wall } = context.now;
  return { ...decision, key: repeatDecisionKey(decision.target, wall), due: Math.max(decision.due, retry.notBefore) };
}

function startDecision(state: GuardState, decision: Decision): StepResult {
  const { key, policy, target } = decision;
  return {
    state: withDecision(state, key, decision),
    outputs: [{ kind: 'began', key, policy, node: target.node, decision }],
  };
}

/**
 * Returns the matches that their policies select, in order. Only the owning policy selects a match, at most `victims.max`
 * of a group at a time. `isEngaged` returns whether a match has a decision in progress: it stays selected, and counts
 * towards the limit. A match that `mayBegin` rejects is skipped; `mayBegin` is called only below the limit.
 */
export function pickVictims(
  matches: readonly Match[],
  isEngaged: (match: Match) => boolean,
  mayBegin: (match: Match) => boolean = () => true,
): readonly Match[] {
  const groups = Map.groupBy(
    matches.filter(({ owns }) => owns),
    ({ group }) => group,
  );
  return [...groups.values()].flatMap((group) => {
    const taken = group.filter(isEngaged);
    const isBelowLimit = ({ policy }: Match) => taken.length < policy.victims.max;
    const free = group.filter((match) => isBelowLimit(match) && !isEngaged(match)).toSorted(byPickOrder);
    for (const match of free) if (isBelowLimit(match) && mayBegin(match)) taken.push(match);
    return taken;
  });
}

/** Orders the matches of one policy, best first. Fields that do not change between lists break ties. */
function byPickOrder(one: Match, other: Match): number {
  const older = startTimeOf(one.candidate) - startTimeOf(other.candidate);
  if (older !== 0) return one.policy.victims.pick === 'oldest' ? older : -older;
  return matchKey(one) < matchKey(other) ? -1 : 1;
}

function matchKey({ candidate: { node, observation } }: Match): string {
  return `${node} ${observation.id}`;
}
