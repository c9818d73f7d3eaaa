import { exponentialBackoff } from '../../kernel/backoff.ts';
import type { Instant, Millis } from '../../kernel/time.ts';
import { withoutAttempt, withWithdrawn } from './budgets.ts';
import {
  type AbortResponse,
  type Decision,
  decisionKey,
  type Outcome,
  type ReconciledResponse,
  type SkipReason,
  targetReference,
} from './decision.ts';
import { type AbortRetry, type GuardState, type StepResult, withDecision } from './state.ts';

/** Final listing of a query: absent from two valid lists, still listed at the deadline, or neither. */
type FinalListing = 'gone' | 'listed' | 'unlisted';

/** Outcome by the response and the final listing. */
const outcomeTable: Readonly<Record<ReconciledResponse, Readonly<Record<FinalListing, Outcome>>>> = {
  named: { gone: 'confirmed', listed: 'still_running', unlisted: 'unknown' },
  empty: { gone: 'finished_first', listed: 'not_aborted', unlisted: 'unknown' },
  lost: { gone: 'vanished', listed: 'still_running', unlisted: 'unknown' },
  refused: { gone: 'refused', listed: 'refused', unlisted: 'refused' },
};

/** Time after the abort request from which a query that is still listed counts as still running. */
const deadline: Millis = 30_000;
/** Time after the deadline for a list request in flight, and for a second list after a first absence. */
const verificationSlack: Millis = 5000;
const absencesUntilGone = 2;

/** Times of the verification lists after the abort request. */
const verificationTimes: readonly Millis[] = [1000, 2000, 4000, 8000, 16_000, deadline];
/** Times of further lists if the last one lacked the query for the first time. */
const recheckTimes: readonly Millis[] = [31_000, 32_000, 33_000];

/** Classifies a response for the requested id, and reports whether it names an id that was not requested. */
export function reconcileResponse(
  answer: AbortResponse,
  id: string,
): { readonly answer: ReconciledResponse; readonly isUnexpected: boolean } {
  if (answer.kind === 'refused') return { answer: 'refused', isUnexpected: false };
  if (answer.kind === 'unsent') return { answer: 'lost', isUnexpected: false };
  const { kind, aborted = [] } = answer;
  const isNamed = aborted.includes(id);
  return {
    answer: kind === 'lost' ? kind : isNamed ? 'named' : 'empty',
    isUnexpected: aborted.some((one) => one !== id),
  };
}

/**
 * Returns the outcome of a sent abort request; undefined while it is open. After the deadline, a missing response
 * counts as lost.
 */
export function outcomeFor(
  { sentAt, answer, absences, listedAt }: Pick<Decision, 'sentAt' | 'answer' | 'absences' | 'listedAt'>,
  now: Millis,
): Outcome | undefined {
  if (sentAt === undefined) return undefined;
  if (answer === 'refused') return 'refused';
  const known = answer ?? (now >= sentAt + deadline + verificationSlack ? 'lost' : undefined);
  if (known === undefined) return undefined;
  if (absences >= absencesUntilGone) return outcomeTable[known].gone;
  const isListed = absences === 0 && listedAt !== undefined && listedAt >= sentAt + deadline;
  if (isListed) return outcomeTable[known].listed;
  return now >= sentAt + deadline + verificationSlack ? outcomeTable[known].unlisted : undefined;
}

/** Returns whether an outcome pages an operator: the query still runs after its abort. */
export function isPaging(outcome: Outcome): boolean {
  return outcome === 'still_running';
}

/** Returns the time of the next verification list after `requestedAt`, the latest list request; may be in the past. */
export function nextVerificationAt(
  { sentAt, absences }: Pick<Decision, 'sentAt' | 'absences'>,
  requestedAt: Millis,
): Millis | undefined {
  if (sentAt === undefined) return undefined;
  const wanted = absences === 0 ? verificationTimes : [...verificationTimes, ...recheckTimes];
  return wanted.map((mark) => sentAt + mark).find((at) => at > requestedAt);
}

/** Returns the time by which the outcome is known. */
export function outcomeDeadline({ sentAt }: Pick<Decision, 'sentAt'>): Millis | undefined {
  return sentAt === undefined ? undefined : sentAt + deadline + verificationSlack;
}

/** Outcomes after which the query may have been aborted, so that the pressure should fall. */
const effectiveOutcomes: ReadonlySet<Outcome> = new Set(['confirmed', 'vanished', 'still_running', 'unknown']);

/** Ends a decision with an outcome. Keeps its relief check only if the abort may have had an effect. */
export function finishDecision(
  state: GuardState,
  decision: Decision,
  { outcome, now, skipReason }: { readonly outcome: Outcome; readonly now: Instant; readonly skipReason?: SkipReason },
): StepResult {
  const { key } = decision;
  const isEffective = effectiveOutcomes.has(outcome);
  const reliefChecks = state.reliefChecks
    .filter((one) => one.key !== key || isEffective)
    .map((one) => (one.key === key ? { ...one, outcomeAt: now.mono } : one));
  return {
    state: withDecision({ ...state, reliefChecks }, key, undefined),
    outputs: [
      {
        kind: 'outcome',
        ...targetReference(decision),
        outcome,
        pages: isPaging(outcome),
        at: now.wall,
        ...(skipReason === undefined ? {} : { skipReason }),
      },
    ],
  };
}

interface SkippedAt {
  readonly skipReason: SkipReason;
  readonly now: Instant;
}

/** Withdraws an intent: no request is sent, and the budget stays spent. After reason `too_old` the guard may retry. */
export function withdrawDecision(state: GuardState, decision: Decision, { skipReason, now }: SkippedAt): StepResult {
  const attempts = withWithdrawn(state.attempts, decision.key);
  const next = isRetried({ outcome: 'withdrawn', skipReason })
    ? withRetry({ ...state, attempts }, decision, now.mono)
    : { ...state, attempts };
  return finishDecision(next, decision, { outcome: 'withdrawn', now, skipReason });
}

/** Returns an intent whose request was not sent: it spends no budget and excludes no query, so the guard may retry. */
export function returnDecision(state: GuardState, decision: Decision, { skipReason, now }: SkippedAt): StepResult {
  const attempts = withoutAttempt(state.attempts, decision.key);
  const next = withRetry({ ...state, attempts }, decision, now.mono);
  return finishDecision(next, decision, { outcome: 'not_sent', now, skipReason });
}

/** Returns whether the guard may retry after an intent, because graphwarden itself caused its end. */
export function isRetried({
  outcome,
  skipReason,
}: {
  readonly outcome?: Outcome | undefined;
  readonly skipReason?: string;
}) {
  return outcome === 'not_sent' || (outcome === 'withdrawn' && skipReason === 'too_old');
}

const retryDelays = { min: 1000, max: 30_000 };

/** Allows a retry. The first one needs a fresh list only, later ones wait for twice as long each time. */
function withRetry(state: GuardState, { target, excludes }: Decision, now: Millis): GuardState {
  const key = decisionKey(target);
  const { count } = state.retries.get(key) ?? { count: 0 };
  const delay = count === 0 ? 0 : exponentialBackoff(retryDelays, count - 1);
  const retry: AbortRetry = { count: count + 1, notBefore: now + delay };
  const excludedKeys = new Set(state.excludedKeys);
  if (excludes === true) excludedKeys.delete(key);
  return { ...state, excludedKeys, retries: new Map(state.retries).set(key, retry) };
}
