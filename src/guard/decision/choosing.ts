import type { Millis } from '../../kernel/time.ts';
import { gateSince } from '../gates.ts';
import { instanceOf } from '../instances.ts';
import type { Match } from '../matcher.ts';
import { victimsOf } from '../victims.ts';
import { type Decision, decisionKey } from './decision.ts';
import { countOf, doubtOf, questionOf } from './doubts.ts';
import { intervalOf } from './pace.ts';
import { isTentative } from './phases.ts';
import { type Context, each, type GuardState, onward, type Step, withDecision } from './state.ts';

const patientIntervals = 3;

/** Looks at all lists with all policies, and begins what is seen, matched and confirmed. */
export function chosen(state: GuardState, context: Context): Step {
  const matched = matching(state, context);
  const step = each(matched, [...matched.decisions.values()].filter(isTentative), (before, decision) => {
    const doubt = doubtOf(questionOf(decision, before, context));
    if (doubt === undefined) return { state: before, outputs: [] };
    const { key, policy, target } = decision;
    return {
      state: withDecision(before, key, undefined),
      outputs: [{ kind: 'cancelled', key, policy, node: target.node, doubt }],
    };
  });
  return onward(step, (before) => each(before, beginning(before, context), begun));
}

/** What a match would be as a decision; confirmed or not. */
export function proposed({ candidate: { node, sighting }, policy, mode, since }: Match): Decision {
  const { id, startTime, graph, query } = sighting;
  const target = { node, id, startTime, graph, query };
  return {
    key: decisionKey(target),
    target,
    policy: policy.name,
    mode,
    matchedAt: since,
    due: since + policy.grace,
    phase: 'grace',
    absences: 0,
  };
}

/** The matches that may become decisions, whether they are confirmed yet or not. */
export function eligible({ key, mode }: Decision, state: GuardState): boolean {
  return !state.barred.has(key) && !(mode === 'observe' && state.told.has(key));
}

function matching(state: GuardState, { matcher, interval, now }: Context): GuardState {
  const covered = new Map<string, string>();
  const whole = new Set<string>();
  const lacking = new Set<string>();
  const lists = [...state.views].flatMap(([node, { list, pace }]) => {
    const oldest: Millis = now.mono - patientIntervals * intervalOf(pace, interval);
    if (list === undefined || list.times.received.mono < oldest) return [];
    const own = instanceOf(state.instances, node, now.mono);
    if (own !== undefined) covered.set(node, own);
    if (list.leftOut > 0) lacking.add(node);
    // A node where nothing runs need not be known any better.
    else if (own !== undefined || list.ids.size === 0) whole.add(node);
    return [list];
  });
  const { matches, upcoming, groups } = matcher({
    candidates: lists.flatMap(({ candidates }) => [...candidates.values()]),
    readAt: Math.max(...lists.map(({ times }) => times.received.mono)),
    now,
    groups: state.groups,
    isWhole: whole.size === state.views.size,
    lacking,
    counts: ({ node, sighting }) => covered.get(node) === sighting.instance,
    gateSince: (node, clause) => gateSince(state.gates, { node, clause, now: now.mono }),
  });
  return { ...state, matches, upcoming, groups };
}

/** Victims are picked among those alone that could be aborted: what is barred does not stand in the way of others. */
function beginning(state: GuardState, context: Context): readonly Decision[] {
  const underWay = underWayIn(state);
  const toBegin = (match: Match): readonly Decision[] => {
    const at = countOf(match, state, context)?.confirmedAt;
    return at === undefined || underWay(match) !== undefined ? [] : [confirmed(match, at)];
  };
  // There may be very many, most of them not to be looked at any closer.
  const own = state.matches.filter(
    (match) =>
      match.owns && (countOf(match, state, context)?.confirmedAt !== undefined || underWay(match) !== undefined),
  );
  return victimsOf(
    own,
    (match) => underWay(match)?.policy === match.policy.name,
    (match) =>
      underWay(match) !== undefined || toBegin(match).some((one) => isPossible(one, match, { state, context })),
  ).flatMap(toBegin);
}

/** Finds the decision that is under way on what a match is about. */
function underWayIn({ decisions }: GuardState): (match: Match) => Decision | undefined {
  const plain = [...decisions.values()].filter(({ key, target }) => key === decisionKey(target));
  const byId = Map.groupBy(plain, ({ target }) => target.id);
  return ({ candidate: { node, sighting } }) =>
    byId.get(sighting.id)?.find(({ target }) => target.node === node && target.startTime === sighting.startTime);
}

function isPossible(
  decision: Decision,
  match: Match,
  { state, context }: { readonly state: GuardState; readonly context: Context },
): boolean {
  const { candidate } = match;
  return eligible(decision, state) && doubtOf({ decision, state, context, candidate, match }) === undefined;
}

function confirmed(match: Match, at: Millis): Decision {
  const { since, policy } = match;
  const matchedAt = Math.max(since, at);
  return { ...proposed(match), matchedAt, due: matchedAt + policy.grace };
}

function begun(state: GuardState, decision: Decision): Step {
  const { key, policy, target } = decision;
  return {
    state: withDecision(state, key, decision),
    outputs: [{ kind: 'began', key, policy, node: target.node, decision }],
  };
}
