import type { Decision, Outcome, SkipReason } from './decision.ts';
import type { GuardState, StepResult } from './state.ts';

/** Fewer in a row can be queries that end by themselves at about the time at which the policy would abort them. */
const foreignEndsToPause = 8;

/** How a decision ended whose earliest abort time had come: with an outcome, or without an intent. */
interface DecisionEnd {
  readonly outcome?: Outcome;
  readonly skipReason?: SkipReason | undefined;
}

/**
 * Detects a second guard that enforces the same policies: it aborts the same queries at the same time, so that they are
 * gone in the fresh list, or when the own abort arrives. The guard then pauses itself, so that one of the two is left.
 */
export function recordDecisionEnd(state: GuardState, { mode, manual }: Decision, end: DecisionEnd): StepResult {
  if (mode !== 'enforce' || manual !== undefined) return { state, outputs: [] };
  if (end.outcome === 'confirmed') return { state: { ...state, foreignEnds: 0 }, outputs: [] };
  const isForeign = end.outcome === 'finished_first' || (end.outcome === undefined && end.skipReason === 'not_listed');
  if (!isForeign) return { state, outputs: [] };
  const foreignEnds = state.foreignEnds + 1;
  if (foreignEnds < foreignEndsToPause) return { state: { ...state, foreignEnds }, outputs: [] };
  return {
    state: { ...state, foreignEnds: 0, standing: { ...state.standing, isPaused: true } },
    outputs: [{ kind: 'pause', reason: 'other_guard' }],
  };
}
