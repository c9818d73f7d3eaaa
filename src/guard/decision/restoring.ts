import type { Instant, Millis } from '../../kernel/time.ts';
import { oldestToActOn } from '../listing.ts';
import { initialOffset } from '../offset.ts';
import type { Attempt } from './attempts.ts';
import { type Decision, decisionKey } from './decision.ts';
import type { Kept, KeptIntent } from './kept.ts';
import type { GuardState } from './state.ts';

/**
 * Takes up what an earlier run left behind. Nothing is sent again: an intent without an outcome may have been sent or
 * not, so it is verified as if its answer had been lost. What this run has done itself by then stays as it is.
 */
export function restored(state: GuardState, kept: Kept, now: Instant): GuardState {
  const spent = new Set(state.attempts.map(({ key }) => key));
  const unknown = kept.intents.filter((one) => !spent.has(keyOf(one)));
  const open = unknown.filter(({ outcome }) => outcome === undefined).map((one) => reopened(one, now.mono));
  const offsets = [...state.views].map(([node, view]) => {
    const isKnown = view.offset.offset !== undefined;
    return [node, isKnown ? view : { ...view, offset: initialOffset(kept.offsets[node]) }] as const;
  });
  return {
    ...state,
    standing: { ...state.standing, isRestored: true, isPaused: state.standing.isPaused || kept.isPaused },
    views: new Map(offsets),
    decisions: new Map([...state.decisions, ...open.map((one) => [one.key, one] as const)]),
    attempts: [...unknown.map((one) => attemptFrom(one, now)), ...state.attempts],
    barred: new Set([...state.barred, ...kept.intents.map(decisionKey)]),
    breakers: {
      ...state.breakers,
      open: new Set([...state.breakers.open, ...kept.breakers]),
      reliefless: new Map([...Object.entries(kept.reliefless), ...state.breakers.reliefless]),
    },
  };
}

function reopened(intent: KeptIntent, now: Millis): Decision {
  const { node, id, startTime, graph, query, policy } = intent;
  return {
    key: keyOf(intent),
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
 * Nobody wrote down when a call left: at the latest when the list that it went by was too old. What is said to be of the
 * future was spent just now: a clock that went back frees no budget.
 */
function attemptFrom(intent: KeptIntent, now: Instant): Attempt {
  const { policy, node, graph, query, outcome } = intent;
  const isWithdrawn = outcome === 'withdrawn';
  const leftAt = intent.at + (isWithdrawn ? 0 : oldestToActOn);
  const at = now.mono - Math.max(0, now.wall - leftAt);
  return { key: keyOf(intent), policy, node, graph, query, at, isWithdrawn };
}

function keyOf(intent: KeptIntent): string {
  return intent.key ?? decisionKey(intent);
}
