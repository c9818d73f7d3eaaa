import type { Millis } from '../../kernel/time.ts';
import {
  chargeListTime,
  fullListTime,
  type ListTime,
  maxListInterval,
  nextListAt,
} from '../../model/list-time-share.ts';

/**
 * Purpose of a list request: `regular` is a list of the schedule, `extra` an observation that confirms a query, `fresh` the list
 * before an abort request, and `verify` one after it. A valid list serves all purposes.
 */
export type ListPurpose = 'regular' | 'extra' | 'fresh' | 'verify';

/** Rate limit of the list requests to a node. Times are on the monotonic clock. */
export interface ListRateLimit {
  /** Start of the latest list request; undefined before the first. */
  readonly requestedAt: Millis | undefined;
  /** Whether a list request is in flight. There is at most one per node. */
  readonly isRequesting: boolean;
  /** Earliest time of the next list request, after one that was not sent. */
  readonly notBefore: Millis;
  /** Duration of the latest list request. */
  readonly duration: Millis;
  /** Time from the start of the latest list to the next regular one, if lists have used up their server time. */
  readonly spacing: Millis;
  /** Server time that regular lists may take. */
  readonly time: ListTime;
  /** Bucket for lists between two regular lists. */
  readonly extra: TokenBucket;
  /** Bucket for fresh lists and for verification. */
  readonly reserve: TokenBucket;
}

interface TokenBucket {
  readonly tokens: number;
  readonly at: Millis;
}

interface Refill {
  readonly capacity: number;
  readonly perMs: number;
}

const reserveRefill: Refill = { capacity: 12, perMs: 12 / 60_000 };
/** Tokens of the reserve that only fresh lists may use. */
const reservedForFresh = 3;
/** Bounds of the time between two regular lists, as shares of the interval. */
const minIntervalShare = 0.5;
const maxIntervalShare = 1.5;
/** Capacity of the bucket for extra lists. */
const maxExtra = 2;

/** Rate limit before the first request, with full buckets. */
export const initialListRateLimit: ListRateLimit = {
  requestedAt: undefined,
  isRequesting: false,
  notBefore: Number.NEGATIVE_INFINITY,
  duration: 0,
  spacing: 0,
  time: fullListTime,
  extra: { tokens: maxExtra, at: 0 },
  reserve: { tokens: reserveRefill.capacity, at: 0 },
};

/** Returns the configured list interval, or a longer one while the lists of the node take too much server time. */
export function effectiveInterval({ spacing }: Pick<ListRateLimit, 'spacing'>, interval: Millis): Millis {
  return Math.max(interval, spacing);
}

/** Returns the earliest time, or `Infinity` without one. `Math.min(...times)` could exceed the argument limit. */
export function earliestTime(times: readonly Millis[]): Millis {
  return times.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
}

/**
 * Returns the time of the next regular list. It moves by up to half an interval, in either direction, to meet a deadline,
 * but not beyond the longest interval that slow lists may have.
 */
export function nextRegularListAt(pace: ListRateLimit, interval: Millis, deadlines: readonly Millis[]): Millis {
  if (pace.requestedAt === undefined) return Number.NEGATIVE_INFINITY;
  const length = effectiveInterval(pace, interval);
  const { requestedAt } = pace;
  const latest = Math.min(length * maxIntervalShare, Math.max(maxListInterval, interval * maxIntervalShare));
  const near = deadlines.filter((at) => at > requestedAt && at <= requestedAt + latest);
  const next = earliestTime(near);
  return next === Number.POSITIVE_INFINITY ? requestedAt + length : Math.max(next, earliestRegularAt(pace, interval));
}

/** Returns the earliest time of a regular list: after half an interval, if lists have server time left. */
function earliestRegularAt({ requestedAt, spacing }: ListRateLimit, interval: Millis): Millis {
  return (requestedAt ?? Number.NEGATIVE_INFINITY) + Math.max(spacing, interval * minIntervalShare);
}

/**
 * Returns the purpose that a list request for `purpose` counts as: a regular list if one may be requested now,
 * otherwise the purpose itself, from its token bucket; undefined if that bucket is empty. While lists have no server
 * time left, extra lists are rejected.
 */
export function admittedPurpose(
  pace: ListRateLimit,
  purpose: Exclude<ListPurpose, 'regular'>,
  { now, interval }: { readonly now: Millis; readonly interval: Millis },
): ListPurpose | undefined {
  const { requestedAt = Number.NEGATIVE_INFINITY, spacing } = pace;
  if (now >= earliestRegularAt(pace, interval)) return 'regular';
  if (purpose === 'extra') {
    const hasToken = refillBucket(pace.extra, extraRefill(interval), now).tokens >= 1;
    return hasToken && now >= requestedAt + spacing ? 'extra' : undefined;
  }
  const minTokens = purpose === 'fresh' ? 1 : 1 + reservedForFresh;
  return refillBucket(pace.reserve, reserveRefill, now).tokens >= minTokens ? purpose : undefined;
}

/** Records a list request and takes a token from the bucket of its purpose. */
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
    requestedAt: now,
    isRequesting: true,
    extra: purpose === 'extra' ? { ...extra, tokens: extra.tokens - 1 } : extra,
    reserve: isReserve ? { ...reserve, tokens: reserve.tokens - 1 } : reserve,
  };
}

/** Response to a list request, or its failure. */
export interface ListResponse {
  readonly started: Millis;
  readonly received: Millis;
  /** Time that the server took; undefined if only the duration is known. */
  readonly listTime?: Millis | undefined;
  /** Configured time between two regular lists. */
  readonly interval: Millis;
}

/**
 * Records a response to a list request, also to a request of another component, whether it succeeded or not. A time
 * above the list interval counts as the interval: the server did not need it all.
 */
export function recordResponse(
  pace: ListRateLimit,
  { started, received, listTime, interval }: ListResponse,
): ListRateLimit {
  const requestedAt = Math.max(pace.requestedAt ?? started, started);
  const duration = received - started;
  const time = chargeListTime(pace.time, Math.min(listTime ?? duration, interval), received);
  const spacing = nextListAt(time, requestedAt) - requestedAt;
  return { ...pace, requestedAt, isRequesting: false, duration, spacing, time };
}

/** Returns the refill of extra lists: a tenth of the rate of regular lists. */
function extraRefill(interval: Millis): Refill {
  return { capacity: maxExtra, perMs: 0.1 / interval };
}

function refillBucket({ tokens, at }: TokenBucket, { capacity, perMs }: Refill, now: Millis): TokenBucket {
  return { tokens: Math.min(capacity, tokens + Math.max(0, now - at) * perMs), at: now };
}
