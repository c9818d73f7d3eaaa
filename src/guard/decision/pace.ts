import type { Millis } from '../../kernel/time.ts';

/** What a list of a node is asked for; a good one serves any purpose. */
export type Purpose = 'plain' | 'extra' | 'fresh' | 'verify';

/** How often a node may be asked for its list. Times are on the monotonic clock. */
export interface Pace {
  /** When it was asked for last; undefined before the first. */
  readonly askedAt: Millis | undefined;
  /** One list is on its way: no other is asked for. */
  readonly isAsking: boolean;
  /** There was a reason not to ask, so nothing is asked for until then. */
  readonly notBefore: Millis;
  /** How long the latest took. */
  readonly duration: Millis;
  /** For lists between two beats. */
  readonly extra: Bucket;
  /** For fresh lists and for those that verify. */
  readonly reserve: Bucket;
}

interface Bucket {
  readonly tokens: number;
  readonly at: Millis;
}

interface Refill {
  readonly most: number;
  readonly perMs: number;
}

const reserveRefill: Refill = { most: 12, perMs: 12 / 60_000 };
/** So many of the reserve are kept for fresh lists. */
const forFresh = 3;
/** Lists take at most a twentieth of the time. */
const quiet = 20;
const earliestBeat = 0.5;
const latestBeat = 1.5;
const mostExtra = 2;

/** Nothing was asked for yet, and all buckets are full. */
export const initialPace: Pace = {
  askedAt: undefined,
  isAsking: false,
  notBefore: Number.NEGATIVE_INFINITY,
  duration: 0,
  extra: { tokens: mostExtra, at: 0 },
  reserve: { tokens: reserveRefill.most, at: 0 },
};

/** The time from list to list that the settings ask for, or more while the node is slow. */
export function intervalOf({ duration }: Pick<Pace, 'duration'>, interval: Millis): Millis {
  return Math.max(interval, duration * quiet);
}

/** The first of times, of which there may be more than a function takes arguments; `Infinity` of none. */
export function earliestOf(times: readonly Millis[]): Millis {
  return times.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
}

/** When the next plain list is due. A beat moves by half of itself to meet a deadline, back or forth. */
export function beatAt(pace: Pace, interval: Millis, deadlines: readonly Millis[]): Millis {
  if (pace.askedAt === undefined) return Number.NEGATIVE_INFINITY;
  const length = intervalOf(pace, interval);
  const { askedAt } = pace;
  const near = deadlines.filter((at) => at > askedAt && at <= askedAt + length * latestBeat);
  const next = earliestOf(near);
  return next === Number.POSITIVE_INFINITY ? askedAt + length : Math.max(next, askedAt + length * earliestBeat);
}

/**
 * As what a list may be asked for that is wanted for `purpose`: as a plain one where a beat may be so early, else out
 * of the bucket of its purpose; undefined where that is empty.
 */
export function admitted(
  pace: Pace,
  purpose: Exclude<Purpose, 'plain'>,
  { now, interval }: { readonly now: Millis; readonly interval: Millis },
): Purpose | undefined {
  const { askedAt } = pace;
  if (askedAt === undefined || now >= askedAt + intervalOf(pace, interval) * earliestBeat) return 'plain';
  if (purpose === 'extra') return filled(pace.extra, extraRefill(interval), now).tokens >= 1 ? 'extra' : undefined;
  const least = purpose === 'fresh' ? 1 : 1 + forFresh;
  return filled(pace.reserve, reserveRefill, now).tokens >= least ? purpose : undefined;
}

/** A list is asked for, and paid for out of its bucket. */
export function asked(
  pace: Pace,
  purpose: Purpose,
  { now, interval }: { readonly now: Millis; readonly interval: Millis },
): Pace {
  const extra = filled(pace.extra, extraRefill(interval), now);
  const reserve = filled(pace.reserve, reserveRefill, now);
  const isReserve = purpose === 'fresh' || purpose === 'verify';
  return {
    ...pace,
    askedAt: now,
    isAsking: true,
    extra: purpose === 'extra' ? { ...extra, tokens: extra.tokens - 1 } : extra,
    reserve: isReserve ? { ...reserve, tokens: reserve.tokens - 1 } : reserve,
  };
}

/** A list came, or did not; also one that somebody else asked for. */
export function heard(
  pace: Pace,
  { started, received }: { readonly started: Millis; readonly received: Millis },
): Pace {
  const askedAt = Math.max(pace.askedAt ?? started, started);
  return { ...pace, askedAt, isAsking: false, duration: received - started };
}

/** A tenth of the plain rate. */
function extraRefill(interval: Millis): Refill {
  return { most: mostExtra, perMs: 0.1 / interval };
}

function filled({ tokens, at }: Bucket, { most, perMs }: Refill, now: Millis): Bucket {
  return { tokens: Math.min(most, tokens + Math.max(0, now - at) * perMs), at: now };
}
