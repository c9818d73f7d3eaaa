import { instanceName } from '../../model/instance-name.ts';
import type { Situation } from '../../model/situation.ts';
import { type ReplicaView, unobserved } from '../../model/transition.ts';

/** The labels of a service instance, as in its metric families. */
export const replicaLabels = ['service_name', 'partition', 'replica'] as const;

/**
 * Returns whether the confirmed status of a service instance is current. The confirmed status is kept while polls fail
 * and across restarts, so an unobserved instance starts no incident. Neither does an instance that is observed healthy
 * while that status is not confirmed yet.
 */
export function isStatusCurrent(
  { replicas }: Pick<Situation, 'replicas'>,
  { service_name, partition, replica }: Readonly<Record<string, string>>,
  isWell: (status: string) => boolean,
): boolean {
  const view = replicaIndexOf(replicas).get(JSON.stringify([service_name, partition, replica]));
  if (view === undefined) return true;
  return view.observed !== unobserved && (isWell(view.confirmed) || !isWell(view.observed));
}

/** The identity of a service instance in alerts, and how texts call it. */
export function replicaIdentity({ service, partition, replica }: ReplicaView) {
  const labels = { service_name: service, partition, replica };
  return { labels, facts: { instance: instanceName({ service, partition, replica }) } };
}

/** Returns the present status of a service instance for texts. */
export function currentStatus(
  { replicas }: Pick<Situation, 'replicas'>,
  { service_name = '', partition = '', replica = '' }: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const view = replicaIndexOf(replicas).get(JSON.stringify([service_name, partition, replica]));
  const instance = instanceName({ service: service_name, partition, replica });
  return { instance, status: view === undefined ? 'no longer reported by the server' : view.confirmed };
}

const replicaIndexes = new WeakMap<readonly ReplicaView[], ReadonlyMap<string, ReplicaView>>();

/** Indexes replicas. Cached, because one situation is evaluated for thousands of instances. */
function replicaIndexOf(replicas: readonly ReplicaView[]): ReadonlyMap<string, ReplicaView> {
  const named = (): ReadonlyMap<string, ReplicaView> =>
    new Map(replicas.map((view) => [JSON.stringify([view.service, view.partition, view.replica]), view]));
  const known = replicaIndexes.get(replicas) ?? named();
  replicaIndexes.set(replicas, known);
  return known;
}
