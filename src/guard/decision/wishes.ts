import { readRequestId } from '../../graphdb/request-id.ts';
import type { Millis } from '../../kernel/time.ts';
import type { Candidate } from '../candidate.ts';
import { type Decision, decisionKey, furtherKey } from './decision.ts';
import { doubtOf, listDoubtOf, questionOf, standingDoubtOf } from './doubts.ts';
import type { GuardInput } from './input.ts';
import { isTentative } from './phases.ts';
import { type Context, each, type GuardState, type Step, withDecision } from './state.ts';
import type { Wish, WishDoubt } from './wish.ts';

const patience: Millis = 10_000;

/** When a wish is given up for want of a list. */
export function lastsUntil({ askedAt }: Wish): Millis {
  return askedAt + patience;
}

/** Takes a wish down, or declines what no list can make good. Whoever asks for the same again waits with the first. */
export function wished(
  state: GuardState,
  { node, id, by, reason, whilePaused }: GuardInput & { readonly kind: 'manual' },
  { now }: Pick<Context, 'now'>,
): Step {
  const wish: Wish = { node, id, by, reason, whilePaused, askedAt: now.mono };
  const isWaiting = state.wishes.some((one) => one.node === node && one.id === id);
  if (isWaiting) return { state, outputs: [] };
  if (readRequestId(id) === undefined) return declined(state, wish, 'malformed_id');
  if (!state.views.has(node)) return declined(state, wish, 'unknown_node');
  if (decisionOn(wish, state, isUnderWay) !== undefined) return declined(state, wish, 'under_way');
  return { state: { ...state, wishes: [...state.wishes, wish] }, outputs: [] };
}

/** Decides the wishes for which there is a list by now, and gives up those that waited too long. */
export function granted(state: GuardState, context: Context): Step {
  return each(state, state.wishes, (before, wish) => answered(before, wish, context));
}

function answered(state: GuardState, wish: Wish, context: Context): Step {
  const standing = standingDoubtOf(state.standing, wish);
  if (standing !== undefined) return declined(state, wish, standing);
  const list = state.views.get(wish.node)?.list;
  const isFresh = list !== undefined && list.times.started.mono >= wish.askedAt;
  if (!isFresh || listDoubtOf(wish.node, state, context) !== undefined)
    return context.now.mono < lastsUntil(wish) ? { state, outputs: [] } : declined(state, wish, 'no_list');
  const candidate = list.candidates.get(wish.id);
  if (candidate === undefined) return declined(state, wish, list.ids.has(wish.id) ? 'left_out' : 'not_listed');
  if (decisionOn(wish, state, isUnderWay) !== undefined) return declined(state, wish, 'under_way');
  const decision = decisionFor(wish, candidate, { state, context });
  const doubt = doubtOf(questionOf(decision, state, context));
  return doubt === undefined ? begun(without(wish, state), decision) : declined(state, wish, doubt);
}

function decisionFor(
  { node, id, by, reason, whilePaused, askedAt }: Wish,
  { sighting: { startTime, graph, query } }: Candidate,
  { state, context }: { readonly state: GuardState; readonly context: Context },
): Decision {
  const target = { node, id, startTime, graph, query };
  const key = decisionKey(target);
  return {
    key: state.barred.has(key) ? furtherKey(target, context.now.wall) : key,
    target,
    policy: '',
    manual: { by, reason, whilePaused },
    mode: 'enforce',
    matchedAt: askedAt,
    due: askedAt,
    phase: 'fresh',
    absences: 0,
  };
}

/** A policy that has begun with the same entry, and spent nothing yet, gives way. */
function begun(state: GuardState, decision: Decision): Step {
  const { key, policy, target } = decision;
  const { node } = target;
  const earlier = decisionOn(target, state, isTentative);
  const after = earlier === undefined ? state : withDecision(state, earlier.key, undefined);
  return {
    state: withDecision(after, key, decision),
    outputs: [
      ...(earlier === undefined
        ? []
        : [{ kind: 'cancelled', key: earlier.key, policy: earlier.policy, node, doubt: 'by_hand' } as const]),
      { kind: 'began', key, policy, node, decision },
    ],
  };
}

function decisionOn(
  { node, id }: Pick<Wish, 'node' | 'id'>,
  { decisions }: GuardState,
  isSuch: (decision: Decision) => boolean,
): Decision | undefined {
  return [...decisions.values()].find((one) => one.target.node === node && one.target.id === id && isSuch(one));
}

function isUnderWay(decision: Decision): boolean {
  return !isTentative(decision);
}

function declined(state: GuardState, wish: Wish, doubt: WishDoubt): Step {
  const { node, id } = wish;
  return { state: without(wish, state), outputs: [{ kind: 'declined', node, id, doubt }] };
}

function without(wish: Wish, state: GuardState): GuardState {
  return { ...state, wishes: state.wishes.filter((one) => one !== wish) };
}
