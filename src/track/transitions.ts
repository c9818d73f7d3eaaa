import type { StoreChange } from '../kernel/store.ts';
import type { Instant } from '../kernel/time.ts';
import { zeroPeriod } from '../metric/first-use.ts';
import { type ReplicaView, type Transition, unobserved } from '../model/transition.ts';
import type { TrackedReplica } from './replica.ts';
import { deleteReplica, insertTransition, upsertCount, upsertReplica } from './rows.ts';
import { transitionTargetOf } from './tracker-metrics.ts';
import { replicaView } from './views.ts';

/** Output of the tracker. */
export type TrackerOutput =
  /** An observed change. */
  | { readonly kind: 'transition'; readonly transition: Transition }
  /** A status was confirmed; `from` is the previous confirmed status, `unobserved` without one. */
  | { readonly kind: 'confirmed'; readonly replica: ReplicaView; readonly from: string }
  /** Flapping began or ended, as the view says. */
  | { readonly kind: 'flapping'; readonly replica: ReplicaView }
  | { readonly kind: 'change'; readonly change: StoreChange };

/** Changes after which the next instance begins another transaction. */
const batchSize = 500;

/**
 * Returns the changes of the tracker in batches, one unless very many instances changed. All changes of an instance are
 * in the same batch.
 */
export function batchesOf(outputs: readonly TrackerOutput[]): StoreChange[][] {
  const batches: StoreChange[][] = [[]];
  let isComplete = false;
  for (const output of outputs) {
    if (output.kind !== 'change') continue;
    if (isComplete && (batches.at(-1)?.length ?? 0) >= batchSize) batches.push([]);
    batches.at(-1)?.push(output.change);
    // The row of an instance is the last one of its changes.
    isComplete = output.change.table === 'tracker_replicas';
  }
  return batches;
}

/** Replica after an observation, with the outputs for the difference. */
export interface ReplicaDifference {
  readonly replica: TrackedReplica;
  readonly outputs: readonly TrackerOutput[];
}

/** Returns the outputs for a changed replica; `before` is undefined for a new one. */
export function replicaDifference(
  cluster: string,
  before: TrackedReplica | undefined,
  after: TrackedReplica,
  now: Instant,
): ReplicaDifference {
  const moved = before?.observed !== after.observed;
  const to = transitionTargetOf(after.observed);
  const count = (after.transitionCounts[to] ?? 0) + 1;
  const replica = moved ? countTransition(after, { to, count }, before && now) : after;
  const outputs: TrackerOutput[] = [];
  if (moved) {
    const transition = transitionOf(cluster, before, after);
    outputs.push(
      { kind: 'transition', transition },
      ...storeChanges(insertTransition(transition), upsertCount(transition, to, count)),
    );
  }
  if (hasDurableChange(before, after)) outputs.push(...storeChanges(upsertReplica(cluster, replica)));
  const from = before?.confirmed ?? unobserved;
  if (from !== replica.confirmed) outputs.push({ kind: 'confirmed', replica: replicaView(replica, cluster), from });
  if ((before?.isFlapping ?? false) !== replica.isFlapping)
    outputs.push({ kind: 'flapping', replica: replicaView(replica, cluster) });
  return { replica, outputs };
}

/** Counts a transition. `changedAt` is absent for the first status of a new replica, which is no change of its status. */
function countTransition(
  replica: TrackedReplica,
  { to, count }: { readonly to: string; readonly count: number },
  changedAt: Instant | undefined,
): TrackedReplica {
  const transitionCounts = { ...replica.transitionCounts, [to]: count };
  if (count > 1 || changedAt === undefined) return { ...replica, transitionCounts };
  return { ...replica, transitionCounts, zeroUntil: { ...replica.zeroUntil, [to]: changedAt.mono + zeroPeriod } };
}

/** Returns the outputs for a removed replica; its timeline ends. */
export function replicaRemoved(cluster: string, tracked: TrackedReplica, at: number): readonly TrackerOutput[] {
  const gone = { ...tracked, observed: '', observedSince: Math.max(at, tracked.observedSince + 1) };
  const transition = transitionOf(cluster, tracked, gone);
  const changes = [insertTransition(transition), ...deleteReplica(transition)];
  return [{ kind: 'transition', transition }, ...storeChanges(...changes)];
}

/** Returns changes as outputs. */
export function storeChanges(...changes: readonly StoreChange[]): readonly TrackerOutput[] {
  return changes.map((change) => ({ kind: 'change', change }));
}

function transitionOf(cluster: string, before: TrackedReplica | undefined, after: TrackedReplica): Transition {
  const { service, partition, replica, observed: to, observedSince: at, process, eventId, eventNs, source } = after;
  const id = { cluster, service, partition, replica };
  const what = { at, from: before?.observed ?? '', to, process, eventId, eventNs, source };
  return before === undefined ? { ...id, ...what } : { ...id, ...what, duration: at - before.observedSince };
}

/** Returns whether a field changed that must survive a restart; events change with every result and do not count. */
function hasDurableChange(before: TrackedReplica | undefined, after: TrackedReplica): boolean {
  return (
    before === undefined ||
    before.observed !== after.observed ||
    before.confirmed !== after.confirmed ||
    before.isFlapping !== after.isFlapping ||
    before.missingSince !== after.missingSince ||
    before.process !== after.process
  );
}
