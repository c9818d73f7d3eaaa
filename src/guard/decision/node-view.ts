import type { Result } from '../../kernel/result.ts';
import type { Millis } from '../../kernel/time.ts';
import { type Candidate, createCandidate, maxElapsedGrowth } from '../candidate.ts';
import {
  type ClockOffset,
  clockStepBetween,
  initialOffset,
  supportedElapsedTimes,
  updateOffset,
} from '../clock-offset.ts';
import { createObservationRecorder, type ObservationHistory } from '../confirmation.ts';
import type { ConfirmSettings } from '../policy.ts';
import {
  type EntrySkipReason,
  type ExpectedInstances,
  type ListSkipReason,
  type ListTimes,
  type Observation,
  type ParsedProcessList,
  type ProcessListEntries,
  staleness,
  validateList,
} from '../process-list.ts';
import type { GuardInput } from './input.ts';
import { initialListRateLimit, type ListRateLimit, type ListResponse, recordResponse } from './list-rate-limit.ts';

/** Reason why a list of a node is rejected; `failed` if there is no list. */
export type NodeListSkipReason = ListSkipReason | 'failed' | 'clock_stepped';

/** State of one node, derived from its lists. */
export interface NodeView {
  readonly offset: ClockOffset;
  /** Observations of each entry, by its id. */
  readonly histories: ReadonlyMap<string, ObservationHistory>;
  readonly startEstimates: StartEstimates;
  /** Confirmation settings that the observations serve. */
  readonly confirmSettings: readonly ConfirmSettings[];
  /** Latest valid list; undefined before the first, and after a step of the local wall clock. */
  readonly list: ValidList | undefined;
  /** Number of consecutive rejected or failed lists. */
  readonly rejectedLists: number;
  readonly isCovered: boolean;
  readonly pace: ListRateLimit;
}

/** Valid list of a node. */
export interface ValidList {
  readonly times: ListTimes;
  /** Connection that delivered the list, `''` if the server closed it. An abort that is based on the list uses the same one. */
  readonly connection: string;
  readonly candidates: ReadonlyMap<string, Candidate>;
  /** All ids of the list, also of skipped entries. */
  readonly ids: ReadonlySet<string>;
  /** Number of skipped entries. */
  readonly skippedEntries: number;
}

/** View after a list, with the reasons for skipped entries or for the rejection of the list. */
export interface NodeViewUpdate {
  readonly view: NodeView;
  readonly skippedEntries: readonly EntrySkipReason[];
  readonly skipReason: NodeListSkipReason | undefined;
}

/** Consecutive rejected or failed lists after which a node has no usable list. */
const rejectedListsUntilBlind = 3;

/** Returns the view of a node without any list. */
export function initialNodeView(offset: Partial<Pick<ClockOffset, 'offset' | 'anchor'>> = {}): NodeView {
  return {
    offset: initialOffset(offset),
    histories: new Map(),
    startEstimates: new Map(),
    confirmSettings: [],
    list: undefined,
    rejectedLists: 0,
    isCovered: false,
    pace: initialListRateLimit,
  };
}

/** Returns whether a node had no valid list for so long that an alert is needed. */
export function isBlind({ rejectedLists }: Pick<NodeView, 'rejectedLists'>): boolean {
  return rejectedLists >= rejectedListsUntilBlind;
}

/** Parsed list with the settings that it is evaluated with. */
export interface ListContext {
  readonly answer: Result<ParsedProcessList, ListSkipReason>;
  readonly instances: ExpectedInstances;
  readonly confirmSettings: readonly ConfirmSettings[];
  /** Time between two regular lists. */
  readonly interval: Millis;
}

/** Applies a list to a view, or records why the list is rejected. */
export function withList(
  before: NodeView,
  { node, times, connection, listTime }: Omit<GuardInput & { readonly kind: 'listed' }, 'body'>,
  { answer, instances, confirmSettings, interval }: ListContext,
): NodeViewUpdate {
  const response = { started: times.started.mono, received: times.received.mono, listTime, interval };
  const view = { ...before, pace: recordResponse(before.pace, response) };
  if (clockStepBetween(times.started, times.received) !== 0) return withRejectedList(view, 'clock_stepped');
  if (staleness(times, times.received) === 'too_slow') return withRejectedList(view, 'too_slow');
  const read = validateList(answer, instances);
  if (!read.ok) return withRejectedList(view, read.error);
  const { observations, skippedEntries, ids } = read.value;
  const offset = updateOffset(view.offset, observations, times);
  const candidates = new Map<string, Candidate>();
  for (const observation of observations) {
    const candidate = createCandidate(node, observation, times, offset.offset);
    if (candidate !== undefined) candidates.set(observation.id, candidate);
  }
  const observed = updateObservations(view, observations, { times, confirmSettings });
  const known = updateStartEstimates(view.startEstimates, {
    observations,
    ids: new Set([...ids, ...observed.histories.keys()]),
    times,
    candidates,
    isSupported: supportedElapsedTimes(view.offset, offset),
    // Unlike the list, it survives a step of the local wall clock, because it is on the monotonic clock.
    listedBefore: view.offset.listedAt,
  });
  for (const [id, candidate] of candidates) {
    const one = withBoundedAge(candidate, known);
    if (one !== candidate) candidates.set(id, one);
  }
  const disagreeing = Array.from({ length: observations.length - candidates.size }, () => 'ages' as const);
  const list: ValidList = {
    times,
    connection,
    candidates,
    ids,
    skippedEntries: skippedEntries.length + disagreeing.length,
  };
  return {
    view: { ...view, ...observed, startEstimates: known, offset, list, rejectedLists: 0 },
    skippedEntries: [...skippedEntries, ...disagreeing],
    skipReason: undefined,
  };
}

/** A request that returned no list. */
type MissingList = Pick<ListResponse, 'listTime' | 'interval'> & {
  readonly started?: Millis | undefined;
  readonly now: Millis;
};

/** Records that a request, which began at `started`, returned no list. */
export function withMissingList(
  before: NodeView,
  { started, now, ...known }: MissingList,
  skipReason: NodeListSkipReason = 'failed',
): NodeViewUpdate {
  // While a node is away, the collector polls it between the requests of the guard.
  const requested = before.pace.isRequesting ? before.pace.requestedAt : undefined;
  const times = { ...known, started: started ?? requested ?? now, received: now };
  return withRejectedList({ ...before, pace: recordResponse(before.pace, times) }, skipReason);
}

/**
 * Drops the observations and the list after a step of the wall clock, because their times are invalid; sets `offset`.
 */
export function withoutObservations(view: NodeView, offset: ClockOffset): NodeView {
  return { ...view, offset, histories: new Map(), list: undefined };
}

function withRejectedList(view: NodeView, skipReason: NodeListSkipReason): NodeViewUpdate {
  return { view: { ...view, rejectedLists: view.rejectedLists + 1 }, skippedEntries: [], skipReason };
}

/** Retention of an entry that lists lack, so that an incomplete list does not restart the confirmation of a query. */
const absenceRetention: Millis = 300_000;
/** Maximum number of retained absent entries; those that were observed first are kept. */
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
  { times, confirmSettings }: { readonly times: ListTimes; readonly confirmSettings: readonly ConfirmSettings[] },
): Pick<NodeView, 'histories' | 'confirmSettings'> {
  const known = view.confirmSettings === confirmSettings ? view.histories : new Map<string, ObservationHistory>();
  const histories = new Map<string, ObservationHistory>();
  const record = createObservationRecorder(times, confirmSettings);
  for (const one of observations) histories.set(one.id, record(known.get(one.id), one));
  for (const [id, history] of absentEntries(known, histories, times.received.mono)) histories.set(id, history);
  return { histories, confirmSettings };
}

/**
 * Start of a query by the lists so far. After the first list with the query, it no longer depends on the server's
 * clock.
 */
export interface StartEstimate {
  /** First observation of the query. */
  readonly first: Observation;
  /** Start of the request for that list, on the monotonic clock. */
  readonly listedAt: Millis;
  /** Latest possible start of the query, on the monotonic clock. */
  readonly since: Millis;
  /** Whether the server listed an impossible or contradicted age. Then only the time since the first observation counts. */
  readonly isOverstated: boolean;
}

/** Start estimates by id of the query. */
export type StartEstimates = ReadonlyMap<string, StartEstimate>;

/** Valid list with the times of the previous one. */
export interface ListUpdate extends Pick<ProcessListEntries, 'observations' | 'ids'> {
  readonly times: ListTimes;
  /** Candidates of the list by id, if no age is overstated. */
  readonly candidates: ReadonlyMap<string, Candidate>;
  /** Returns whether other queries support the elapsed time of a query, by its id. */
  readonly isSupported: (id: string) => boolean;
  /** Start of the request for the previous valid list, on the monotonic clock; undefined for the first one. */
  readonly listedBefore: Millis | undefined;
}

/**
 * Updates the estimates with a valid list. Drops entries that are not in `ids`, which includes recently listed ones.
 */
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
 * Estimates the start of a query. The elapsed time counts only in the first list, because the clock of the server may be
 * set while the query runs, and only if the previous list and the clock of the node, known from other queries, allow it.
 */
function estimateStart(
  known: StartEstimate | undefined,
  observation: Observation,
  { times: { started, received }, listedBefore, candidates, isSupported }: Omit<ListUpdate, 'observations' | 'ids'>,
): StartEstimate {
  if (known !== undefined && isSameQuery(known.first, observation)) {
    const most = known.first.elapsed + maxElapsedGrowth(received.mono - known.listedAt);
    return known.isOverstated || observation.elapsed <= most ? known : { ...known, isOverstated: true };
  }
  const candidate = candidates.get(observation.id);
  const isContradicted = candidate === undefined || !isSupported(observation.id);
  const isOverstated =
    listedBefore !== undefined &&
    (isContradicted || observation.elapsed > maxElapsedGrowth(received.mono - listedBefore));
  const age = isOverstated ? 0 : (candidate?.age.least ?? 0);
  return { first: observation, listedAt: started.mono, since: received.mono - age, isOverstated };
}

/** Returns whether two observations of an id are the same query, because a server may reuse an id. */
function isSameQuery(one: Observation, other: Observation): boolean {
  return one.url === other.url && one.startTime === other.startTime;
}

/** Limits the age and the start of a candidate to the values that are consistent with its start estimate. */
export function withBoundedAge(candidate: Candidate, known: StartEstimates): Candidate {
  const startEstimate = known.get(candidate.observation.id);
  if (startEstimate === undefined) return candidate;
  const { least, most } = candidate.age;
  const seen = candidate.at - startEstimate.since;
  const isTooOld = startEstimate.isOverstated && least > seen;
  if (!isTooOld && least >= seen) return candidate;
  const age = { least: isTooOld ? seen : least, most: Math.max(most, seen) };
  return { ...candidate, age, since: candidate.at - Math.max(age.least, seen) };
}
