import type { Instant, Millis } from '../../kernel/time.ts';
import type { Answer, DeliveryResult } from '../notifier.ts';
import { backOff, limitedFor } from './back-off.ts';
import { type Outage, stillOut } from './outage.ts';

/** How one receiver is doing. */
export interface Health {
  /** What the last attempt came to; `''` before the first. */
  readonly result: DeliveryResult | '';
  /** It is left alone until this monotonic time. */
  readonly pausedUntil: number;
  /** In a row. */
  readonly failures: number;
  readonly limits: number;
  /** Wall time since when it takes nothing for a reason that somebody has to remove. */
  readonly brokenSince?: number;
  /** Since when it has taken nothing. */
  readonly outage?: Outage;
}

/** Nothing known yet, but perhaps that it took nothing before the restart. */
export function healthAtStart(outage?: Outage, brokenSince?: number): Health {
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
const awayAfter: Millis = 900_000;

/** Its health after an answer; `chance` is uniform in [0, 1). */
export function healthAfter(health: Health, answer: Answer, now: Instant, chance: number): Health {
  const result = resultOf(answer);
  if (answer.kind === 'accepted' || answer.kind === 'refused') return { ...healthAtStart(), result };
  const isAnswer = answer.kind !== 'unavailable' || answer.answered;
  const outage = stillOut(health.outage, isAnswer, now.wall);
  const out: Health = { ...healthAtStart(outage), result };
  if (answer.kind === 'limited') {
    const limits = health.limits + 1;
    return { ...out, limits, pausedUntil: now.mono + limitedFor(answer.wait, limits) };
  }
  if (answer.kind === 'broken') {
    return { ...out, brokenSince: health.brokenSince ?? now.wall, pausedUntil: now.mono + brokenPause };
  }
  const pausedUntil = now.mono + backOff(health.failures, chance);
  return { ...out, failures: health.failures + 1, pausedUntil };
}

/** The word for an answer, as it is in metrics. */
export function resultOf(answer: Answer): DeliveryResult {
  return answer.kind === 'unavailable' && answer.timedOut ? 'timeout' : answer.kind;
}

/** Since when it counts as failing: broken at once, otherwise when it has taken nothing for long. */
export function failingSince({ brokenSince, outage }: Health, now: number): number | undefined {
  if (brokenSince !== undefined) return brokenSince;
  return outage !== undefined && now - outage.since >= failingAfter ? outage.since : undefined;
}

/** It has been away for so long that people are first told what they missed. */
export function isAway({ outage }: Health, now: number): boolean {
  return outage !== undefined && now - outage.since > awayAfter;
}

/** Whom to try: what has not failed, or what may have arrived already. */
export type Preference = 'fresh' | 'tried';

/**
 * While it may be the letter's fault, others come first. Once it is the receiver's, it is asked with what has been
 * sent before, so that not everything that is owed becomes something that may have arrived; now and then with another.
 */
export function preferenceOf({ failures }: Health): Preference {
  return failures < 5 || failures % 10 === 0 ? 'fresh' : 'tried';
}
