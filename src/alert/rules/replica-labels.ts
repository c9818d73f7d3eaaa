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
  const view = replicas.find(
    (one) => one.service === service_name && one.partition === partition && one.replica === replica,
  );
  if (view === undefined) return true;
  return view.observed !== unobserved && (isWell(view.hard) || !isWell(view.observed));
}

/** The identity of a service instance in alerts, and how texts call it. */
export function ofReplica({ service, partition, replica }: ReplicaView) {
  const labels = { service_name: service, partition, replica };
  return { labels, facts: { instance: instanceName({ service, partition, replica }) } };
}
