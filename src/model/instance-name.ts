import type { ReplicaId } from './transition.ts';

/** Separators before the partition and the replica in the name of a service instance, as in the tools of the server. */
export const instanceMarks = { partition: '_', replica: '#' } as const;

/** Service instance, a partition without a replica, or a service without both. */
interface NamedInstance extends Pick<ReplicaId, 'service' | 'partition'> {
  /** `''` and null mean the whole partition. */
  readonly replica: string | null;
}

/** Name of a service instance in the notation of the server: `GPE_1#2`; `GPE_1` for a partition. */
export function instanceName({ service, partition, replica }: NamedInstance): string {
  const inPartition = partition === '' ? service : `${service}${instanceMarks.partition}${partition}`;
  return replica === null || replica === '' ? inPartition : `${inPartition}${instanceMarks.replica}${replica}`;
}
