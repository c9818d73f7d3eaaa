import type { Millis } from '../kernel/time.ts';
import { ageOf } from './age.ts';
import type { ListTimes } from './listing.ts';
import type { Sighting } from './sighting.ts';

/** A query that a policy may look at: an entry of the latest good list of a node, with an age that is beyond doubt. */
export interface Candidate {
  readonly node: string;
  readonly sighting: Sighting;
  /** When its list was there, on the monotonic clock. */
  readonly at: Millis;
  /** How long it has run then: somewhere between these two. */
  readonly age: Range;
}

/** What a value that is not known exactly lies between. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/**
 * Undefined where the ages of an entry disagree. The least is the age that counts; that which is asked to be below a
 * bound has to be so by the most, which takes the server's word, as of the moment when it was asked.
 */
export function candidateOf(
  node: string,
  sighting: Sighting,
  { started, received }: ListTimes,
  offset: Millis | undefined,
): Candidate | undefined {
  const least = ageOf(sighting, received, offset);
  if (least === undefined) return undefined;
  const most = sighting.elapsed + (received.mono - started.mono);
  return { node, sighting, at: received.mono, age: { least, most } };
}

/** The age of a candidate at another time, which has gone by for it as well. */
export function ageAt({ at, age: { least, most } }: Candidate, mono: Millis): Range {
  return { least: least + mono - at, most: most + mono - at };
}
