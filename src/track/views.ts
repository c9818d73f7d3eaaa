import type { Instant } from '../kernel/time.ts';
import { type PartitionView, type ReplicaView, unobserved } from '../model/transition.ts';
import { type TrackedReplica, unasked } from './replica.ts';

/** What of the tracker's state shows. */
export interface Shown {
  readonly replicas: ReadonlyMap<string, TrackedReplica>;
  /** When nobody could be asked for the first time since the last good answer. */
  readonly blindSince: Instant | undefined;
}

/** What the tracker shows of a cluster: of replicas as they are, and of partitions by their replicas. */
export function viewsOf(
  state: Shown,
  cluster: string,
): { readonly replicas: readonly ReplicaView[]; readonly partitions: readonly PartitionView[] } {
  const views = shownReplicas(state).map((known) => replicaView(known, cluster));
  return { replicas: views, partitions: partitionViews(views) };
}

/** What one failed reading hides comes back with the next, and is not worth a transition; but it does not show meanwhile. */
export function shownReplicas({ replicas, blindSince }: Shown): readonly TrackedReplica[] {
  const all = [...replicas.values()];
  return blindSince === undefined ? all : all.map((known) => unasked(known, blindSince));
}

/** A replica as others may see it. */
export function replicaView(known: TrackedReplica, cluster: string): ReplicaView {
  const { service, partition, replica, observed, observedSince, hard, hardSince, flapping, process, disputed } = known;
  return {
    cluster,
    service,
    partition,
    replica,
    observed,
    observedSince,
    hard,
    hardSince,
    flapping,
    process,
    disputed,
  };
}

function partitionViews(views: readonly ReplicaView[]): readonly PartitionView[] {
  const groups = Map.groupBy(views, ({ service, partition }) => JSON.stringify([service, partition]));
  return [...groups.values()].flatMap(partitionView);
}

function partitionView(members: readonly ReplicaView[]): readonly PartitionView[] {
  const [first] = members;
  if (first === undefined) return [];
  const { cluster, service, partition } = first;
  const seen = members.filter(({ observed, hard }) => observed !== unobserved && hard !== unobserved);
  const online = seen.filter(({ hard }) => hard === 'Online').length;
  return [{ cluster, service, partition, replicas: members.length, online: seen.length === 0 ? undefined : online }];
}
