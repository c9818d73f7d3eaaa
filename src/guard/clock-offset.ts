import type { Instant, Millis } from '../kernel/time.ts';
import type { ListTimes, Observation } from './process-list.ts';

/** Tolerance for times that the server reports: network delays, and ages in whole seconds. */
export const tolerance: Millis = 5000;

/** Offset between the clocks of a node and of this process. Only `offset` and `anchor` are stored on disk. */
export interface ClockOffset {
  /** Time of this process minus that of the server, in ms; undefined before the first entry. */
  readonly offset: Millis | undefined;
  /** Whether the offset comes from an earlier run and no list of this run has had a query yet. */
  readonly isUnconfirmed: boolean;
  /** Lowest sample of a query that arrived between two lists. A single lower sample is not trusted. */
  readonly anchor: Millis | undefined;
  /** Latest sample of each recently listed query, by its id. */
  readonly samples: ReadonlyMap<string, OffsetSample>;
  /** Consecutive results of the latest lists that are higher than the offset. */
  readonly rising: readonly Millis[];
  /** Start of the latest list request, on the monotonic clock. */
  readonly listedAt: Millis | undefined;
}

interface OffsetSample {
  /** The offset, plus the time the query waited in the queue. */
  readonly value: Millis;
  /** Whether the query arrived between two lists and its elapsed time is consistent with that. */
  readonly isTrusted: boolean;
  readonly lastSeen: Millis;
}

/** Time after the last list with a query for which its sample counts. */
const window: Millis = 300_000;
const maxQueries = 1000;
/** Consecutive lists with a higher result after which the offset rises. */
const listsToRise = 5;
/** Percentile of the samples that is used, because queries that waited in the queue have too high samples. */
const percentile = 0.1;
/** Maximum time between two lists for which a new query counts as an observed arrival. */
const maxListGap: Millis = 30_000;

/** Returns the offset that an earlier run stored, or an unknown one. */
export function initialOffset(kept: Partial<Pick<ClockOffset, 'offset' | 'anchor'>> = {}): ClockOffset {
  const isUnconfirmed = kept.offset !== undefined;
  return {
    offset: kept.offset,
    isUnconfirmed,
    anchor: kept.anchor,
    samples: new Map(),
    rising: [],
    listedAt: undefined,
  };
}

/**
 * Updates the offset with a valid list. The arrival of a query and its elapsed time give the offset plus the time in
 * the queue, so a low percentile is used. A lower offset applies at once: it makes ids older, and the elapsed times
 * then limit the ages. A wrong elapsed time also looks like a lower offset, so a large drop needs a query that arrived
 * between two lists.
 */
export function updateOffset(given: ClockOffset, observations: readonly Observation[], times: ListTimes): ClockOffset {
  const listedAt = times.started.mono;
  if (observations.length === 0) return { ...given, listedAt };
  const samples = collectSamples(given, observations, times);
  const state = isOutdated(given, [...samples.values()]) ? initialOffset() : { ...given, isUnconfirmed: false };
  const anchor = offsetAnchor([...samples.values()], state);
  const candidate = offsetCandidate([...samples.values()], anchor);
  const next = { ...state, anchor, samples, listedAt };
  if (candidate === undefined) return next;
  // Before the first observed arrival the offset is only an estimate, so the first anchor replaces it.
  const before = state.anchor === undefined && anchor !== undefined ? initialOffset() : state;
  return { ...next, ...moveOffset(before, candidate) };
}

/**
 * Returns whether the stored offset of an earlier run is outdated: the samples of all queries in the first list exceed
 * it, so a clock was set between the two runs.
 */
function isOutdated({ isUnconfirmed, offset = 0 }: ClockOffset, samples: readonly OffsetSample[]): boolean {
  return isUnconfirmed && samples.every(({ value }) => value > offset + tolerance);
}

/** Returns the samples of this list and of earlier lists, in the order in which they were last seen. */
function collectSamples(
  { samples, listedAt }: ClockOffset,
  observations: readonly Observation[],
  { started, received }: ListTimes,
): ReadonlyMap<string, OffsetSample> {
  const recent = new Map([...samples].filter(([, { lastSeen }]) => received.mono - lastSeen <= window));
  const isArrival = listedAt !== undefined && isNear(listedAt, started.mono);
  const reach = isArrival ? received.mono - listedAt : 0;
  const latest: (readonly [id: string, sample: OffsetSample])[] = [];
  for (const { id, arrivedAt, elapsed } of observations.toReversed()) {
    // Earlier entries of a long list would be evicted again.
    if (latest.length === maxQueries) break;
    const before = recent.get(id);
    // A query that ran for so long would be in the previous list: its sample is not usable.
    if (isArrival && before === undefined && elapsed > reach + tolerance) continue;
    const sample = { value: received.wall - arrivedAt - elapsed, isTrusted: before === undefined && elapsed < reach };
    latest.push([id, { ...(before?.isTrusted === true ? before : sample), lastSeen: received.mono }]);
    recent.delete(id);
  }
  return new Map([...recent, ...latest.toReversed()].slice(-maxQueries));
}

/** Returns the lowest trusted sample, at most the offset: all observed queries may have waited in the queue. */
function offsetAnchor(samples: readonly OffsetSample[], { anchor, offset }: ClockOffset): Millis | undefined {
  const trusted = samples.filter(({ isTrusted }) => isTrusted).map(({ value }) => value);
  if (trusted.length === 0) return anchor;
  const before = anchor === undefined ? undefined : offset;
  return Math.min(...trusted, before ?? Number.POSITIVE_INFINITY);
}

function offsetCandidate(samples: readonly OffsetSample[], anchor: Millis | undefined): Millis | undefined {
  const believed = samples.filter(({ value, isTrusted }) => isTrusted || value >= (anchor ?? value) - tolerance);
  const values = believed.map(({ value }) => value).toSorted((one, other) => one - other);
  const lowest = Math.min(...values);
  const isAlone = anchor === undefined && values.findIndex((value) => value - lowest > tolerance) === 1;
  return values[Math.max(isAlone ? 1 : 0, Math.floor(values.length * percentile))];
}

/**
 * Returns a test whether other queries support the elapsed time of a query, by its id, after the list that led from `before`
 * to `now`. Before the first observed arrival each sample may come from a wrong elapsed time or from before a clock step,
 * so no other sample may contradict it. The same applies to the queries that began in a long time without lists, in which
 * the clock of the server may have been set: the offset from before is then one more sample.
 */
export function supportedElapsedTimes(before: ClockOffset, now: ClockOffset): (id: string) => boolean {
  const { anchor, samples } = now;
  if (anchor !== undefined && isNear(before.listedAt, now.listedAt)) return () => true;
  const values = [...samples].flatMap(([id, { value }]) =>
    anchor === undefined || !before.samples.has(id) ? [value] : [],
  );
  if (anchor !== undefined && before.offset !== undefined) values.push(before.offset);
  const highest = Math.max(...values);
  return (id) => {
    const value = samples.get(id)?.value ?? Number.NEGATIVE_INFINITY;
    if (value < highest - tolerance) return false;
    return anchor === undefined ? samples.size > 1 : values.filter((one) => value - one <= tolerance).length > 1;
  };
}

/** Returns whether a new query in a list counts as an observed arrival; also before the first list. */
function isNear(before: Millis | undefined, listedAt: Millis | undefined): boolean {
  return before === undefined || listedAt === undefined || listedAt - before <= maxListGap;
}

function moveOffset({ offset, rising }: ClockOffset, candidate: Millis): Pick<ClockOffset, 'offset' | 'rising'> {
  if (offset === undefined || candidate <= offset) return { offset: candidate, rising: [] };
  const higher = [...rising, candidate];
  return higher.length < listsToRise ? { offset, rising: higher } : { offset: Math.min(...higher), rising: [] };
}

// Maximum slew of a clock between two steps of the guard, which are seconds apart.
const maxSlew: Millis = 250;

/** Returns the step of the local wall clock against the monotonic clock between two instants; 0 if it was not set. */
export function clockStepBetween(before: Instant, now: Instant): Millis {
  const step = now.wall - before.wall - (now.mono - before.mono);
  return Math.abs(step) > maxSlew ? step : 0;
}

/** Adjusts the offset of a node's clock after a step of the local wall clock. */
export function shiftOffset(state: ClockOffset, step: Millis): ClockOffset {
  const by = (value: Millis | undefined) => (value === undefined ? undefined : value + step);
  return {
    ...state,
    offset: by(state.offset),
    anchor: by(state.anchor),
    samples: new Map([...state.samples].map(([id, one]) => [id, { ...one, value: one.value + step }])),
    rising: state.rising.map((value) => value + step),
  };
}
