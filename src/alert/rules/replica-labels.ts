import type { ReplicaView } from '../../model/transition.ts';
import { instanceName } from './words.ts';

/** The labels of a service instance, as its families have them. */
export const replicaLabels = ['service_name', 'partition', 'replica'] as const;

/** The identity of a service instance in alerts, and how texts call it. */
export function ofReplica({ service, partition, replica }: ReplicaView) {
  const labels = { service_name: service, partition, replica };
  return { labels, facts: { instance: instanceName({ service, partition, replica }) } };
}
