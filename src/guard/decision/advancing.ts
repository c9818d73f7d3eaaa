import { err, type Result } from '../../kernel/result.ts';
import type { Millis } from '../../kernel/time.ts';
import { type Attempt, lackingBudget, sentFrom } from './attempts.ts';
import { countedTries, opened, queryBreaker } from './breakers.ts';
import type { Decision, Doubt, LateReason } from './decision.ts';
import { doubtOf, intentDoubtOf, listDoubtOf, type Question, questionOf } from './doubts.ts';
import { ended, withdrawn } from './ending.ts';
import { holdOf } from './holds.ts';
import { intended, policyOf } from './intents.ts';
import { orderOf } from './order.ts';
import { outcomeOf } from './outcomes.ts';
import type { AbortOrder } from './output.ts';
import { moved } from './phases.ts';
import { type Context, each, type GuardState, onward, type Step, withDecision } from './state.ts';

/** A call may look for a connection for so long; whatever it finds, the next one comes no sooner than budgets say. */
const onItsWay: Millis = 500;

/** Takes every decision as far as it may go now: those that enforce first, in the order in which they are due. */
export function advanced(state: GuardState, context: Context): Step {
  const inOrder = [...state.decisions.values()].toSorted(byRight);
  return each(state, inOrder, (before, decision) => ways[decision.phase](before, decision, context));
}

type Way = (state: GuardState, decision: Decision, context: Context) => Step;

/** One for each phase. */
const ways: Readonly<Record<Decision['phase'], Way>> = {
  grace: outOfGrace,
  fresh: toIntent,
  committing: toOrder,
  sent: toOutcome,
  verifying: toOutcome,
};

function outOfGrace(state: GuardState, decision: Decision, context: Context): Step {
  if (context.now.mono < decision.due) return { state, outputs: [] };
  const hold = holdOf(decision, state, context);
  if (hold !== undefined)
    return hold.reason === 'same_query' ? { state, outputs: [] } : late(state, decision, hold.reason);
  const next = moved(decision, 'fresh');
  return toIntent(withDecision(state, decision.key, next), next, context);
}

function toIntent(state: GuardState, decision: Decision, context: Context): Step {
  if (intentDoubtOf(decision.target.node, state, context) !== undefined) return { state, outputs: [] };
  // Another decision may have taken the room since this one was let out of its grace.
  if (holdOf(decision, state, context) !== undefined) {
    const back = moved(decision, 'grace');
    return outOfGrace(withDecision(state, decision.key, back), back, context);
  }
  const question = questionOf(decision, state, context);
  const isByHand = decision.manual !== undefined;
  const doubt = doubtOf(question) ?? (state.barred.has(decision.key) && !isByHand ? 'barred' : undefined);
  if (doubt !== undefined) return cancelled(state, decision, doubt);
  return intended(question, policyOf(decision, context.settings.policies));
}

function toOrder(state: GuardState, decision: Decision, context: Context): Step {
  if (decision.isOnDisk === undefined) return { state, outputs: [] };
  const order = decision.isOnDisk ? lastWord(questionOf(decision, state, context)) : err('audit' as const);
  if (!order.ok) return withdrawn(state, decision, { doubt: order.error, now: context.now });
  const sentAt = context.now.mono;
  const reaction = sentAt - decision.due;
  const spent = { ...state, attempts: sentFrom(state.attempts, decision.key, sentAt + onItsWay) };
  const sent = withDecision(spent, decision.key, moved(decision, 'sent', { sentAt }));
  const outputs = [{ kind: 'abort', order: order.value, policy: decision.policy, reaction }] as const;
  return onward({ state: sent, outputs }, (after) => counted(after, decision, context));
}

function lastWord(question: Question): Result<AbortOrder, Doubt> {
  const doubt = lastDoubt(question);
  return doubt === undefined ? orderOf(question) : err(doubt);
}

/** All that was well before the intent was on its way to the disk has to be so still. */
function lastDoubt(question: Question): Doubt | undefined {
  const { decision, state, context } = question;
  const isStale = listDoubtOf(decision.target.node, state, context) !== undefined;
  return doubtOf(question) ?? (isStale ? 'too_old' : undefined) ?? policyDoubtOf(question);
}

/** What binds policies and no operator. */
function policyDoubtOf(question: Question): Doubt | undefined {
  const { decision, state, context } = question;
  if (decision.manual !== undefined) return undefined;
  const { node } = decision.target;
  const spending = { node, key: decision.key, now: context.now.mono };
  return lackingBudget(context.settings.budgets, state.attempts, spending) === undefined ? undefined : 'budget';
}

/** As many aborts of one query as are too many: its clients try again, so a person has to look. */
function counted(state: GuardState, { target }: Decision, { settings, now }: Context): Step {
  const { aborts, within } = settings.breakers.sameQuery;
  const isSent = ({ key }: Attempt) => state.decisions.get(key)?.phase !== 'committing';
  const tries = countedTries(state.breakers, state.attempts.filter(isSent), { target, since: now.mono - within });
  const breaker = queryBreaker(target);
  if (tries < aborts || state.breakers.open.has(breaker)) return { state, outputs: [] };
  return {
    state: { ...state, breakers: opened(state.breakers, breaker) },
    outputs: [{ kind: 'breaker', breaker, isOpen: true }],
  };
}

function toOutcome(state: GuardState, decision: Decision, { now }: Context): Step {
  const outcome = outcomeOf(decision, now.mono);
  return outcome === undefined ? { state, outputs: [] } : ended(state, decision, { outcome, now });
}

function cancelled(state: GuardState, { key, policy, target }: Decision, doubt: Doubt): Step {
  return {
    state: withDecision(state, key, undefined),
    outputs: [{ kind: 'cancelled', key, policy, node: target.node, doubt }],
  };
}

/** The first reason is the one that is told. */
function late(state: GuardState, decision: Decision, reason: LateReason): Step {
  if (decision.late !== undefined) return { state, outputs: [] };
  const { key, policy, target } = decision;
  const isBudget = reason === 'node_budget' || reason === 'cluster_budget';
  return {
    state: withDecision(state, key, { ...decision, late: reason }),
    outputs: [
      { kind: 'late', key, policy, node: target.node, reason },
      ...(isBudget ? [{ kind: 'exhausted', budget: reason === 'node_budget' ? 'node' : 'cluster' } as const] : []),
    ],
  };
}

function byRight(one: Decision, other: Decision): number {
  if (one.mode !== other.mode) return one.mode === 'enforce' ? -1 : 1;
  return one.due - other.due || (one.key < other.key ? -1 : 1);
}
