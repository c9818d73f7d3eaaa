import type { Result } from '../../kernel/result.ts';
import type { Millis } from '../../kernel/time.ts';
import { type Candidate, createCandidate } from '../candidate.ts';
import { type ClockOffset, clockStepBetween, initialOffset, updateOffset } from '../clock-offset.ts';
import { createObservationRecorder, type ObservationHistory } from '../confirmation.ts';
import type { ConfirmSettings } from '../policy.ts';
import {
  type EntrySkipReason,
  type ExpectedInstances,
  type ListSkipReason,
  type ListTimes,
  type Observation,
  type ParsedProcessList,
  type ProcessList,
  staleness,
  validateList,
} from '../process-list.ts';
import type { GuardInput } from './input.ts';
import { initialListRateLimit, type ListRateLimit, recordResponse } from './list-rate-limit.ts';

/** Why a list of a node is void; `failed` where there was none. */
export type NodeListSkipReason = ListSkipReason | 'failed' | 'clock_stepped';

/** What is known of one node by its lists. */
export interface NodeView {
  readonly offset: ClockOffset;
  readonly witnesses: ReadonlyMap<string, ObservationHistory>;
  readonly startEstimates: StartEstimates;
  /** Confirmation settings that the observations serve. */
  readonly ways: readonly ConfirmSettings[];
  /** The latest good list; undefined before the first, and after our clock stepped. */
  readonly list: ValidList | undefined;
  /** Void lists in a row. */
  readonly voids: number;
  readonly isCovered: boolean;
  readonly pace: ListRateLimit;
}

/** A good list of a node. */
export interface ValidList {
  readonly times: ListTimes;
  /** The connection that it came over: what is done by this list is done there. */
  readonly connection: string;
  readonly candidates: ReadonlyMap<string, Candidate>;
  /** All ids of the list, also of skipped entries. */
  readonly ids: ReadonlySet<string>;
  /** Number of skipped entries. */
  readonly leftOut: number;
}

/** What a list adds to a view. */
export interface NodeViewUpdate {
  readonly view: NodeView;
  readonly leftOut: readonly EntrySkipReason[];
  readonly skipReason: NodeListSkipReason | undefined;
}

const rejectedListsUntilBlind = 3;

/** A node that was never asked. */
export function initialNodeView(offset: Partial<Pick<ClockOffset, 'offset' | 'anchor'>> = {}): NodeView {
  return {
    offset: initialOffset(offset),
    witnesses: new Map(),
    startEstimates: new Map(),
    ways: [],
    list: undefined,
    voids: 0,
    isCovered: false,
    pace: initialListRateLimit,
  };
}

/** Returns whether a node had no valid list for so long that an alert is needed. */
export function isBlind({ voids }: Pick<NodeView, 'voids'>): boolean {
  return voids >= rejectedListsUntilBlind;
}

/** How a list is to be looked at. */
export interface ListContext {
  readonly answer: Result<ParsedProcessList, ListSkipReason>;
  readonly instances: ExpectedInstances;
  readonly ways: readonly ConfirmSettings[];
}

/** What a list says, or that it says nothing. */
export function withList(
  before: NodeView,
  { node, times, connection }: Omit<GuardInput & { readonly kind: 'listed' }, 'body'>,
  { answer, instances, ways }: ListContext,
): NodeViewUpdate {
  const view = {
    ...before,
    pace: recordResponse(before.pace, { started: times.started.mono, received: times.received.mono }),
  };
  if (clockStepBetween(times.started, times.received) !== 0) return withRejectedList(view, 'clock_stepped');
  if (staleness(times, times.received) === 'too_slow') return withRejectedList(view, 'too_slow');
  const read = validateList(answer, instances);
  if (!read.ok) return withRejectedList(view, read.error);
  const { observations, leftOut, ids } = read.value;
  const offset = updateOffset(view.offset, observations, times);
  const candidates = new Map<string, Candidate>();
  for (const observation of observations) {
    const candidate = createCandidate(node, observation, times, offset.offset);
    if (candidate !== undefined) candidates.set(observation.id, candidate);
  }
  const histories = updateObservations(view, observations, { times, ways });
  const known = updateStartEstimates(view.startEstimates, {
    observations,
    ids: new Set([...ids, ...histories.witnesses.keys()]),
    times,
    candidates,
    earlier: view.list,
  });
  for (const [id, candidate] of candidates) {
    const one = withBoundedAge(candidate, known);
    if (one !== candidate) candidates.set(id, one);
  }
  const disagreeing = Array.from({ length: observations.length - candidates.size }, () => 'ages' as const);
  const list: ValidList = { times, connection, candidates, ids, leftOut: leftOut.length + disagreeing.length };
  return {
    view: { ...view, ...histories, startEstimates: known, offset, list, voids: 0 },
    leftOut: [...leftOut, ...disagreeing],
    skipReason: undefined,
  };
}

/** Records that a request, which began at `started`, returned no list. */
export function withMissingList(
  before: NodeView,
  { started, now }: { readonly started?: Millis | undefined; readonly now: Millis },
  skipReason: NodeListSkipReason = 'failed',
): NodeViewUpdate {
  // While a node is away, the collector polls it between the requests of the guard.
  const requested = before.pace.isAsking ? before.pace.askedAt : undefined;
  const times = { started: started ?? requested ?? now, received: now };
  return withRejectedList({ ...before, pace: recordResponse(before.pace, times) }, skipReason);
}

/** After our own clock was set nothing that was measured by it holds; the node's clock stands to it as it is now. */
export function withoutObservations(view: NodeView, offset: ClockOffset): NodeView {
  return { ...view, offset, witnesses: new Map(), list: undefined };
}

function withRejectedList(view: NodeView, skipReason: NodeListSkipReason): NodeViewUpdate {
  return { view: { ...view, voids: view.voids + 1 }, leftOut: [], skipReason };
}

/** Time for which an entry that lists lack is remembered: lists that lose entries shall not make a query immortal. */
const absenceRetention: Millis = 300_000;
/** Entries that are remembered without being listed; those that were observed first stay. */
const maxAbsent = 1000;

/** Returns the histories of recently listed entries that a list lacks. */
function absentEntries(
  known: ReadonlyMap<string, ObservationHistory>,
  listed: ReadonlyMap<string, unknown>,
  now: Millis,
): readonly (readonly [string, ObservationHistory])[] {
  const absent = [...known].filter(([id, { last }]) => !listed.has(id) && now - last.received.mono <= absenceRetention);
  if (absent.length <= maxAbsent) return absent;
  return absent.toSorted(([, one], [, other]) => one.first.started.mono - other.first.started.mono).slice(0, maxAbsent);
}

/**
 * Adds a list to the histories of entries. An id that reappears within minutes keeps its history. All restart if the
 * confirmation settings of policies changed.
 */
function updateObservations(
  view: NodeView,
  observations: readonly Observation[],
  { times, ways }: { readonly times: ListTimes; readonly ways: readonly ConfirmSettings[] },
): Pick<NodeView, 'witnesses' | 'ways'> {
  const known = view.ways === ways ? view.witnesses : new Map<string, ObservationHistory>();
  const witnesses = new Map<string, ObservationHistory>();
  const confirmationOf = createObservationRecorder(times, ways);
  for (const one of observations) witnesses.set(one.id, confirmationOf(known.get(one.id), one));
  for (const [id, history] of absentEntries(known, witnesses, times.received.mono)) witnesses.set(id, history);
  return { witnesses, ways };
}

/** Age of an entry by our own lists. It does not depend on a server clock once the entry was listed. */
export interface StartEstimate {
  /** As it was listed first. */
  readonly first: Observation;
  /** When that list was asked for, on the monotonic clock. */
  readonly listedAt: Millis;
  /** Since when it surely runs, on the monotonic clock. */
  readonly since: Millis;
  /** It was listed as older than it can be: only that counts of its age which we have seen. */
  readonly isOverstated: boolean;
}

/** By id. */
export type StartEstimates = ReadonlyMap<string, StartEstimate>;

/** A good list, and the one before it. */
export interface ListUpdate extends Pick<ProcessList, 'observations' | 'ids'> {
  readonly times: ListTimes;
  /** What it comes to where nothing is overstated. */
  readonly candidates: ReadonlyMap<string, Candidate>;
  readonly earlier: { readonly times: ListTimes } | undefined;
}

// Some servers report whole seconds, and their clocks may drift.
const rounding: Millis = 1000;
const drift = 0.02;

/** What a good list adds. What is not in `ids` is forgotten: `ids` has recently listed entries, too. */
export function updateStartEstimates(
  before: StartEstimates,
  { observations, ids, ...lists }: ListUpdate,
): StartEstimates {
  const next = new Map<string, StartEstimate>();
  for (const observation of observations)
    next.set(observation.id, estimateStart(before.get(observation.id), observation, lists));
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
function estimateStart(
  known: StartEstimate | undefined,
  observation: Observation,
  { times: { started, received }, earlier, candidates }: Omit<ListUpdate, 'observations' | 'ids'>,
): StartEstimate {
  if (known !== undefined && isSameQuery(known.first, observation)) {
    const most = known.first.elapsed + maxGrowth(received.mono - known.listedAt);
    return known.isOverstated || observation.elapsed <= most ? known : { ...known, isOverstated: true };
  }
  const isOverstated =
    earlier !== undefined && observation.elapsed > maxGrowth(received.mono - earlier.times.started.mono);
  const age = isOverstated ? 0 : (candidates.get(observation.id)?.age.least ?? 0);
  return { first: observation, listedAt: started.mono, since: received.mono - age, isOverstated };
}

/** An id may come again. */
function isSameQuery(one: Observation, other: Observation): boolean {
  return one.url === other.url && one.startTime === other.startTime;
}

/** The most that an elapsed time grows in such a time. */
function maxGrowth(length: Millis): Millis {
  return length * (1 + drift) + rounding;
}

/** A candidate that is no older than it can be, and no younger than we have seen. */
export function withBoundedAge(candidate: Candidate, known: StartEstimates): Candidate {
  const startEstimate = known.get(candidate.observation.id);
  if (startEstimate === undefined) return candidate;
  const { least, most } = candidate.age;
  const seen = candidate.at - startEstimate.since;
  const isTooOld = startEstimate.isOverstated && least > seen;
  if (!isTooOld && most >= seen) return candidate;
  return { ...candidate, age: { least: isTooOld ? seen : least, most: Math.max(most, seen) } };
}
