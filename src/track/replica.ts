import type { Instant, Millis } from '../kernel/time.ts';
import type { ServiceState } from '../model/service.ts';
import { absent, unobserved } from '../model/transition.ts';
import type { FlappingSettings, TrackerSettings } from './settings.ts';
import { laggingEvent } from './source-lag.ts';

/** Most tracked replicas of one cluster. */
export const maxReplicas = 5000;

/** Longest name or status that is stored. */
const maxTextLength = 256;

/**
 * Returns the states that can be tracked: without instances that have too long names, and with other texts shortened.
 */
export function trackableStates(states: readonly ServiceState[]): readonly ServiceState[] {
  return states.filter(hasValidName).map((state) => (hasShortTexts(state) ? state : shortenTexts(state)));
}

function hasValidName({ service, partition, replica }: ServiceState): boolean {
  return [service, partition, replica].every((word) => word.length <= maxTextLength);
}

function hasShortTexts({ status, process, eventId }: ServiceState): boolean {
  return status.length <= maxTextLength && process.length <= maxTextLength && eventId.length <= maxTextLength;
}

function shortenTexts(state: ServiceState): ServiceState {
  const cut = (word: string): string => word.slice(0, maxTextLength);
  return { ...state, status: cut(state.status), process: cut(state.process), eventId: cut(state.eventId) };
}

/** State of one replica. Times are ms since the epoch unless they are on the monotonic clock. */
export interface TrackedReplica {
  readonly service: string;
  readonly partition: string;
  readonly replica: string;
  readonly observed: string;
  readonly observedSince: number;
  /** Start of `observed`, on the monotonic clock. */
  readonly observedSinceMono: number;
  readonly confirmed: string;
  readonly confirmedSince: number;
  /** Last status that was not {@link unobserved}; `''` before the first. */
  readonly status: string;
  /** Consecutive observations of `status`; failed polls between them do not reset the count. */
  readonly consecutiveObservations: number;
  /** Consecutive results without a new status: `StatusUnchanged`, or an outdated event of another node. */
  readonly consecutiveUnchanged: number;
  /** Consecutive successful poll results without the replica. */
  readonly consecutiveMisses: number;
  readonly missingSince: number | undefined;
  readonly process: string;
  readonly eventId: string;
  readonly eventNs: string;
  readonly source: string;
  /** Time since which another source node reports older events, on the monotonic clock. */
  readonly laggingSince: number | undefined;
  readonly changes: ChangeHistory;
  /** Times of the changes from and to `Online` in the last ten minutes, on the monotonic clock. */
  readonly changeTimes: readonly number[];
  readonly isFlapping: boolean;
  /** The code in the server's metrics; undefined where they have none. */
  readonly reportedCode: number | undefined;
  /** Time since which the code contradicts `observed`, on the monotonic clock. */
  readonly contradictedSince: number | undefined;
  readonly isDisputed: boolean;
  /** Number of transitions by new status. */
  readonly transitionCounts: Readonly<Record<string, number>>;
  /** Monotonic time until which the series of a count is 0, for counts that began in this process. */
  readonly zeroUntil: Readonly<Record<string, number>>;
  /** Time for which this process observed the replica, and the part of it in which the replica was online. */
  readonly observedFor: Millis;
  readonly onlineFor: Millis;
}

/** Source, time and settings of an observation. */
export interface ObservationContext {
  readonly source: string;
  readonly now: Instant;
  readonly settings: TrackerSettings;
}

/** Maximum consecutive results without a new status for which the last status stays observed. */
const maxUnchangedResults = 3;

/** Returns a replica without observations. */
export function newReplica(
  id: Pick<TrackedReplica, 'service' | 'partition' | 'replica'>,
  now: Instant,
): TrackedReplica {
  return {
    service: id.service,
    partition: id.partition,
    replica: id.replica,
    observed: '',
    observedSince: now.wall,
    observedSinceMono: now.mono,
    confirmed: unobserved,
    confirmedSince: now.wall,
    status: '',
    consecutiveObservations: 0,
    consecutiveUnchanged: 0,
    consecutiveMisses: 0,
    missingSince: undefined,
    process: '',
    eventId: '',
    eventNs: '',
    source: '',
    laggingSince: undefined,
    changes: '',
    changeTimes: [],
    isFlapping: false,
    reportedCode: undefined,
    contradictedSince: undefined,
    isDisputed: false,
    transitionCounts: {},
    zeroUntil: {},
    observedFor: 0,
    onlineFor: 0,
  };
}

/** Returns the replica after a successful poll result that contains it. */
export function observeState(known: TrackedReplica, state: ServiceState, context: ObservationContext): TrackedReplica {
  const isHere = known.consecutiveMisses === 0 && known.missingSince === undefined;
  const here = isHere ? known : { ...known, consecutiveMisses: 0, missingSince: undefined };
  if (state.status === 'StatusUnchanged') return observeUnchanged(here, state, context);
  const lagging = laggingEvent(known, state, context);
  if (lagging !== undefined && !lagging.isUsed) {
    const kept = { ...here, laggingSince: lagging.laggingSince };
    return state.status === known.status ? observeStatus(kept, state.status, context) : extendLastStatus(kept, context);
  }
  const { process, eventId, timestampNs: eventNs } = state;
  const event = { process, eventId, eventNs, source: context.source, laggingSince: undefined };
  return observeStatus({ ...here, ...event }, state.status, context);
}

/**
 * Returns the replica after a successful poll result without it. It is absent after the configured number of such
 * results.
 */
export function observeMissing(known: TrackedReplica, context: ObservationContext): TrackedReplica {
  const missing = {
    ...known,
    consecutiveMisses: known.consecutiveMisses + 1,
    missingSince: known.missingSince ?? context.now.wall,
  };
  if (missing.consecutiveMisses < context.settings.confirm) return missing;
  const gone = observeStatus({ ...missing, process: '', eventId: '', source: context.source }, absent, context);
  return {
    ...gone,
    confirmed: absent,
    confirmedSince: gone.confirmed === absent ? gone.confirmedSince : gone.observedSince,
  };
}

/** Returns the replica as unobserved. Its confirmed status stays, because the service itself may be unchanged. */
export function markUnobserved(known: TrackedReplica, now: Instant): TrackedReplica {
  return {
    ...changeObserved(known, unobserved, now),
    consecutiveUnchanged: 0,
    contradictedSince: undefined,
    isDisputed: false,
  };
}

/** Confirms a status that was observed often or long enough. */
export function confirmStatus(
  known: TrackedReplica,
  { now, settings }: Omit<ObservationContext, 'source'>,
): TrackedReplica {
  if (known.observed === unobserved || known.observed === known.confirmed) return known;
  const lasted = settings.confirmFor > 0 && now.mono - known.observedSinceMono >= settings.confirmFor;
  if (known.consecutiveObservations < settings.confirm && !lasted) return known;
  return { ...known, confirmed: known.observed, confirmedSince: known.observedSince };
}

/** Handles `StatusUnchanged`, which means that the last status still holds. */
function observeUnchanged(known: TrackedReplica, state: ServiceState, context: ObservationContext): TrackedReplica {
  const kept = extendLastStatus({ ...known, process: state.process === '' ? known.process : state.process }, context);
  return kept.observed === unobserved
    ? kept
    : { ...observeStatus(kept, kept.status, context), consecutiveUnchanged: kept.consecutiveUnchanged };
}

/** Keeps the last status for a limited number of results. */
function extendLastStatus(known: TrackedReplica, { now }: ObservationContext): TrackedReplica {
  const next = { ...known, consecutiveUnchanged: known.consecutiveUnchanged + 1 };
  const holds = known.observed === known.status && known.status !== absent && known.status !== '';
  return holds && next.consecutiveUnchanged <= maxUnchangedResults ? next : changeObserved(next, unobserved, now);
}

function observeStatus(known: TrackedReplica, status: string, context: ObservationContext): TrackedReplica {
  const { now, settings } = context;
  const again = status === known.status;
  const isChange = !again && known.status !== '';
  const changes = appendChange(known.changes, isChange, settings.flapping);
  // A restart passes through several statuses, so only changes from and to `Online` count.
  const isOnlineChange = isChange && (status === online || known.status === online);
  const changeTimes = recentChanges(known.changeTimes, isOnlineChange, settings.flapping, now);
  const next = {
    ...changeObserved(known, status, now),
    status,
    consecutiveObservations: again ? known.consecutiveObservations + 1 : 1,
    consecutiveUnchanged: 0,
    changes,
    changeTimes,
    isFlapping:
      detectFlapping(changes, known.isFlapping, settings.flapping) ||
      hasManyChanges(changeTimes, known.isFlapping, context),
  };
  return confirmStatus(next, context);
}

/**
 * Sets the observed status. Its time always increases, so that the timeline stays in order when the wall clock steps
 * back.
 */
function changeObserved(known: TrackedReplica, observed: string, now: Instant): TrackedReplica {
  if (known.observed === observed) return known;
  const observedSince = known.observed === '' ? now.wall : endOfStatus(known, now);
  return { ...known, observed, observedSince, observedSinceMono: now.mono };
}

/** Lag of the wall clock up to which it does not count as stepped back. */
const clockTolerance: Millis = 1000;

/**
 * Returns when the observed status ended, in ms since the epoch. After a backward step of the wall clock, the monotonic
 * clock gives the duration.
 */
function endOfStatus({ observedSince, observedSinceMono }: TrackedReplica, { wall, mono }: Instant): number {
  const expected = Math.ceil(observedSince + mono - observedSinceMono);
  return Math.max(wall < expected - clockTolerance ? expected : wall, observedSince + 1);
}

const online = 'Online';

/** Window of the flapping detection by time. */
const flappingWindow: Millis = 600_000;

function recentChanges(
  times: readonly number[],
  isChange: boolean,
  { changes }: FlappingSettings,
  { mono }: Instant,
): readonly number[] {
  const isOld = (times[0] ?? mono) <= mono - flappingWindow;
  if (!isChange && !isOld) return times;
  return [...times.filter((at) => at > mono - flappingWindow), ...(isChange ? [mono] : [])].slice(-changes);
}

/** Returns whether there were many changes in the window, with hysteresis, and the last one is not long ago. */
function hasManyChanges(
  times: readonly number[],
  flapping: boolean,
  { now, settings }: Omit<ObservationContext, 'source'>,
): boolean {
  const { changes } = settings.flapping;
  const since = now.mono - (times.at(-1) ?? Number.NEGATIVE_INFINITY);
  return times.length >= (flapping ? Math.ceil(changes * 0.75) : changes) && since <= flappingWindow / changes;
}

const oldestWeight = 0.8;
const newestWeight = 1.2;

/** The last observations of a replica, oldest first: `1` where the status was another than before, else `0`. */
export type ChangeHistory = string;

/** Adds an observation and drops the one that leaves the window. */
export function appendChange(changes: ChangeHistory, changed: boolean, { window }: FlappingSettings): ChangeHistory {
  // Of n observations, n - 1 can differ from the one before.
  return `${changes}${changed ? 1 : 0}`.slice(1 - window);
}

/** Returns whether a replica is flapping, with hysteresis. */
export function detectFlapping(changes: ChangeHistory, flapping: boolean, settings: FlappingSettings): boolean {
  const share = weightedChangeRatio(changes, settings.window - 1);
  return flapping ? share >= settings.off : share >= settings.on;
}

/**
 * Returns the share of changes among `most` observations. The newest has 1.5 times the weight of the oldest; observations
 * that are still missing count as unchanged.
 */
function weightedChangeRatio(changes: ChangeHistory, most: number): number {
  const step = (newestWeight - oldestWeight) / Math.max(1, most - 1);
  const missing = most - changes.length;
  let sum = 0;
  for (let at = 0; at < changes.length; at += 1) {
    if (changes[at] === '1') sum += oldestWeight + step * (missing + at);
  }
  return sum / most;
}
