import type { AbortAttempt } from '../../../src/guard/decision/budgets.ts';
import { type Decision, decisionKey } from '../../../src/guard/decision/decision.ts';

/** A decision in its grace; what a test is about it says itself. */
export function decisionOf(changes: Partial<Decision> = {}): Decision {
  const target = { node: 'n1', id: 'i1', startTime: 's', graph: 'fraud', query: 'ring_scan' };
  return {
    key: decisionKey(target),
    target,
    policy: 'runaway',
    mode: 'enforce',
    matchedAt: 0,
    due: 30_000,
    phase: 'grace',
    absences: 0,
    ...changes,
  };
}

/** An attempt on `n1` at 0. */
export function attemptAt(at: number, changes: Partial<AbortAttempt> = {}): AbortAttempt {
  const key = `${at} ${changes.node ?? ''}`;
  return { key, policy: 'runaway', node: 'n1', graph: 'fraud', query: 'ring_scan', at, isWithdrawn: false, ...changes };
}
