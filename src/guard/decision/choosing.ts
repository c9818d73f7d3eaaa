import type { Millis } from '../../kernel/time.ts';
import { gateSince } from '../gates.ts';
import { instanceOf } from '../instances.ts';
import type { Match } from '../matcher.ts';
import { victimsOf } from '../victims.ts';
import { type Decision, decisionKey } from './decision.ts';
import { confirmationOf, doubtOf, questionOf } from './doubts.ts';
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
  const lists = [...state.views].flatMap(([node, { list, pace }]) => {
    const oldest: Millis = now.mono - patientIntervals * intervalOf(pace, interval);
    if (list === undefined || list.times.received.mono < oldest) return [];
    const own = instanceOf(state.instances, node, now.mono);
    if (own !== undefined) covered.set(node, own);
    return [list];
  });
  const { matches, upcoming, groups } = matcher({
    candidates: lists.flatMap(({ candidates }) => [...candidates.values()]),
    readAt: Math.max(...lists.map(({ times }) => times.received.mono)),
    now,
    groups: state.groups,
    isWhole: covered.size === state.views.size,
    counts: ({ node, sighting }) => covered.get(node) === sighting.instance,
    gateSince: (node, clause) => gateSince(state.gates, { node, clause, now: now.mono }),
  });
  return { ...state, matches, upcoming, groups };
}

/** Victims are picked among those alone that could be aborted: what is barred does not stand in the way of others. */
function beginning(state: GuardState, context: Context): readonly Decision[] {
  const given = { state, context };
  const own = state.matches.filter(({ owns }) => owns);
  const possible = own
    .map((match) => ({ ...match, decision: confirmed(proposed(match), match, given) }))
    .filter((match) => isPossible(match, given));
  const underWay = ({ decision }: Possible) => state.decisions.get(decision.key);
  return victimsOf(possible, (match) => underWay(match)?.policy === match.policy.name)
    .filter((match) => underWay(match) === undefined)
    .map(({ decision }) => decision);
}

/** A match, and what it would begin. */
interface Possible extends Match {
  readonly decision: Decision;
}

interface Given {
  readonly state: GuardState;
  readonly context: Context;
}

function isPossible(match: Possible, { state, context }: Given): boolean {
  const { candidate, decision } = match;
  if (state.decisions.has(decision.key)) return true;
  return eligible(decision, state) && doubtOf({ decision, state, context, candidate, match }) === undefined;
}

function confirmed(decision: Decision, { since, policy }: Match, given: Given): Decision {
  const matchedAt = Math.max(since, confirmationOf({ decision, ...given }) ?? since);
  return { ...decision, matchedAt, due: matchedAt + policy.grace };
}

function begun(state: GuardState, decision: Decision): Step {
  const { key, policy, target } = decision;
  return {
    state: withDecision(state, key, decision),
    outputs: [{ kind: 'began', key, policy, node: target.node, decision }],
  };
}
