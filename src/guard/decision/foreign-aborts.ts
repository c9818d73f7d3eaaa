import type { Millis } from '../../kernel/time.ts';
import type { Decision, Outcome, SkipReason } from './decision.ts';
import { type GuardState, noForeignEnds, type StepContext, type StepResult } from './state.ts';

/** Fewer in a row can be queries that end by themselves at about the time at which the policy would abort them. */
const inRowToPause = 8;
/** Two guards win about half of the time each; queries that end by themselves just then are fewer. */
const latestRequests = 16;
const lostToPause = 8;
/** So shortly before its timeout a query may have ended because of it. */
const timeoutTolerance: Millis = 5000;

/** How a decision ended whose earliest abort time had come: with an outcome, or without an intent. */
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
