import type { Millis } from '../../kernel/time.ts';
import { maxListInterval, minListInterval } from '../../model/list-time-share.ts';

/** What a list of a node is asked for; a good one serves any purpose. */
export type ListPurpose = 'plain' | 'extra' | 'fresh' | 'verify';

/** How often a node may be asked for its list. Times are on the monotonic clock. */
export interface ListRateLimit {
  /** When it was asked for last; undefined before the first. */
  readonly askedAt: Millis | undefined;
  /** One list is on its way: no other is asked for. */
  readonly isAsking: boolean;
  /** There was a reason not to ask, so nothing is asked for until then. */
  readonly notBefore: Millis;
  /** How long the latest took. */
  readonly duration: Millis;
  /** For lists between two regular lists. */
  readonly extra: TokenBucket;
  /** For fresh lists and for those that verify. */
  readonly reserve: TokenBucket;
}

interface TokenBucket {
  readonly tokens: number;
  readonly at: Millis;
}

interface Refill {
  readonly most: number;
  readonly perMs: number;
}

const reserveRefill: Refill = { most: 12, perMs: 12 / 60_000 };
/** So many of the reserve are kept for fresh lists. */
const reservedForFresh = 3;
const minIntervalShare = 0.5;
const maxIntervalShare = 1.5;
const maxExtra = 2;

/** Nothing was asked for yet, and all buckets are full. */
export const initialListRateLimit: ListRateLimit = {
  askedAt: undefined,
  isAsking: false,
  notBefore: Number.NEGATIVE_INFINITY,
  duration: 0,
  extra: { tokens: maxExtra, at: 0 },
  reserve: { tokens: reserveRefill.most, at: 0 },
};

/** The time from list to list that the settings ask for, or more while the node is slow. */
export function effectiveInterval({ duration }: Pick<ListRateLimit, 'duration'>, interval: Millis): Millis {
  return Math.max(interval, minListInterval(duration));
}

/** The first of times, of which there may be more than a function takes arguments; `Infinity` of none. */
export function earliestTime(times: readonly Millis[]): Millis {
  return times.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
}

/**
 * Returns the time of the next regular list. It moves by up to half an interval, in either direction, to meet a deadline,
 * but not beyond the longest interval that slow lists may have.
 */
export function nextRegularListAt(pace: ListRateLimit, interval: Millis, deadlines: readonly Millis[]): Millis {
  if (pace.askedAt === undefined) return Number.NEGATIVE_INFINITY;
  const length = effectiveInterval(pace, interval);
  const { askedAt } = pace;
  const latest = Math.min(length * maxIntervalShare, Math.max(maxListInterval, interval * maxIntervalShare));
  const near = deadlines.filter((at) => at > askedAt && at <= askedAt + latest);
  const next = earliestTime(near);
  return next === Number.POSITIVE_INFINITY ? askedAt + length : Math.max(next, askedAt + length * minIntervalShare);
}

/**
 * Returns the purpose that a list request for `purpose` counts as: a regular list if one may be due so early, otherwise
 * the purpose itself, from its token bucket; undefined if that bucket is empty.
 */
export function admittedPurpose(
  pace: ListRateLimit,
  purpose: Exclude<ListPurpose, 'plain'>,
  { now, interval }: { readonly now: Millis; readonly interval: Millis },
): ListPurpose | undefined {
  const { askedAt } = pace;
  if (askedAt === undefined || now >= askedAt + effectiveInterval(pace, interval) * minIntervalShare) return 'plain';
  if (purpose === 'extra')
    return refillBucket(pace.extra, extraRefill(interval), now).tokens >= 1 ? 'extra' : undefined;
  const least = purpose === 'fresh' ? 1 : 1 + reservedForFresh;
  return refillBucket(pace.reserve, reserveRefill, now).tokens >= least ? purpose : undefined;
}

/** A list is asked for, and paid for out of its bucket. */
export function recordRequest(
  pace: ListRateLimit,
  purpose: ListPurpose,
  { now, interval }: { readonly now: Millis; readonly interval: Millis },
): ListRateLimit {
  const extra = refillBucket(pace.extra, extraRefill(interval), now);
  const reserve = refillBucket(pace.reserve, reserveRefill, now);
  const isReserve = purpose === 'fresh' || purpose === 'verify';
  return {
    ...pace,
    askedAt: now,
    isAsking: true,
    extra: purpose === 'extra' ? { ...extra, tokens: extra.tokens - 1 } : extra,
    reserve: isReserve ? { ...reserve, tokens: reserve.tokens - 1 } : reserve,
  };
}

/** Records a response to a list request, also to a request of another component, whether it succeeded or not. */
export function recordResponse(
  pace: ListRateLimit,
  { started, received }: { readonly started: Millis; readonly received: Millis },
): ListRateLimit {
  const askedAt = Math.max(pace.askedAt ?? started, started);
  return { ...pace, askedAt, isAsking: false, duration: received - started };
}

/** A tenth of the plain rate. */
function extraRefill(interval: Millis): Refill {
  return { most: maxExtra, perMs: 0.1 / interval };
}

function refillBucket({ tokens, at }: TokenBucket, { most, perMs }: Refill, now: Millis): TokenBucket {
  return { tokens: Math.min(most, tokens + Math.max(0, now - at) * perMs), at: now };
}
