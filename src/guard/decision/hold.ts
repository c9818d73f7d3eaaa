import type { Millis } from '../../kernel/time.ts';
import type { NotReadyReason } from '../../model/not-ready.ts';
import type { Match } from '../matcher.ts';
import { isTentative, type LateReason, type SkipReason } from './decision.ts';
import { delayFor, observationCountOf, skipReasonFor } from './guard-conditions.ts';
import { notReadyReasonsOf } from './readiness.ts';
import type { GuardState, StepContext } from './state.ts';
import { activeDecisionFinder, isEligible, proposeDecision } from './victim-selection.ts';

/** Why a matching query is not aborted now. */
export type HoldReason =
  | NotReadyReason
  | SkipReason
  | LateReason
  | 'same_query'
  | 'tried_before'
  /** A policy in observe mode reports each query once. */
  | 'already_reported'
  | 'other_victims';

/** Reason that keeps a policy from aborting a query that it matches. */
export interface Hold {
  readonly reason: HoldReason;
  /** Time at which the reason ends without a further event, on the monotonic clock; absent if an event must occur first. */
  readonly until?: Millis;
}

/** Inputs of {@link holdOf} besides the state. */
export type HoldContext = StepContext & { readonly isPolled: boolean };

/** Returns why a matching query is not aborted, apart from its grace period and its confirmation. */
export function holdOf(match: Match, state: GuardState, context: HoldContext): Hold | undefined {
  const { candidate, policy, mode } = match;
  const active = activeDecisionFinder(state)(match);
  const begun = active?.policy === policy.name ? active : undefined;
  if (begun !== undefined && !isTentative(begun)) return undefined;
  const decision = begun ?? proposeDecision(match);
  if (begun === undefined && !isEligible(decision, state))
    return { reason: mode === 'observe' && state.reportedKeys.has(decision.key) ? 'already_reported' : 'tried_before' };
  const readiness = notReadyReasonsOf(policy, candidate.node, state, { ...context, now: context.now.mono });
  const blocked = readiness.find((reason) => !isBudget(reason));
  if (blocked !== undefined) return { reason: blocked };
  const skipReason = skipReasonFor({ decision, state, context, candidate, match });
  if (skipReason !== undefined && !isWait(skipReason, match)) return { reason: skipReason };
  const delay = delayFor(decision, state, context);
  if (delay !== undefined) return toHold(delay, context.now.mono);
  const isConfirmed = observationCountOf(match, state, context)?.confirmedAt !== undefined;
  return active === undefined && isConfirmed && match.holds ? { reason: 'other_victims' } : undefined;
}

/** Returns whether a skip reason ends as time passes, because the policy will match the query later. */
function isWait(skipReason: SkipReason, { holds }: Match): boolean {
  return skipReason === 'unconfirmed' || (skipReason === 'not_matched' && !holds);
}

function isBudget(reason: NotReadyReason): boolean {
  return reason === 'cluster_budget' || reason === 'node_budget';
}

/** Converts a delay to a hold; undefined if the delay is over. */
function toHold(
  { reason, until }: { readonly reason: HoldReason; readonly until: Millis | undefined },
  now: Millis,
): Hold | undefined {
  if (until === undefined) return { reason };
  return until > now ? { reason, until } : undefined;
}
