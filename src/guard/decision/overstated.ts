import type { Millis } from '../../kernel/time.ts';
import type { Candidate } from '../candidate.ts';
import type { Listing, ListTimes } from '../listing.ts';
import type { Sighting } from '../sighting.ts';

/** What our own lists tell of an entry's age. No clock of a server has a say in it, once the entry was listed. */
export interface Beginning {
  /** As it was listed first. */
  readonly first: Sighting;
  /** When that list was asked for, on the monotonic clock. */
  readonly listedAt: Millis;
  /** Since when it surely runs, on the monotonic clock. */
  readonly since: Millis;
  /** It was listed as older than it can be: only that counts of its age which we have seen. */
  readonly isOverstated: boolean;
}

/** By id. */
export type Beginnings = ReadonlyMap<string, Beginning>;

/** A good list, and the one before it. */
export interface Lists extends Pick<Listing, 'sightings' | 'ids'> {
  readonly times: ListTimes;
  /** What it comes to where nothing is overstated. */
  readonly candidates: ReadonlyMap<string, Candidate>;
  readonly earlier: { readonly times: ListTimes } | undefined;
}

// Some servers tell of whole seconds, and their clocks may drift.
const rounding: Millis = 1000;
const drift = 0.02;

/** What a good list adds. What it does not name is forgotten; what is odd this time is not. */
export function beginnings(before: Beginnings, { sightings, ids, ...lists }: Lists): Beginnings {
  const next = new Map<string, Beginning>();
  for (const sighting of sightings) next.set(sighting.id, beginningOf(before.get(sighting.id), sighting, lists));
  if (ids.size === next.size) return next;
  for (const id of ids) {
    const known = next.has(id) ? undefined : before.get(id);
    if (known !== undefined) next.set(id, known);
  }
  return next;
}

/**
 * A server may measure by a clock that is set while a query runs, so its word is taken for how long it had run when it
 * was listed first, if the list before allows as much, and never again.
 */
function beginningOf(
  known: Beginning | undefined,
  sighting: Sighting,
  { times: { started, received }, earlier, candidates }: Omit<Lists, 'sightings' | 'ids'>,
): Beginning {
  if (known !== undefined && isSame(known.first, sighting)) {
    const most = known.first.elapsed + grown(received.mono - known.listedAt);
    return known.isOverstated || sighting.elapsed <= most ? known : { ...known, isOverstated: true };
  }
  const isOverstated = earlier !== undefined && sighting.elapsed > grown(received.mono - earlier.times.started.mono);
  const age = isOverstated ? 0 : (candidates.get(sighting.id)?.age.least ?? 0);
  return { first: sighting, listedAt: started.mono, since: received.mono - age, isOverstated };
}

/** An id may come again. */
function isSame(one: Sighting, other: Sighting): boolean {
  return one.url === other.url && one.startTime === other.startTime;
}

/** The most that an elapsed time grows in such a time. */
function grown(length: Millis): Millis {
  return length * (1 + drift) + rounding;
}

/** A candidate that is no older than it can be, and no younger than we have seen. */
export function restrained(candidate: Candidate, known: Beginnings): Candidate {
  const beginning = known.get(candidate.sighting.id);
  if (beginning === undefined) return candidate;
  const { least, most } = candidate.age;
  const seen = candidate.at - beginning.since;
  const isTooOld = beginning.isOverstated && least > seen;
  if (!isTooOld && most >= seen) return candidate;
  return { ...candidate, age: { least: isTooOld ? seen : least, most: Math.max(most, seen) } };
}
