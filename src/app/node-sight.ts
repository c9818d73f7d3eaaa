import { type Candidate, candidateOf } from '../guard/candidate.ts';
import { shifted } from '../guard/clock-step.ts';
import { confirmedAt, type Witness, witnessed } from '../guard/confirmation.ts';
import type { Listing, ListTimes } from '../guard/listing.ts';
import { leastAgeWhenConfirmed } from '../guard/narrowing.ts';
import { type ClockOffset, initialOffset, learnt } from '../guard/offset.ts';
import type { Confirm } from '../guard/policy.ts';
import type { EntryDoubt } from '../guard/sighting.ts';
import type { Millis } from '../kernel/time.ts';

/** What the lists of one node have told the guard. */
export interface NodeSight {
  readonly offset: ClockOffset;
  /** By the id of the entry; those of the latest good list alone. */
  readonly witnesses: ReadonlyMap<string, Witness>;
  readonly candidates: readonly Candidate[];
  /** When the latest list arrived, on the monotonic clock; undefined where that one is void, or there was none. */
  readonly readAt: Millis | undefined;
}

/** Nothing was listed yet. */
export const unseen: NodeSight = {
  offset: initialOffset(),
  witnesses: new Map(),
  candidates: [],
  readAt: undefined,
};

/** What is to be made of a good list. */
export interface GoodList {
  readonly node: string;
  readonly listing: Listing;
  readonly times: ListTimes;
  /** How the policies want an entry confirmed, in their order. */
  readonly ways: readonly Confirm[];
}

/** Adds a good list, and tells why entries of it are left out. */
export function seen(
  before: NodeSight,
  { node, listing: { sightings, leftOut }, times, ways }: GoodList,
): { readonly sight: NodeSight; readonly doubts: readonly EntryDoubt[] } {
  const offset = learnt(before.offset, sightings, times);
  const candidates = sightings.flatMap((sighting) => candidateOf(node, sighting, times, offset.offset) ?? []);
  const witnesses = new Map(
    sightings.map((sighting) => [sighting.id, witnessed(before.witnesses.get(sighting.id), sighting, times, ways)]),
  );
  const aged = Array.from({ length: sightings.length - candidates.length }, (): EntryDoubt => 'ages');
  return {
    sight: { offset, witnesses, candidates, readAt: times.received.mono },
    doubts: [...leftOut, ...aged],
  };
}

/** After a void list nothing is known of what runs; what was learnt before it stands. */
export function blinded(before: NodeSight): NodeSight {
  return { ...before, candidates: [], readAt: undefined };
}

/** After our own clock was set: the list at hand was read by the clock as it was. */
export function afterStep(before: NodeSight, step: Millis): NodeSight {
  return blinded({ ...before, offset: shifted(before.offset, step) });
}

/** Confirmations begin anew where they are asked for in other ways. */
export function unconfirmed(before: NodeSight): NodeSight {
  return { ...before, witnesses: new Map() };
}

/** Since when an entry is confirmed in the way at `index`; until then, when at the earliest it can be. Monotonic. */
export function confirmation(
  { witnesses }: NodeSight,
  id: string,
  { index, way }: { readonly index: number; readonly way: Confirm },
): { readonly isConfirmed: boolean; readonly at: Millis } | undefined {
  const witness = witnesses.get(id);
  if (witness === undefined) return undefined;
  const since = confirmedAt(witness, index);
  if (since !== undefined) return { isConfirmed: true, at: since };
  return { isConfirmed: false, at: witness.first.started.mono + leastAgeWhenConfirmed(way) };
}
