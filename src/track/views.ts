import type { Instant } from '../kernel/time.ts';
import { type PartitionView, type RecentAvailability, type ReplicaView, unobserved } from '../model/transition.ts';
import { type PartitionHistories, partitionKey } from './recent-availability.ts';
import { markUnobserved, type TrackedReplica } from './replica.ts';

/** Part of the tracker's state that is exposed. */
export interface VisibleState {
  readonly replicas: ReadonlyMap<string, TrackedReplica>;
  /** Time of the first failed poll since the last successful one. */
  readonly unobservedSince: Instant | undefined;
  readonly partitions: PartitionHistories;
}

/** Returns the views of a cluster: its replicas, and its partitions by their replicas. */
export function viewsOf(
  state: VisibleState,
  cluster: string,
): { readonly replicas: readonly ReplicaView[]; readonly partitions: readonly PartitionView[] } {
  const views = visibleReplicas(state).map((tracked) => replicaView(tracked, cluster));
  return { replicas: views, partitions: partitionViews(views, state.partitions) };
}

/** Returns the replicas as they are exposed: unobserved from the first failed poll on, although one failure is no transition yet. */
export function visibleReplicas({ replicas, unobservedSince }: VisibleState): readonly TrackedReplica[] {
  const all = [...replicas.values()];
  return unobservedSince === undefined ? all : all.map((tracked) => markUnobserved(tracked, unobservedSince));
}

/** Returns the view of a replica. */
export function replicaView(tracked: TrackedReplica, cluster: string): ReplicaView {
  const {
    service,
    partition,
    replica,
    observed,
    observedSince,
    confirmed,
    confirmedSince,
    isFlapping,
    process,
    isDisputed,
  } = tracked;
  return {
    cluster,
    service,
    partition,
    replica,
    observed,
    observedSince,
    confirmed,
    confirmedSince,
    flapping: isFlapping,
    process,
    disputed: isDisputed,
  };
}

function partitionViews(views: readonly ReplicaView[], histories: PartitionHistories): readonly PartitionView[] {
  const groups = Map.groupBy(views, partitionKey);
  return [...groups].flatMap(([key, members]) => partitionView(members, histories.get(key)?.recent));
}

function partitionView(
  members: readonly ReplicaView[],
  recent: RecentAvailability | undefined,
): readonly PartitionView[] {
  const [first] = members;
  if (first === undefined) return [];
  const { cluster, service, partition } = first;
  const seen = members.filter(({ observed, confirmed }) => observed !== unobserved && confirmed !== unobserved);
  const online = seen.filter(({ confirmed }) => confirmed === 'Online').length;
  const isSeen = seen.length > 0;
  return [
    {
      cluster,
      service,
      partition,
      replicas: members.length,
      online: isSeen ? online : undefined,
      ...(isSeen && recent !== undefined ? { recent } : {}),
    },
  ];
}
