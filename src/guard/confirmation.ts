import type { Millis } from '../kernel/time.ts';
import { grewInStep } from './age.ts';
import type { ListTimes } from './listing.ts';
import type { Confirm } from './policy.ts';
import type { Sighting } from './sighting.ts';

/** What the lists have told so far of one entry of a node, known by its id. */
export interface Witness {
  readonly first: Seen;
  readonly last: Seen;
  /** One for each way to confirm that was asked for, in that order. */
  readonly counts: readonly Count[];
}

interface Seen extends ListTimes {
  readonly url: string;
  readonly startTime: string;
  readonly elapsed: Millis;
}

interface Count {
  readonly sightings: number;
  /** When the list was asked for in which the last of them was, on the monotonic clock. */
  readonly countedAt: Millis;
  /** When the list arrived that made them enough, on the monotonic clock. */
  readonly confirmedAt: Millis | undefined;
}

// The beat of the lists moves, so what is asked for at the same pace shall not come to nothing by a hair.
const leeway = 0.1;

/** Adds a sighting to what the lists before have told of the entry. */
export type Witnessing = (before: Witness | undefined, sighting: Sighting) => Witness;

/**
 * Adds the sightings of a list. Whatever is not the very same entry as before begins anew: with another url or start, or
 * with an age that did not grow in step, since the list before and since the first.
 */
export function witnessing(times: ListTimes, ways: readonly Confirm[]): Witnessing {
  const { started, received } = times;
  // In a long list these are the same for thousands of entries.
  const anew = ways.map((way) => counted(undefined, way, times));
  return (before, { url, startTime, elapsed }) => {
    const seen: Seen = { url, startTime, elapsed, started, received };
    if (before === undefined || !isSame(before, seen)) return { first: seen, last: seen, counts: anew };
    const { first, counts } = before;
    const isOver = counts.every((count) => count.confirmedAt !== undefined);
    return { first, last: seen, counts: isOver ? counts : ways.map((way, at) => counted(counts[at], way, times)) };
  };
}

/** Since when an entry is confirmed in the way that stands at `index`, on the monotonic clock. */
export function confirmedAt({ counts }: Witness, index: number): Millis | undefined {
  return counts[index]?.confirmedAt;
}

function isSame({ first, last }: Witness, seen: Seen): boolean {
  const isAlike = last.url === seen.url && last.startTime === seen.startTime;
  return isAlike && grewInStep(last, seen) && grewInStep(first, seen);
}

function counted(before: Count | undefined, { sightings, apart }: Confirm, { started, received }: ListTimes): Count {
  if (before === undefined) return { sightings: 1, countedAt: started.mono, confirmedAt: undefined };
  if (before.confirmedAt !== undefined || started.mono - before.countedAt < apart * (1 - leeway)) return before;
  const count = before.sightings + 1;
  return {
    sightings: count,
    countedAt: started.mono,
    confirmedAt: count >= sightings ? received.mono : undefined,
  };
}
