import { exponentialBackoff, jitteredBackoff } from '../../kernel/backoff.ts';
import type { Millis } from '../../kernel/time.ts';
import type { NotifierTraits } from '../notifier.ts';

const retryWaits = { min: 1000, max: 300_000 } as const;
const rateLimitPauses = { min: 30_000, max: 900_000 } as const;

/** Returns the time until the next attempt after a number of consecutive failures, with full jitter. */
export function backoff(failures: number, chance: number): Millis {
  return jitteredBackoff(retryWaits, failures, chance);
}

/** Time until a rejected request is repeated, if an operator must fix the reason. */
export const brokenPause: Millis = 300_000;

/**
 * Longest time from one attempt to send a page (a critical alert) to the next, so that a page arrives soon after the
 * receiver is back. Only a receiver that names its own pause makes a page wait longer.
 */
const maxPageInterval: Millis = 30_000;

/** Returns the earliest monotonic time of the next attempt to send a page; `startedAt` is the start of the last one. */
export function pageRetryAt(from: number, startedAt: number): number {
  return Math.min(from, startedAt + maxPageInterval);
}

/** Returns how long a receiver that limits the rate is paused; the pause grows if the receiver does not name one. */
export function rateLimitPause(wait: Millis | undefined, times: number): Millis {
  return Math.min(rateLimitPauses.max, Math.max(0, wait ?? exponentialBackoff(rateLimitPauses, times - 1)));
}

/** Period without an accepted request, in wall times because it is stored across restarts. */
export interface Outage {
  readonly since: number;
  /** Time since which the receiver has responded to every request, at least with an error. */
  readonly answeringSince?: number;
}

const day: Millis = 86_400_000;

/** Time until a notification is parked: while the receiver responds with errors, and in any case. */
export const giveUpAfter = { answering: day, inAll: 7 * day } as const;

/** Returns the outage after one more failure at `now`. A time in the future, before a backward step of the clock, becomes `now`. */
export function outageAfterFailure(outage: Outage | undefined, answered: boolean, now: number): Outage {
  const since = Math.min(outage?.since ?? now, now);
  const answeringSince = answered ? Math.min(outage?.answeringSince ?? now, now) : undefined;
  if (outage?.since === since && outage.answeringSince === answeringSince) return outage;
  return { since, ...(answeringSince !== undefined && { answeringSince }) };
}

/** Whether the outage is so long that the pending notifications are parked. */
export function isGivenUp({ since, answeringSince }: Outage, now: number): boolean {
  if (now - since >= giveUpAfter.inAll) return true;
  return answeringSince !== undefined && now - answeringSince >= giveUpAfter.answering;
}

const minute: Millis = 60_000;

/** Monotonic times of the requests of the last minute, the oldest first, for the rate limit. */
export type SentTimes = readonly number[];

/** Adds the time of a request. */
export function withSent(sent: SentTimes, now: number): SentTimes {
  return [...sent.filter((at) => now - at < minute), now];
}

/** Returns the monotonic time at which the rate limit allows the next request. */
export function nextAllowed(sent: SentTimes, { minInterval, maxPerMinute }: NotifierTraits): number {
  const last = sent.at(-1) ?? Number.NEGATIVE_INFINITY;
  const first = maxPerMinute === undefined ? undefined : sent.at(-maxPerMinute);
  return Math.max(last + minInterval, first === undefined ? Number.NEGATIVE_INFINITY : first + minute);
}
