import type { Situation } from '../../model/situation.ts';
import { type ReplicaView, unobserved } from '../../model/transition.ts';
import { instanceName } from './words.ts';

/** The labels of a service instance, as its families have them. */
export const replicaLabels = ['service_name', 'partition', 'replica'] as const;

/**
 * Whether what was confirmed of a service instance tells something of the present. It outlives not being able to ask,
 * also through a restart: what may have ended unseen begins nothing, and what was seen to be `well` begins nothing
 * either while that is being confirmed.
 */
export function isPresent(
  { replicas }: Pick<Situation, 'replicas'>,
  { service_name, partition, replica }: Readonly<Record<string, string>>,
  isWell: (status: string) => boolean,
): boolean {
  const view = indexOf(replicas).get(JSON.stringify([service_name, partition, replica]));
  if (view === undefined) return true;
  return view.observed !== unobserved && (isWell(view.hard) || !isWell(view.observed));
}

/** The identity of a service instance in alerts, and how texts call it. */
export function ofReplica({ service, partition, replica }: ReplicaView) {
  const labels = { service_name: service, partition, replica };
  return { labels, facts: { instance: instanceName({ service, partition, replica }) } };
}

const byName = new WeakMap<readonly ReplicaView[], ReadonlyMap<string, ReplicaView>>();

/** One situation is asked about thousands of instances. */
function indexOf(replicas: readonly ReplicaView[]): ReadonlyMap<string, ReplicaView> {
  const named = (): ReadonlyMap<string, ReplicaView> =>
    new Map(replicas.map((view) => [JSON.stringify([view.service, view.partition, view.replica]), view]));
  const known = byName.get(replicas) ?? named();
  byName.set(replicas, known);
  return known;
}
