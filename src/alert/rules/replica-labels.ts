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
  identity: Readonly<Record<string, string>>,
  isWell: (status: string) => boolean,
): boolean {
  const view = replicaIndexOf(replicas).get(replicaKey(identity));
  if (view === undefined) return true;
  return view.observed !== unobserved && (isWell(view.confirmed) || !isWell(view.observed));
}

/** The identity of a service instance in alerts, how texts call it, and its confirmed status. */
interface ReplicaIdentity {
  readonly labels: { readonly service_name: string; readonly partition: string; readonly replica: string };
  readonly facts: { readonly instance: string; readonly status: string };
}

/** Returns the identity of a service instance; the same objects while its view is the same, because many rules ask. */
export function replicaIdentity(view: ReplicaView): ReplicaIdentity {
  const known = replicaIdentities.get(view);
  if (known !== undefined) return known;
  const { service, partition, replica, confirmed: status } = view;
  const labels = { service_name: service, partition, replica };
  const identity = { labels, facts: { instance: instanceName({ service, partition, replica }), status } };
  replicaIdentities.set(view, identity);
  return identity;
}

const replicaIdentities = new WeakMap<ReplicaView, ReplicaIdentity>();

/** Returns the present status of a service instance for texts. */
export function currentStatus(
  { replicas }: Pick<Situation, 'replicas'>,
  identity: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const view = replicaIndexOf(replicas).get(replicaKey(identity));
  const { service_name = '', partition = '', replica = '' } = identity;
  const instance = instanceName({ service: service_name, partition, replica });
  return { instance, status: view === undefined ? 'no longer reported by the server' : view.confirmed };
}

const replicaIndexes = new WeakMap<readonly ReplicaView[], ReadonlyMap<string, ReplicaView>>();

/** Indexes replicas. Cached, because one situation is evaluated for thousands of instances. */
function replicaIndexOf(replicas: readonly ReplicaView[]): ReadonlyMap<string, ReplicaView> {
  const known = replicaIndexes.get(replicas);
  if (known !== undefined) return known;
  const index = new Map(replicas.map((view) => [replicaKey(replicaIdentity(view).labels), view]));
  replicaIndexes.set(replicas, index);
  return index;
}

const replicaKeys = new WeakMap<Readonly<Record<string, string>>, string>();

/** Returns the labels of an instance as one text. Cached, because the identity of an incident stays the same object. */
function replicaKey(identity: Readonly<Record<string, string>>): string {
  const known = replicaKeys.get(identity);
  if (known !== undefined) return known;
  const key = JSON.stringify(replicaLabels.map((name) => identity[name]));
  replicaKeys.set(identity, key);
  return key;
}
