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
} from './decision.ts';
import { type AbortRetry, type GuardState, type StepResult, withDecision } from './state.ts';

/** Two good lists without it, still listed at the deadline, or neither. */
type FinalListing = 'gone' | 'listed' | 'unlisted';

/** The table of outcomes. */
const outcomeTable: Readonly<Record<ReconciledResponse, Readonly<Record<FinalListing, Outcome>>>> = {
  named: { gone: 'confirmed', listed: 'still_running', unlisted: 'unknown' },
  empty: { gone: 'finished_first', listed: 'not_aborted', unlisted: 'unknown' },
  lost: { gone: 'vanished', listed: 'still_running', unlisted: 'unknown' },
  refused: { gone: 'refused', listed: 'refused', unlisted: 'refused' },
};

const deadline: Millis = 30_000;
/** A list asked for at the deadline may still be on its way, and a first absence there wants a second. */
const verificationSlack: Millis = 5000;
const absencesUntilGone = 2;

/** When lists are wanted, from the call on. */
const verificationTimes: readonly Millis[] = [1000, 2000, 4000, 8000, 16_000, deadline];
const recheckTimes: readonly Millis[] = [31_000, 32_000, 33_000];

/** What an answer comes to for the id that was asked for, and whether it names one that was not. */
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

/** How a decision ended whose call was sent; undefined while that is open. Without an answer at the end it is lost. */
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

/** When a list is wanted next for the sake of the outcome, if none was asked for since `askedAt`; may be in the past. */
export function nextVerificationAt(
  { sentAt, absences }: Pick<Decision, 'sentAt' | 'absences'>,
  askedAt: Millis,
): Millis | undefined {
  if (sentAt === undefined) return undefined;
  const wanted = absences === 0 ? verificationTimes : [...verificationTimes, ...recheckTimes];
  return wanted.map((mark) => sentAt + mark).find((at) => at > askedAt);
}

/** When the outcome is known at the latest. */
export function outcomeDeadline({ sentAt }: Pick<Decision, 'sentAt'>): Millis | undefined {
  return sentAt === undefined ? undefined : sentAt + deadline + verificationSlack;
}

/** These took effect, as far as anybody knows: pressure is to fall. */
const effectiveOutcomes: ReadonlySet<Outcome> = new Set(['confirmed', 'vanished', 'still_running', 'unknown']);

/** A decision whose call was sent is over. */
export function finishDecision(
  state: GuardState,
  decision: Decision,
  { outcome, now, skipReason }: { readonly outcome: Outcome; readonly now: Instant; readonly skipReason?: SkipReason },
): StepResult {
  const { key, policy, target } = decision;
  const isEffective = effectiveOutcomes.has(outcome);
  const reliefChecks = state.reliefChecks
    .filter((one) => one.key !== key || isEffective)
    .map((one) => (one.key === key ? { ...one, outcomeAt: now.mono } : one));
  return {
    state: withDecision({ ...state, reliefChecks }, key, undefined),
    outputs: [
      {
        kind: 'outcome',
        key,
        policy,
        node: target.node,
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

/** An intent that is not acted upon: nothing was sent, and it stays spent. A list that got too old does not exclude. */
export function withdrawDecision(state: GuardState, decision: Decision, { skipReason, now }: SkippedAt): StepResult {
  const attempts = withWithdrawn(state.attempts, decision.key);
  const next = isRetried({ outcome: 'withdrawn', skipReason })
    ? withRetry({ ...state, attempts }, decision, now.mono)
    : { ...state, attempts };
  return finishDecision(next, decision, { outcome: 'withdrawn', now, skipReason });
}

/** The call never left: the intent spends nothing and excludes nothing, so the guard may decide again. */
export function returnDecision(state: GuardState, decision: Decision, { skipReason, now }: SkippedAt): StepResult {
  const attempts = withoutAttempt(state.attempts, decision.key);
  const next = withRetry({ ...state, attempts }, decision, now.mono);
  return finishDecision(next, decision, { outcome: 'not_sent', now, skipReason });
}

/** Whether an intent with this end leaves its entry to further decisions: the reason for it was graphwarden's own. */
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

/** The first retry needs a fresh list only; later ones wait for twice as long each time. */
function withRetry(state: GuardState, { target, excludes }: Decision, now: Millis): GuardState {
  const key = decisionKey(target);
  const { count } = state.retries.get(key) ?? { count: 0 };
  const delay = count === 0 ? 0 : exponentialBackoff(retryDelays, count - 1);
  const retry: AbortRetry = { count: count + 1, notBefore: now + delay };
  const excludedKeys = new Set(state.excludedKeys);
  if (excludes === true) excludedKeys.delete(key);
  return { ...state, excludedKeys, retries: new Map(state.retries).set(key, retry) };
}
