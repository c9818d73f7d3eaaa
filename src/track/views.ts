import { type PartitionView, type ReplicaView, unobserved } from '../model/transition.ts';
import type { TrackedReplica } from './replica.ts';

/** What the tracker shows of a cluster: of replicas as they are, and of partitions by their replicas. */
export function viewsOf(
  { replicas }: { readonly replicas: ReadonlyMap<string, TrackedReplica> },
  cluster: string,
): { readonly replicas: readonly ReplicaView[]; readonly partitions: readonly PartitionView[] } {
  const views = [...replicas.values()].map((known) => replicaView(known, cluster));
  return { replicas: views, partitions: partitionViews(views) };
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
