import type { Instant, Millis } from '../kernel/time.ts';
import type { StateMachine } from '../metric/state-machine.ts';
import type { ServiceState } from '../model/service.ts';
import { absent, type ReplicaId, unobserved } from '../model/transition.ts';
import { observePartitions, type PartitionHistories } from './recent-availability.ts';
import {
  confirmStatus,
  markUnobserved,
  maxReplicas,
  newReplica,
  observeMissing,
  observeState,
  type TrackedReplica,
  trackableStates,
} from './replica.ts';
import { upsertObservedUntil } from './rows.ts';
import type { TrackerSettings } from './settings.ts';
import { compareSources, disagreementGracePeriod } from './source-disagreement.ts';
import type { StatusCode } from './status-codes.ts';
import { trackerSamples } from './tracker-metrics.ts';
import { replicaDifference, replicaRemoved, storeChanges, type TrackerOutput } from './transitions.ts';

/** Input of the tracker. `interval` is the current interval between two polls. */
export type TrackerInput =
  | {
      readonly kind: 'states';
      readonly source: string;
      readonly states: readonly ServiceState[];
      readonly interval: Millis;
    }
  | { readonly kind: 'codes'; readonly codes: readonly StatusCode[]; readonly interval: Millis }
  /** The poll of the states failed on all nodes. */
  | { readonly kind: 'poll_failed' }
  | { readonly kind: 'tick' }
  /** An operator removes the replica. */
  | { readonly kind: 'forget'; readonly replica: ReplicaId };

/** State of the tracker of one cluster. */
export interface TrackerState {
  readonly replicas: ReadonlyMap<string, TrackedReplica>;
  /** Latest successful poll of the states; undefined after a failed one. */
  readonly lastStates: PollTime | undefined;
  readonly lastCodes: PollTime | undefined;
  /** Time of the first failed poll since the last successful one, and the number of failures. */
  readonly unobservedSince: Instant | undefined;
  readonly consecutiveFailures: number;
  /** Replicas in the latest poll result that exceed the limit. */
  readonly untrackedReplicas: number;
  /** Stored time until which the cluster was observed, ms since the epoch. */
  readonly observedUntil: number;
  /** Recent outages by partition. */
  readonly partitions: PartitionHistories;
  /** Outputs of the restore, returned with the next step. */
  readonly pendingOutputs: readonly TrackerOutput[];
}

interface PollTime {
  readonly at: Instant;
  readonly interval: Millis;
}

interface Step {
  readonly state: TrackerState;
  readonly outputs: readonly TrackerOutput[];
}

/** Interval at which `observedUntil` is stored: the largest error of the gap after a crash. */
const observedUntilInterval: Millis = 30_000;

/** Missed intervals after which a cluster counts as unobserved. */
const maxMissedIntervals = 3;

/** State without observations. */
export const emptyTrackerState: TrackerState = {
  replicas: new Map(),
  lastStates: undefined,
  lastCodes: undefined,
  unobservedSince: undefined,
  consecutiveFailures: 0,
  untrackedReplicas: 0,
  observedUntil: Number.NEGATIVE_INFINITY,
  partitions: new Map(),
  pendingOutputs: [],
};

/** Returns the key of a replica in the state. */
export function keyOf({ service, partition, replica }: Omit<ReplicaId, 'cluster'>): string {
  // Tens of thousands of keys are computed at once, and JSON would take four times as long.
  return `${service.length},${partition.length},${service}${partition}${replica}`;
}

/** Returns the state machine that tracks the replicas of one cluster: observed and confirmed status, flapping, and disagreement of two sources. */
export function createTracker(
  cluster: string,
  settings: TrackerSettings,
): StateMachine<TrackerState, TrackerInput, TrackerOutput> {
  return {
    initial: emptyTrackerState,
    step: (before, input, now) => {
      const context = { cluster, settings, now };
      const noticed = detectGap(
        before.pendingOutputs.length === 0 ? before : { ...before, pendingOutputs: [] },
        input,
        context,
      );
      const step = chainStep(noticed, (state) => applyInput(state, input, context));
      return { state: step.state, outputs: [...before.pendingOutputs, ...step.outputs] };
    },
    samples: (state, now) => trackerSamples(state, now),
  };
}

interface Context {
  readonly cluster: string;
  readonly settings: TrackerSettings;
  readonly now: Instant;
}

function applyInput(state: TrackerState, input: TrackerInput, context: Context): Step {
  if (input.kind === 'states') return applyStates(state, input, context);
  if (input.kind === 'codes') return applyCodes(state, input, context);
  if (input.kind === 'poll_failed') return applyPollFailure(state, context);
  return input.kind === 'tick' ? applyTick(state, context) : forgetReplicas(state, [keyOf(input.replica)], context);
}

function applyStates(state: TrackerState, input: TrackerInput & { kind: 'states' }, context: Context): Step {
  const { now, settings } = context;
  const { source, interval } = input;
  const observation = { source, now, settings };
  const reported = new Map(trackableStates(input.states).map((one) => [keyOf(one), one]));
  const since = state.lastStates === undefined ? 0 : now.mono - state.lastStates.at.mono;
  const observedFor = Math.min(since, maxMissedIntervals * interval);
  const next = { ...state, lastStates: { at: now, interval }, unobservedSince: undefined, consecutiveFailures: 0 };
  const known = updateReplicas(next, context, (replica, key) => {
    const own = reported.get(key);
    const counted = addObservedTime(replica, observedFor);
    return own === undefined ? observeMissing(counted, observation) : observeState(counted, own, observation);
  });
  const grown = addReplicas(known, reported, (one) =>
    replicaDifference(context.cluster, undefined, observeState(newReplica(one, now), one, observation), now),
  );
  const settled = storeObservedUntil(
    chainStep(grown, (after) => updateReplicas(after, context, compareReplicas(after, now))),
    context,
  );
  const left = chainStep(settled, (after) => forgetReplicas(after, overdueReplicas(after, context), context));
  return withPartitions(left, now.mono);
}

function withPartitions({ state, outputs }: Step, at: number): Step {
  return { state: { ...state, partitions: observePartitions(state.partitions, state.replicas.values(), at) }, outputs };
}

function applyCodes(
  state: TrackerState,
  { codes, interval }: TrackerInput & { kind: 'codes' },
  context: Context,
): Step {
  const byKey = new Map(codes.map((one) => [keyOf(one), one.code]));
  const next = { ...state, lastCodes: { at: context.now, interval } };
  const compare = compareReplicas(next, context.now);
  return updateReplicas(next, context, (replica, key) => {
    const reportedCode = byKey.get(key);
    return compare(replica.reportedCode === reportedCode ? replica : { ...replica, reportedCode });
  });
}

/**
 * Detects a gap in the poll results: missing results count as failed polls. A process that was suspended detects the gap
 * late, perhaps with the next successful poll; all replicas are unobserved during the gap.
 */
function detectGap(state: TrackerState, input: TrackerInput, context: Context): Step {
  const { lastStates } = state;
  if (lastStates === undefined || input.kind === 'codes' || input.kind === 'forget') return { state, outputs: [] };
  const { now, settings } = context;
  const interval = input.kind === 'states' ? Math.max(lastStates.interval, input.interval) : lastStates.interval;
  const observedFor = maxMissedIntervals * interval;
  // The monotonic clock stops while the machine is suspended, and the wall clock can step back.
  const [wall, mono] = [now.wall - lastStates.at.wall, now.mono - lastStates.at.mono];
  if (Math.max(wall, mono) <= observedFor) return { state, outputs: [] };
  // The clocks have fractions of a millisecond, and stored times are whole.
  const unobservedSince = {
    wall: Math.floor(now.wall - Math.max(wall, mono) + observedFor),
    mono: Math.min(now.mono, lastStates.at.mono + observedFor),
  };
  const counted = updateReplicas(state, context, (replica) => addObservedTime(replica, observedFor));
  return chainStep(counted, (after) => applyPollFailure({ ...after, unobservedSince }, context, settings.confirm));
}

/** Marks all replicas as unobserved after `confirm` consecutive failures. */
function applyPollFailure(
  state: TrackerState,
  context: Context,
  consecutiveFailures = state.consecutiveFailures + 1,
): Step {
  const unobservedSince = state.unobservedSince ?? context.now;
  const failed = { ...state, lastStates: undefined, unobservedSince, consecutiveFailures };
  if (consecutiveFailures < context.settings.confirm) return { state: failed, outputs: [] };
  const marked = updateReplicas(failed, context, (replica) => markUnobserved(replica, unobservedSince));
  return withPartitions(marked, unobservedSince.mono);
}

/** Confirms statuses that have lasted for `confirm_for`. */
function applyTick(state: TrackerState, context: Context): Step {
  if (state.lastStates === undefined) return { state, outputs: [] };
  return updateReplicas(state, context, (replica) => confirmStatus(replica, context));
}

/** Updates each replica and returns the differences. The state stays the same object if no replica changed. */
function updateReplicas(
  state: TrackerState,
  { cluster, now }: Context,
  update: (replica: TrackedReplica, key: string) => TrackedReplica,
): Step {
  let replicas: Map<string, TrackedReplica> | undefined;
  const outputs: TrackerOutput[] = [];
  for (const [key, before] of state.replicas) {
    const updated = update(before, key);
    if (updated === before) continue;
    const after = replicaDifference(cluster, before, updated, now);
    replicas ??= new Map(state.replicas);
    replicas.set(key, after.replica);
    outputs.push(...after.outputs);
  }
  return replicas === undefined ? { state, outputs } : { state: { ...state, replicas }, outputs };
}

/** Adds new replicas up to the limit. */
function addReplicas(
  { state, outputs }: Step,
  reported: ReadonlyMap<string, ServiceState>,
  create: (reported: ServiceState) => ReturnType<typeof replicaDifference>,
): Step {
  const added = [...reported].filter(([key]) => !state.replicas.has(key));
  const accepted = added.slice(0, Math.max(0, maxReplicas - state.replicas.size));
  const untrackedReplicas = added.length - accepted.length;
  if (accepted.length === 0) return { state: { ...state, untrackedReplicas }, outputs };
  const created = accepted.map(([key, one]) => [key, create(one)] as const);
  const replicas = new Map([...state.replicas, ...created.map(([key, { replica }]) => [key, replica] as const)]);
  return {
    state: { ...state, replicas, untrackedReplicas },
    outputs: [...outputs, ...created.flatMap(([, one]) => one.outputs)],
  };
}

function forgetReplicas(state: TrackerState, keys: readonly string[], { cluster, now }: Context): Step {
  const gone = keys.map((key) => state.replicas.get(key)).filter((replica) => replica !== undefined);
  if (gone.length === 0) return { state, outputs: [] };
  const replicas = new Map(state.replicas);
  for (const replica of gone) replicas.delete(keyOf(replica));
  return {
    state: { ...state, replicas },
    outputs: gone.flatMap((replica) => replicaRemoved(cluster, replica, now.wall)),
  };
}

function overdueReplicas({ replicas }: TrackerState, { now, settings }: Context): readonly string[] {
  const isOver = ({ confirmed, missingSince }: TrackedReplica): boolean =>
    confirmed === absent && missingSince !== undefined && now.wall - missingSince >= settings.forget;
  return [...replicas].filter(([, replica]) => isOver(replica)).map(([key]) => key);
}

/** Stores the time of the observation at intervals. */
function storeObservedUntil({ state, outputs }: Step, { cluster, now }: Context): Step {
  // After a step back of the wall clock the stored time is in the future and has to be replaced.
  if (Math.abs(now.wall - state.observedUntil) < observedUntilInterval) return { state, outputs };
  const stored = storeChanges(upsertObservedUntil(cluster, now.wall));
  return { state: { ...state, observedUntil: now.wall }, outputs: [...outputs, ...stored] };
}

function compareReplicas(
  { lastStates, lastCodes, unobservedSince }: TrackerState,
  now: Instant,
): (replica: TrackedReplica) => TrackedReplica {
  if (lastCodes === undefined || unobservedSince !== undefined) return (replica) => replica;
  const isOld = now.mono - lastCodes.at.mono > maxMissedIntervals * lastCodes.interval;
  const gracePeriod = disagreementGracePeriod(lastCodes.interval, lastStates?.interval ?? 0);
  return (replica) => compareSources(isOld ? { ...replica, reportedCode: undefined } : replica, now, gracePeriod);
}

function addObservedTime(replica: TrackedReplica, length: Millis): TrackedReplica {
  if (replica.observed === unobserved) return replica;
  const online = replica.observed === 'Online' ? length : 0;
  return { ...replica, observedFor: replica.observedFor + length, onlineFor: replica.onlineFor + online };
}

function chainStep({ state, outputs }: Step, next: (state: TrackerState) => Step): Step {
  const step = next(state);
  return { state: step.state, outputs: step.outputs.length === 0 ? outputs : [...outputs, ...step.outputs] };
}
