import type { Instant } from '../../kernel/time.ts';
import { withdrawnFrom } from './attempts.ts';
import type { Decision, Doubt, Outcome } from './decision.ts';
import { pagesFor } from './outcomes.ts';
import { type GuardState, type Step, withDecision } from './state.ts';

/** These took effect, as far as anybody knows: pressure is to fall. */
const effective: ReadonlySet<Outcome> = new Set(['confirmed', 'vanished', 'still_running', 'unknown']);

/** A decision whose call was sent is over. */
export function ended(
  state: GuardState,
  decision: Decision,
  { outcome, now, doubt }: { readonly outcome: Outcome; readonly now: Instant; readonly doubt?: Doubt },
): Step {
  const { key, policy, target } = decision;
  const isEffective = effective.has(outcome);
  const awaited = state.awaited
    .filter((one) => one.key !== key || isEffective)
    .map((one) => (one.key === key ? { ...one, outcomeAt: now.mono } : one));
  return {
    state: withDecision({ ...state, awaited }, key, undefined),
    outputs: [
      {
        kind: 'outcome',
        key,
        policy,
        node: target.node,
        outcome,
        pages: pagesFor(outcome),
        at: now.wall,
        ...(doubt === undefined ? {} : { doubt }),
      },
    ],
  };
}

/** An intent that is not acted upon: nothing was sent, and it stays spent and barred. */
export function withdrawn(
  state: GuardState,
  decision: Decision,
  { doubt, now }: { readonly doubt: Doubt; readonly now: Instant },
): Step {
  const attempts = withdrawnFrom(state.attempts, decision.key);
  return ended({ ...state, attempts }, decision, { outcome: 'withdrawn', now, doubt });
}
