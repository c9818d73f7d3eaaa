import type { Instant, Millis } from '../kernel/time.ts';
import type { Machine } from '../metric/machine.ts';
import type { ServiceState } from '../model/service.ts';
import { absent, type ReplicaId, unobserved } from '../model/transition.ts';
import { bounded, mostReplicas } from './bounds.ts';
import { difference, farewell, stored, type TrackOutput } from './differences.ts';
import { compared, patience } from './dispute.ts';
import { hardened, heard, missed, type TrackedReplica, unasked, unknownReplica } from './replica.ts';
import { observedUntilKept } from './rows.ts';
import type { TrackerSettings } from './settings.ts';
import type { StatusCode } from './status-codes.ts';
import { trackerSamples } from './tracker-metrics.ts';

/** What the tracker is told. Intervals are those between two such readings at present. */
export type TrackInput =
  | {
      readonly kind: 'states';
      readonly source: string;
      readonly states: readonly ServiceState[];
      readonly interval: Millis;
    }
  | { readonly kind: 'codes'; readonly codes: readonly StatusCode[]; readonly interval: Millis }
  /** No node could be asked for the states. */
  | { readonly kind: 'unable' }
  | { readonly kind: 'beat' }
  /** An operator knows that this replica will not come back. */
  | { readonly kind: 'forget'; readonly replica: ReplicaId };

/** All that is known of one cluster. */
export interface TrackerState {
  readonly replicas: ReadonlyMap<string, TrackedReplica>;
  /** The latest good answer; undefined where the last was none. */
  readonly answered: Reading | undefined;
  readonly codesRead: Reading | undefined;
  /** When nobody could be asked for the first time since then, and how often that has happened. */
  readonly blindSince: Instant | undefined;
  readonly failures: number;
  /** Replicas in the latest answer that there was no room for. */
  readonly untracked: number;
  /** Until when the store knows that we observed, ms since the epoch. */
  readonly keptUntil: number;
  /** What was found out while restoring, to be said with the next step. */
  readonly owed: readonly TrackOutput[];
}

interface Reading {
  readonly at: Instant;
  readonly interval: Millis;
}

interface Step {
  readonly state: TrackerState;
  readonly outputs: readonly TrackOutput[];
}

/** How often the store learns that we still observe: no more than this is taken for a gap after a crash. */
const heartbeat: Millis = 30_000;

/** Readings that may fail to come before silence is what it is. */
const patientIntervals = 3;

/** A tracker that has not seen anything. */
export const nothingTracked: TrackerState = {
  replicas: new Map(),
  answered: undefined,
  codesRead: undefined,
  blindSince: undefined,
  failures: 0,
  untracked: 0,
  keptUntil: Number.NEGATIVE_INFINITY,
  owed: [],
};

/** Under which key a replica is found in the state. */
export function keyOf({ service, partition, replica }: Omit<ReplicaId, 'cluster'>): string {
  return JSON.stringify([service, partition, replica]);
}

/** Follows the replicas of one cluster: what is observed, what is confirmed, what flaps, what two sources disagree about. */
export function createTracker(
  cluster: string,
  settings: TrackerSettings,
): Machine<TrackerState, TrackInput, TrackOutput> {
  return {
    initial: nothingTracked,
    step: (before, input, now) => {
      const context = { cluster, settings, now };
      const noticed = gapNoticed(before.owed.length === 0 ? before : { ...before, owed: [] }, input, context);
      const step = then(noticed, (state) => taken(state, input, context));
      return { state: step.state, outputs: [...before.owed, ...step.outputs] };
    },
    samples: (state) => trackerSamples(state),
  };
}

interface Context {
  readonly cluster: string;
  readonly settings: TrackerSettings;
  readonly now: Instant;
}

function taken(state: TrackerState, input: TrackInput, context: Context): Step {
  if (input.kind === 'states') return statesTaken(state, input, context);
  if (input.kind === 'codes') return codesTaken(state, input, context);
  if (input.kind === 'unable') return blinded(state, context);
  return input.kind === 'beat' ? beaten(state, context) : forgotten(state, [keyOf(input.replica)], context);
}

function statesTaken(state: TrackerState, input: TrackInput & { kind: 'states' }, context: Context): Step {
  const { now, settings } = context;
  const { source, interval } = input;
  const hearing = { source, now, settings };
  const told = new Map(bounded(input.states).map((one) => [keyOf(one), one]));
  const since = state.answered === undefined ? 0 : now.mono - state.answered.at.mono;
  const observedFor = Math.min(since, patientIntervals * interval);
  const next = { ...state, answered: { at: now, interval }, blindSince: undefined, failures: 0 };
  const known = changed(next, context, (replica, key) => {
    const own = told.get(key);
    const lived = aged(replica, observedFor);
    return own === undefined ? missed(lived, hearing) : heard(lived, own, hearing);
  });
  const grown = joined(known, told, (one) =>
    difference(context.cluster, undefined, heard(unknownReplica(one, now), one, hearing)),
  );
  const settled = kept(
    then(grown, (after) => changed(after, context, comparing(after, now))),
    context,
  );
  return then(settled, (after) => forgotten(after, overdue(after, context), context));
}

function codesTaken(state: TrackerState, { codes, interval }: TrackInput & { kind: 'codes' }, context: Context): Step {
  const byKey = new Map(codes.map((one) => [keyOf(one), one.code]));
  const next = { ...state, codesRead: { at: context.now, interval } };
  const compare = comparing(next, context.now);
  return changed(next, context, (replica, key) => compare({ ...replica, code: byKey.get(key) }));
}

/**
 * Where readings neither succeed nor fail, that is as good as not being able to ask. Who was stopped for a while learns of
 * it late, perhaps with the next good answer: what lies between was observed by nobody.
 */
function gapNoticed(state: TrackerState, input: TrackInput, context: Context): Step {
  const { answered } = state;
  if (answered === undefined || input.kind === 'codes' || input.kind === 'forget') return { state, outputs: [] };
  const { now, settings } = context;
  const interval = input.kind === 'states' ? Math.max(answered.interval, input.interval) : answered.interval;
  const observedFor = patientIntervals * interval;
  // The monotonic clock counts fractions, and what is stored is whole milliseconds.
  const over = Math.ceil(now.mono - answered.at.mono - observedFor);
  if (over <= 0) return { state, outputs: [] };
  const blindSince = { wall: now.wall - over, mono: now.mono - over };
  const lived = changed(state, context, (replica) => aged(replica, observedFor));
  return then(lived, (after) => blinded({ ...after, blindSince }, context, settings.confirm));
}

/** As often as a status has to be seen to be confirmed, asking has to fail before the timeline says so. */
function blinded(state: TrackerState, context: Context, failures = state.failures + 1): Step {
  const blindSince = state.blindSince ?? context.now;
  const blind = { ...state, answered: undefined, blindSince, failures };
  if (failures < context.settings.confirm) return { state: blind, outputs: [] };
  return changed(blind, context, (replica) => unasked(replica, blindSince));
}

/** Time alone may confirm a status. */
function beaten(state: TrackerState, context: Context): Step {
  if (state.answered === undefined) return { state, outputs: [] };
  return changed(state, context, (replica) => hardened(replica, context));
}

/** Applies what happened to each replica, and says what became different. The state stays the same object where nothing did. */
function changed(
  state: TrackerState,
  { cluster }: Context,
  happen: (replica: TrackedReplica, key: string) => TrackedReplica,
): Step {
  const replicas = new Map<string, TrackedReplica>();
  const outputs: TrackOutput[] = [];
  let isSame = true;
  for (const [key, before] of state.replicas) {
    const after = difference(cluster, before, happen(before, key));
    replicas.set(key, after.replica);
    outputs.push(...after.outputs);
    isSame &&= after.replica === before;
  }
  return isSame ? { state, outputs } : { state: { ...state, replicas }, outputs };
}

/** Adds replicas that were not there before, while there is room. */
function joined(
  { state, outputs }: Step,
  told: ReadonlyMap<string, ServiceState>,
  welcome: (told: ServiceState) => ReturnType<typeof difference>,
): Step {
  const news = [...told].filter(([key]) => !state.replicas.has(key));
  const fitting = news.slice(0, Math.max(0, mostReplicas - state.replicas.size));
  const welcomed = fitting.map(([key, one]) => [key, welcome(one)] as const);
  const replicas = new Map([...state.replicas, ...welcomed.map(([key, { replica }]) => [key, replica] as const)]);
  return {
    state: { ...state, replicas, untracked: news.length - fitting.length },
    outputs: [...outputs, ...welcomed.flatMap(([, one]) => one.outputs)],
  };
}

function forgotten(state: TrackerState, keys: readonly string[], { cluster, now }: Context): Step {
  const gone = keys.map((key) => state.replicas.get(key)).filter((replica) => replica !== undefined);
  const replicas = new Map(state.replicas);
  for (const replica of gone) replicas.delete(keyOf(replica));
  return { state: { ...state, replicas }, outputs: gone.flatMap((replica) => farewell(cluster, replica, now.wall)) };
}

function overdue({ replicas }: TrackerState, { now, settings }: Context): readonly string[] {
  const isOver = ({ hard, missingSince }: TrackedReplica): boolean =>
    hard === absent && missingSince !== undefined && now.wall - missingSince >= settings.forget;
  return [...replicas].filter(([, replica]) => isOver(replica)).map(([key]) => key);
}

/** Says from time to time that we still observe. */
function kept({ state, outputs }: Step, { cluster, now }: Context): Step {
  // The wall clock may have been set back: then what is stored lies in the future, and is to be replaced.
  if (Math.abs(now.wall - state.keptUntil) < heartbeat) return { state, outputs };
  const beat = stored(observedUntilKept(cluster, now.wall));
  return { state: { ...state, keptUntil: now.wall }, outputs: [...outputs, ...beat] };
}

function comparing(
  { answered, codesRead, blindSince }: TrackerState,
  now: Instant,
): (replica: TrackedReplica) => TrackedReplica {
  if (codesRead === undefined || blindSince !== undefined) return (replica) => replica;
  const isOld = now.mono - codesRead.at.mono > patientIntervals * codesRead.interval;
  const patient = patience(codesRead.interval, answered?.interval ?? 0);
  return (replica) => compared(isOld ? { ...replica, code: undefined } : replica, now, patient);
}

function aged(replica: TrackedReplica, length: Millis): TrackedReplica {
  if (replica.observed === unobserved) return replica;
  const online = replica.observed === 'Online' ? length : 0;
  return { ...replica, observedFor: replica.observedFor + length, onlineFor: replica.onlineFor + online };
}

function then({ state, outputs }: Step, next: (state: TrackerState) => Step): Step {
  const step = next(state);
  return { state: step.state, outputs: [...outputs, ...step.outputs] };
}
