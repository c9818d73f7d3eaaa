import type { Instant, Millis } from '../../kernel/time.ts';
import { initialOffset } from '../clock-offset.ts';
import { maxListAge } from '../process-list.ts';
import type { AbortAttempt } from './budgets.ts';
import { type Decision, decisionKey } from './decision.ts';
import type { StoredGuardState, StoredIntent } from './input.ts';
import { isRetried } from './outcomes.ts';
import type { GuardState } from './state.ts';

/**
 * Restores the state of earlier runs. No request is repeated: an intent without an outcome may have been sent, so it is
 * verified as if its response were lost. State of the current run takes precedence.
 */
export function restoreState(state: GuardState, kept: StoredGuardState, now: Instant): GuardState {
  const spent = new Set(state.attempts.map(({ key }) => key));
  const unknown = kept.intents.filter((one) => !spent.has(intentKey(one)));
  const retried = kept.intents.filter(isRetried);
  const excluding = kept.intents.filter((one) => !isRetried(one));
  const open = unknown.filter(({ outcome }) => outcome === undefined).map((one) => reopenDecision(one, now.mono));
  const offsets = [...state.views].map(([node, view]) => {
    const isKnown = view.offset.offset !== undefined;
    return [node, isKnown ? view : { ...view, offset: initialOffset(kept.offsets[node]) }] as const;
  });
  return {
    ...state,
    status: { ...state.status, isRestored: true, isPaused: state.status.isPaused || kept.isPaused },
    views: new Map(offsets),
    decisions: new Map([...state.decisions, ...open.map((one) => [one.key, one] as const)]),
    attempts: [
      ...unknown.filter(({ outcome }) => outcome !== 'not_sent').map((one) => restoreAttempt(one, now)),
      ...state.attempts,
    ],
    excludedKeys: new Set([...state.excludedKeys, ...excluding.map(decisionKey)]),
    retries: new Map([
      ...retried.map((one) => [decisionKey(one), { count: 1, notBefore: now.mono }] as const),
      ...state.retries,
    ]),
    breakers: {
      ...state.breakers,
      open: new Set([...state.breakers.open, ...kept.breakers]),
      closedAt: new Map([
        ...Object.entries(kept.breakerResets).map(([key, at]) => [key, toMono(at, now)] as const),
        ...state.breakers.closedAt,
      ]),
      abortsWithoutRelief: new Map([
        ...Object.entries(kept.abortsWithoutRelief),
        ...state.breakers.abortsWithoutRelief,
      ]),
    },
  };
}

function reopenDecision(intent: StoredIntent, now: Millis): Decision {
  const { node, id, startTime, graph, query, policy } = intent;
  return {
    key: intentKey(intent),
    target: { node, id, startTime, graph, query },
    policy,
    mode: 'enforce',
    matchedAt: now,
    due: now,
    phase: 'verifying',
    sentAt: now,
    answer: 'lost',
    absences: 0,
  };
}

/**
 * Returns the attempt of a stored intent. The time of its request is not stored, so the latest possible one counts: no
 * request is sent later than `maxListAge` after its intent. A time in the future counts as now, so that a clock that
 * was set back frees no budget.
 */
function restoreAttempt(intent: StoredIntent, now: Instant): AbortAttempt {
  const { policy, node, graph, query, outcome } = intent;
  const isWithdrawn = outcome === 'withdrawn';
  const at = toMono(intent.at + (isWithdrawn ? 0 : maxListAge), now);
  return { key: intentKey(intent), policy, node, graph, query, at, isWithdrawn };
}

/** Converts a wall-clock time to the monotonic clock; a time in the future counts as now. */
function toMono(at: number, now: Instant): Millis {
  return now.mono - Math.max(0, now.wall - at);
}

function intentKey(intent: StoredIntent): string {
  return intent.key ?? decisionKey(intent);
}
