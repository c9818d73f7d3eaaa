import type { Millis } from '../../kernel/time.ts';
import type { Candidate } from '../candidate.ts';
import type { ListTimes } from '../listing.ts';
import type { Sighting } from '../sighting.ts';

/**
 * Entries that were older, when they were listed first, than the list before them allows, by their id: since when they
 * surely run, on the monotonic clock. No clock of a server has a say in it.
 */
export type Overstated = ReadonlyMap<string, Millis>;

/** A good list of a node. */
interface Earlier {
  readonly times: ListTimes;
  readonly ids: ReadonlySet<string>;
}

// Some servers tell of whole seconds, and their clocks may drift.
const rounding: Millis = 1000;
const drift = 0.02;

/** What a good list adds, after the one before it. What is listed no more is forgotten. */
export function overstated(
  before: Overstated,
  sightings: readonly Sighting[],
  { times: { received }, earlier }: { readonly times: ListTimes; readonly earlier: Earlier | undefined },
): Overstated {
  const most = earlier === undefined ? Number.POSITIVE_INFINITY : received.mono - earlier.times.started.mono;
  const next = new Map<string, Millis>();
  for (const { id, elapsed } of sightings) {
    const isNew = earlier?.ids.has(id) === false && elapsed > most * (1 + drift) + rounding;
    const since = before.get(id) ?? (isNew ? received.mono : undefined);
    if (since !== undefined) next.set(id, since);
  }
  return next;
}

/** A candidate that is no older than it can be: of what is overstated only that counts which we have seen. */
export function restrained(candidate: Candidate, known: Overstated): Candidate {
  const since = known.get(candidate.sighting.id);
  if (since === undefined) return candidate;
  const { least, most } = candidate.age;
  return { ...candidate, age: { least: Math.min(least, candidate.at - since), most } };
}
