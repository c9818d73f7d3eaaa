import type { Instant, Millis } from '../../kernel/time.ts';
import type { AttemptFailure } from '../../model/delivery.ts';
import type { DeliveryResult, ReceiverResponse } from '../notifier.ts';
import { boundedReason, failureOf } from './delivery-progress.ts';
import {
  backoff,
  brokenPause,
  isGivenUp,
  type Outage,
  outageAfterFailure,
  pageRetryAt,
  rateLimitPause,
} from './retry-and-rate-limit.ts';

/** Health of one receiver. */
export interface ReceiverHealth {
  /** Result of the last attempt; `''` before the first. */
  readonly result: DeliveryResult | '';
  /** Monotonic time until which no request is sent, except for pages. */
  readonly pausedUntil: number;
  /** Monotonic time until which no page is sent either. */
  readonly pagesPausedUntil: number;
  /** Number of consecutive failures. */
  readonly failures: number;
  /** Number of consecutive replies that limit the rate. */
  readonly limits: number;
  /** Number of consecutive requests that were rejected for a reason that an operator must fix. */
  readonly rejections: number;
  /** Wall time since which the receiver rejects every request for a reason that an operator must fix. */
  readonly brokenSince?: number;
  /** Set while the receiver accepts no request. */
  readonly outage?: Outage;
  /** Set while a recipient behind the receiver is rejected, for a reason that an operator must fix. Not stored. */
  readonly rejectedRecipient?: RecipientRejection | undefined;
  /** The last failed request of the outage. Not stored. */
  readonly failure?: AttemptFailure;
}

/** Rejection of a recipient that does not get the notifications which others behind the same receiver accept. */
export interface RecipientRejection {
  /** ms since the epoch. */
  readonly since: number;
  readonly reason: string;
}

/** Returns the health before the first attempt, with the outage from before the restart, if any. */
export function initialHealth(outage?: Outage, brokenSince?: number): ReceiverHealth {
  return {
    result: '',
    ...noPause,
    failures: 0,
    limits: 0,
    rejections: 0,
    ...(outage === undefined ? {} : { outage }),
    ...(brokenSince === undefined ? {} : { brokenSince }),
  };
}

/** Without a pause, the next request is sent at once. */
const noPause = {
  pausedUntil: Number.NEGATIVE_INFINITY,
  pagesPausedUntil: Number.NEGATIVE_INFINITY,
} satisfies Partial<ReceiverHealth>;

/** Returns the health after a change of the settings, so that the next attempt is immediate. */
export function withoutPauses(health: ReceiverHealth): ReceiverHealth {
  return { ...health, ...noPause, failures: 0, limits: 0, rejections: 0, rejectedRecipient: undefined };
}

/** Time without an accepted request after which a receiver counts as failing. */
const failingAfter: Millis = 300_000;
/** Time without an accepted request after which a digest is sent before other notifications. */
const longOutageAfter: Millis = 900_000;

/** A response of the receiver, with the monotonic time of its request. */
export interface TimedResponse {
  readonly answer: ReceiverResponse;
  readonly startedAt: number;
  /** Whether the request was for some recipients behind the receiver only. */
  readonly isForSome?: boolean;
}

/** Returns the health after a response; `chance` is uniform in [0, 1). */
export function healthAfter(
  health: ReceiverHealth,
  { answer, startedAt, isForSome = false }: TimedResponse,
  now: Instant,
  chance: number,
): ReceiverHealth {
  const result = deliveryResultOf(answer);
  if (answer.kind === 'accepted') {
    const isRejected = answer.rejectsRecipient === true;
    const since = health.rejectedRecipient?.since ?? now.wall;
    const rejected = isRejected ? { since, reason: boundedReason(answer.but ?? '') } : undefined;
    const rejectedRecipient = rejected ?? (isForSome ? health.rejectedRecipient : undefined);
    return { ...initialHealth(), result, ...(rejectedRecipient && { rejectedRecipient }) };
  }
  if (answer.kind === 'refused') return { ...initialHealth(), result };
  const isAnswer = answer.kind !== 'unavailable' || answer.answered;
  const outage = outageAfterFailure(health.outage, isAnswer, now.wall);
  const failure = failureOf({ outcome: { kind: 'not_accepted' }, response: answer });
  const out: ReceiverHealth = { ...initialHealth(outage), result, failure };
  if (answer.kind === 'limited') {
    const limits = health.limits + 1;
    const until = now.mono + rateLimitPause(answer.wait, limits);
    const pause = answer.wait === undefined ? pauseUntil(until, startedAt) : bothUntil(until);
    return { ...out, limits, ...pause };
  }
  if (answer.kind === 'broken') return afterBroken(health, out, startedAt, now);
  const pause = pauseUntil(now.mono + backoff(health.failures, chance), startedAt);
  return { ...out, failures: health.failures + 1, ...pause };
}

/** Another request may be accepted after the first rejection: only the second one in a row pauses the receiver. */
function afterBroken(before: ReceiverHealth, out: ReceiverHealth, startedAt: number, now: Instant): ReceiverHealth {
  const rejections = before.rejections + 1;
  if (rejections < 2 && before.brokenSince === undefined) return { ...out, rejections };
  const pause = pauseUntil(now.mono + brokenPause, startedAt);
  return { ...out, rejections, brokenSince: before.brokenSince ?? now.wall, ...pause };
}

function pauseUntil(until: number, startedAt: number): typeof noPause {
  return { pausedUntil: until, pagesPausedUntil: pageRetryAt(until, startedAt) };
}

function bothUntil(until: number): typeof noPause {
  return { pausedUntil: until, pagesPausedUntil: until };
}

/** Returns the label value of a response for the metrics. */
export function deliveryResultOf(answer: ReceiverResponse): DeliveryResult {
  if (answer.kind === 'accepted' && answer.but !== undefined) return 'partial';
  return answer.kind === 'unavailable' && answer.timedOut ? 'timeout' : answer.kind;
}

/** Returns the time since which the receiver counts as failing: at once if it rejects every request, otherwise after five minutes without an accepted request. */
export function failingSince({ brokenSince, outage }: ReceiverHealth, now: number): number | undefined {
  if (brokenSince !== undefined) return brokenSince;
  return outage !== undefined && now - outage.since >= failingAfter ? outage.since : undefined;
}

/** Whether the outage is so long that the digest of missed incidents is sent first. */
export function isLongOutage({ outage }: ReceiverHealth, now: number): boolean {
  return outage !== undefined && now - outage.since > longOutageAfter;
}

/** Whether the receiver has been unavailable for so long that overdue notifications are parked. */
export function isGivenUpOn({ outage }: ReceiverHealth, now: number): boolean {
  return outage !== undefined && isGivenUp(outage, now);
}

/** Whether the receiver accepts requests again after so long that parked notifications are tried again. */
export function isRecovery(before: ReceiverHealth, { outage }: ReceiverHealth, now: number): boolean {
  const wasLong = before.failures >= 3 || before.brokenSince !== undefined || isLongOutage(before, now);
  return outage === undefined && wasLong;
}

/** Returns the part of the health that is stored. */
export function outageOf({ outage, brokenSince }: ReceiverHealth): Pick<ReceiverHealth, 'outage' | 'brokenSince'> {
  return { ...(outage === undefined ? {} : { outage }), ...(brokenSince === undefined ? {} : { brokenSince }) };
}

/** Which notifications to attempt first: those without failed attempts, or those that may have been delivered. */
export type RetryPreference = 'fresh' | 'tried';

/**
 * Returns which notifications to attempt first. After a few failures a single request may be the cause, so others come
 * first. After more failures the receiver is the cause: repeating sent requests keeps the number of possibly delivered
 * notifications low. Every tenth attempt uses another notification.
 */
export function retryPreference({ failures }: ReceiverHealth): RetryPreference {
  return failures < 5 || failures % 10 === 0 ? 'fresh' : 'tried';
}
