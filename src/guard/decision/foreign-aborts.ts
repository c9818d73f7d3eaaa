import type { Millis } from '../../kernel/time.ts';
import type { Decision, Outcome, SkipReason } from './decision.ts';
import { type GuardState, noForeignEnds, type StepContext, type StepResult } from './state.ts';

/**
 * Consecutive decisions that find their query gone and pause the guard. Fewer can be queries that end by themselves at
 * about their earliest abort time.
 */
const inRowToPause = 8;
/**
 * Latest abort requests that count, and the number of them with a query that was gone at their arrival which pauses the
 * guard: a second guard is faster about half of the time, and fewer queries end by themselves at that moment.
 */
const latestRequests = 16;
const lostToPause = 8;
/** Time before the timeout of a query in which the timeout explains its end. */
const timeoutTolerance: Millis = 5000;

/** End of a decision whose earliest abort time had passed: with an outcome, or without an intent. */
interface DecisionEnd {
  readonly outcome?: Outcome;
  readonly skipReason?: SkipReason | undefined;
}

/**
 * Detects a second guard that enforces the same policies: it aborts the same queries at the same time, so that they are
 * gone in the fresh list, or when the own abort arrives. The guard then pauses itself, so that one of the two is left.
 */
export function recordDecisionEnd(
  state: GuardState,
  decision: Decision,
  { end: { outcome, skipReason }, now }: { readonly end: DecisionEnd; readonly now: StepContext['now'] },
): StepResult {
  const isConfirmed = outcome === 'confirmed';
  const isLost = outcome === 'finished_first';
  const isGone = isLost || (outcome === undefined && skipReason === 'not_listed');
  const { mode, manual, sentAt = now.mono, endsAt = Number.POSITIVE_INFINITY } = decision;
  const isTimeout = isGone && sentAt >= endsAt - timeoutTolerance;
  if (mode !== 'enforce' || manual !== undefined || isTimeout || !(isGone || isConfirmed))
    return { state, outputs: [] };
  const inRow = isGone ? state.foreignEnds.inRow + 1 : 0;
  const lost = [...state.foreignEnds.lost, ...(isLost || isConfirmed ? [isLost] : [])].slice(-latestRequests);
  if (inRow < inRowToPause && lost.filter(Boolean).length < lostToPause)
    return { state: { ...state, foreignEnds: { inRow, lost } }, outputs: [] };
  return {
    state: { ...state, foreignEnds: noForeignEnds, status: { ...state.status, isPaused: true } },
    outputs: [{ kind: 'pause', reason: 'other_guard' }],
  };
}
