import type { Result } from '../../kernel/result.ts';
import type { Millis } from '../../kernel/time.ts';
import { type Candidate, candidateOf } from '../candidate.ts';
import { stepBetween } from '../clock-step.ts';
import { type Witness, witnessing } from '../confirmation.ts';
import { type Answer, believed, type Instances, type ListDoubt, type ListTimes, staleness } from '../listing.ts';
import { type ClockOffset, initialOffset, learnt } from '../offset.ts';
import type { Confirm } from '../policy.ts';
import type { EntryDoubt, Sighting } from '../sighting.ts';
import type { GuardInput } from './input.ts';
import { type Beginnings, beginnings, restrained } from './overstated.ts';
import { heard, initialPace, type Pace } from './pace.ts';

/** Why a list of a node is void; `failed` where there was none. */
export type ViewDoubt = ListDoubt | 'failed' | 'clock_stepped';

/** What is known of one node by its lists. */
export interface View {
  readonly offset: ClockOffset;
  readonly witnesses: ReadonlyMap<string, Witness>;
  readonly beginnings: Beginnings;
  /** The ways to confirm that the witnesses are for. */
  readonly ways: readonly Confirm[];
  /** The latest good list; undefined before the first, and after our clock stepped. */
  readonly list: GoodList | undefined;
  /** Void lists in a row. */
  readonly voids: number;
  readonly isCovered: boolean;
  readonly pace: Pace;
}

/** A good list of a node. */
export interface GoodList {
  readonly times: ListTimes;
  /** Where it came from: what is done by this list is done there. */
  readonly address: string;
  readonly candidates: ReadonlyMap<string, Candidate>;
  /** All that it names, even where an entry is left out. */
  readonly ids: ReadonlySet<string>;
  /** How many of its entries are left out. */
  readonly leftOut: number;
}

/** What a list adds to a view. */
export interface Viewed {
  readonly view: View;
  readonly leftOut: readonly EntryDoubt[];
  readonly doubt: ViewDoubt | undefined;
}

const voidsToBeBlind = 3;

/** A node that was never asked. */
export function initialView(offset: Partial<Pick<ClockOffset, 'offset' | 'anchor'>> = {}): View {
  return {
    offset: initialOffset(offset),
    witnesses: new Map(),
    beginnings: new Map(),
    ways: [],
    list: undefined,
    voids: 0,
    isCovered: false,
    pace: initialPace,
  };
}

/** Nothing reliable was heard for so long that somebody has to know. */
export function isBlind({ voids }: Pick<View, 'voids'>): boolean {
  return voids >= voidsToBeBlind;
}

/** How a list is to be looked at. */
export interface Looking {
  readonly answer: Result<Answer, ListDoubt>;
  readonly instances: Instances;
  readonly ways: readonly Confirm[];
}

/** What a list says, or that it says nothing. */
export function viewed(
  before: View,
  { node, times, address }: Omit<GuardInput & { readonly kind: 'listed' }, 'body'>,
  { answer, instances, ways }: Looking,
): Viewed {
  const view = { ...before, pace: heard(before.pace, { started: times.started.mono, received: times.received.mono }) };
  if (stepBetween(times.started, times.received) !== 0) return voided(view, 'clock_stepped');
  if (staleness(times, times.received) === 'too_slow') return voided(view, 'too_slow');
  const read = believed(answer, instances);
  if (!read.ok) return voided(view, read.error);
  const { sightings, leftOut, ids } = read.value;
  const offset = learnt(view.offset, sightings, times);
  const candidates = new Map<string, Candidate>();
  for (const sighting of sightings) {
    const candidate = candidateOf(node, sighting, times, offset.offset);
    if (candidate !== undefined) candidates.set(sighting.id, candidate);
  }
  const known = beginnings(view.beginnings, { sightings, ids, times, candidates, earlier: view.list });
  for (const [id, candidate] of candidates) {
    const one = restrained(candidate, known);
    if (one !== candidate) candidates.set(id, one);
  }
  const disagreeing = Array.from({ length: sightings.length - candidates.size }, () => 'ages' as const);
  const list: GoodList = { times, address, candidates, ids, leftOut: leftOut.length + disagreeing.length };
  const witnesses = witnessesOf(view, sightings, { times, ways });
  return {
    view: { ...view, ...witnesses, beginnings: known, offset, list, voids: 0 },
    leftOut: [...leftOut, ...disagreeing],
    doubt: undefined,
  };
}

/** A list that did not come says as little as one that is void. */
export function unviewed(before: View, now: Millis, doubt: ViewDoubt = 'failed'): Viewed {
  const started = before.pace.askedAt ?? now;
  return voided({ ...before, pace: heard(before.pace, { started, received: now }) }, doubt);
}

/** After our own clock was set nothing that was measured by it holds; the node's clock stands to it as it is now. */
export function forgetful(view: View, offset: ClockOffset): View {
  return { ...view, offset, witnesses: new Map(), list: undefined };
}

function voided(view: View, doubt: ViewDoubt): Viewed {
  return { view: { ...view, voids: view.voids + 1 }, leftOut: [], doubt };
}

/** Only what this list has is still known. Other policies than before confirm in other ways: all begins anew. */
function witnessesOf(
  view: View,
  sightings: readonly Sighting[],
  { times, ways }: { readonly times: ListTimes; readonly ways: readonly Confirm[] },
): Pick<View, 'witnesses' | 'ways'> {
  const known = view.ways === ways ? view.witnesses : new Map<string, Witness>();
  const witnesses = new Map<string, Witness>();
  const witnessOf = witnessing(times, ways);
  for (const one of sightings) witnesses.set(one.id, witnessOf(known.get(one.id), one));
  return { witnesses, ways };
}
