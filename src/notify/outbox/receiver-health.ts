import type { Instant, Millis } from '../../kernel/time.ts';
import type { DeliveryResult, ReceiverResponse } from '../notifier.ts';
import { backoff, type Outage, outageAfterFailure, rateLimitPause } from './retry-and-rate-limit.ts';

/** Health of one receiver. */
export interface ReceiverHealth {
  /** Result of the last attempt; `''` before the first. */
  readonly result: DeliveryResult | '';
  /** Monotonic time until which no request is sent. */
  readonly pausedUntil: number;
  /** Number of consecutive failures. */
  readonly failures: number;
  readonly limits: number;
  /** Wall time since which the receiver rejects every request for a reason that an operator must fix. */
  readonly brokenSince?: number;
  /** Set while the receiver accepts no request. */
  readonly outage?: Outage;
}

/** Returns the health before the first attempt, with the outage from before the restart, if any. */
export function initialHealth(outage?: Outage, brokenSince?: number): ReceiverHealth {
  return {
    result: '',
    pausedUntil: Number.NEGATIVE_INFINITY,
    failures: 0,
    limits: 0,
    ...(outage === undefined ? {} : { outage }),
    ...(brokenSince === undefined ? {} : { brokenSince }),
  };
}

const brokenPause: Millis = 300_000;
const failingAfter: Millis = 300_000;
const longOutageAfter: Millis = 900_000;

/** Returns the health after a response; `chance` is uniform in [0, 1). */
export function healthAfter(
  health: ReceiverHealth,
  answer: ReceiverResponse,
  now: Instant,
  chance: number,
): ReceiverHealth {
  const result = deliveryResultOf(answer);
  if (answer.kind === 'accepted' || answer.kind === 'refused') return { ...initialHealth(), result };
  const isAnswer = answer.kind !== 'unavailable' || answer.answered;
  const outage = outageAfterFailure(health.outage, isAnswer, now.wall);
  const out: ReceiverHealth = { ...initialHealth(outage), result };
  if (answer.kind === 'limited') {
    const limits = health.limits + 1;
    return { ...out, limits, pausedUntil: now.mono + rateLimitPause(answer.wait, limits) };
  }
  if (answer.kind === 'broken') {
    return { ...out, brokenSince: health.brokenSince ?? now.wall, pausedUntil: now.mono + brokenPause };
  }
  const pausedUntil = now.mono + backoff(health.failures, chance);
  return { ...out, failures: health.failures + 1, pausedUntil };
}

/** Returns the label value of a response for the metrics. */
export function deliveryResultOf(answer: ReceiverResponse): DeliveryResult {
  return answer.kind === 'unavailable' && answer.timedOut ? 'timeout' : answer.kind;
}

/** Returns the time since which the receiver counts as failing: at once if it is broken, otherwise after five minutes without an accepted request. */
export function failingSince({ brokenSince, outage }: ReceiverHealth, now: number): number | undefined {
  if (brokenSince !== undefined) return brokenSince;
  return outage !== undefined && now - outage.since >= failingAfter ? outage.since : undefined;
}

/** Whether the outage is so long that the digest of missed incidents is sent first. */
export function isLongOutage({ outage }: ReceiverHealth, now: number): boolean {
  return outage !== undefined && now - outage.since > longOutageAfter;
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
