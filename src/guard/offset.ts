import type { Millis } from '../kernel/time.ts';
import type { ListTimes } from './listing.ts';
import type { Sighting } from './sighting.ts';

/** How far what the server says may be off by itself: delays on the way, and ages in whole seconds. */
export const tolerance: Millis = 5000;

/** How a node's clock stands to ours, as far as it is known. The two figures are what is worth keeping on disk. */
export interface ClockOffset {
  /** To be taken from our time to get the server's, ms; undefined before the first entry. */
  readonly offset: Millis | undefined;
  /** An earlier run found it out, and no list of this one has had a query yet. */
  readonly isHearsay: boolean;
  /** The lowest that queries told which we saw arrive: what claims less by itself alone is not believed. */
  readonly anchor: Millis | undefined;
  /** What each query told that was listed of late, by its id. */
  readonly told: ReadonlyMap<string, Told>;
  /** What the latest lists in a row came to that would have the offset higher than it is. */
  readonly rising: readonly Millis[];
  /** When the latest list was asked for, on the monotonic clock. */
  readonly listedAt: Millis | undefined;
}

interface Told {
  /** The offset, plus the time the query waited in the queue. */
  readonly value: Millis;
  /** We saw it arrive, and it was not listed as older than it could be. */
  readonly isVouched: boolean;
  readonly lastSeen: Millis;
}

const window: Millis = 300_000;
const mostQueries = 1000;
const listsToRise = 5;
const percentile = 0.1;
/** Between lists further apart an arrival is not narrowed down enough to vouch for anything. */
const longestGap: Millis = 30_000;

/** Nothing is known, or what an earlier run of the program had found out. */
export function initialOffset(kept: Partial<Pick<ClockOffset, 'offset' | 'anchor'>> = {}): ClockOffset {
  const isHearsay = kept.offset !== undefined;
  return { offset: kept.offset, isHearsay, anchor: kept.anchor, told: new Map(), rising: [], listedAt: undefined };
}

/**
 * What a good list adds. A query's arrival and its elapsed time give the offset plus its wait in the queue, hence the
 * low percentile. A fall is believed at once: it makes ids older, and elapsed times rule then. But an entry whose
 * elapsed time is wrong looks like a fall too, so one that is steep needs a query that we saw arrive.
 */
export function learnt(given: ClockOffset, sightings: readonly Sighting[], times: ListTimes): ClockOffset {
  const listedAt = times.started.mono;
  if (sightings.length === 0) return { ...given, listedAt };
  const told = heard(given, sightings, times);
  const state = isOutdated(given, [...told.values()]) ? initialOffset() : { ...given, isHearsay: false };
  const anchor = anchorOf([...told.values()], state);
  const candidate = candidateOf([...told.values()], anchor);
  const next = { ...state, anchor, told, listedAt };
  if (candidate === undefined) return next;
  // Until the first arrival that we saw, all was guesswork.
  const before = state.anchor === undefined && anchor !== undefined ? initialOffset() : state;
  return { ...next, ...moved(before, candidate) };
}

/**
 * Where all of the first queries have it that our clock is further ahead than an earlier run found, ours was set in
 * between: then what that run knew is a reason to believe neither of two that disagree.
 */
function isOutdated({ isHearsay, offset = 0 }: ClockOffset, told: readonly Told[]): boolean {
  return isHearsay && told.every(({ value }) => value > offset + tolerance);
}

/** What the queries of this list and of those before it tell, those longest unseen first. */
function heard(
  { told, listedAt }: ClockOffset,
  sightings: readonly Sighting[],
  { started, received }: ListTimes,
): ReadonlyMap<string, Told> {
  const recent = new Map([...told].filter(([, { lastSeen }]) => received.mono - lastSeen <= window));
  const isNear = listedAt !== undefined && started.mono - listedAt <= longestGap;
  const reach = isNear ? received.mono - listedAt : 0;
  const latest: (readonly [id: string, told: Told])[] = [];
  for (const { id, arrivedAt, elapsed } of sightings.toReversed()) {
    // Those before them in a long list would not be kept.
    if (latest.length === mostQueries) break;
    const before = recent.get(id);
    // The list before would have had it if it had run for so long: it tells nothing of the clock.
    if (isNear && before === undefined && elapsed > reach + tolerance) continue;
    const news = { value: received.wall - arrivedAt - elapsed, isVouched: before === undefined && elapsed < reach };
    latest.push([id, { ...(before?.isVouched === true ? before : news), lastSeen: received.mono }]);
    recent.delete(id);
  }
  return new Map([...recent, ...latest.toReversed()].slice(-mostQueries));
}

/** It rises with the offset alone: what we saw arrive may all have waited. */
function anchorOf(told: readonly Told[], { anchor, offset }: ClockOffset): Millis | undefined {
  const vouched = told.filter(({ isVouched }) => isVouched).map(({ value }) => value);
  if (vouched.length === 0) return anchor;
  const before = anchor === undefined ? undefined : offset;
  return Math.min(...vouched, before ?? Number.POSITIVE_INFINITY);
}

function candidateOf(told: readonly Told[], anchor: Millis | undefined): Millis | undefined {
  const believed = told.filter(({ value, isVouched }) => isVouched || value >= (anchor ?? value) - tolerance);
  const values = believed.map(({ value }) => value).toSorted((one, other) => one - other);
  const lowest = Math.min(...values);
  const isAlone = anchor === undefined && values.findIndex((value) => value - lowest > tolerance) === 1;
  return values[Math.max(isAlone ? 1 : 0, Math.floor(values.length * percentile))];
}

function moved({ offset, rising }: ClockOffset, candidate: Millis): Pick<ClockOffset, 'offset' | 'rising'> {
  if (offset === undefined || candidate <= offset) return { offset: candidate, rising: [] };
  const higher = [...rising, candidate];
  return higher.length < listsToRise ? { offset, rising: higher } : { offset: Math.min(...higher), rising: [] };
}
