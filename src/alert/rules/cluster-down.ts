import type { Situation } from '../../model/situation.ts';
import type { ClusterRule } from '../rule.ts';
import { wasPolled } from './collector-freshness.ts';
import { replicatedPartitions, servingReplicasQuery } from './replicated-partitions.ts';

const noNode = 'sum without (node) (graphdb_up) == 0 and count without (node) (graphdb_up) > 1';
const noService = [
  `sum without (service_name, partition) (${servingReplicasQuery}) == 0`,
  `and count without (service_name) (count without (partition) (${servingReplicasQuery})) > 1`,
].join(' ');

/** No node of a cluster passes its health check: the cluster was stopped, lost its network or its power, or refuses requests. */
export const clusterDown: ClusterRule = {
  name: 'cluster_down',
  about: 'No node of a cluster passes its health check, or none of its replicated services has an online replica.',
  scope: 'cluster',
  severity: 'critical',
  for: 30_000,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: [],
  needs: [],
  families: ['graphdb_up', 'graphdb_reachable'],
  summary: 'Cluster {{cluster_name}} is down: {{reason}}',
  description:
    'Cluster {{cluster_name}} does not work: {{reason}}. Check whether it was stopped (gadmin stop all), then the network between graphwarden and its nodes, their power, and the license.',
  resolved:
    'Nodes of {{cluster_name}} that pass the health check: {{up}}. Replicated services with an online replica: {{serving}}.',
  twin: `${noNode} or ${noService}`,
  twinTexts: {
    summary: 'Cluster {{cluster_name}} is down',
    description:
      'No node of {{cluster_name}} passes its health check, or none of its replicated services has an online replica. Check whether it was stopped (gadmin stop all), then the network between graphwarden and its nodes, their power, and the license.',
  },
  knows: (situation) => downNodes(situation) > 0 || (arePolled(situation) && areServicesKnown(situation)),
  current(situation) {
    const nodes = situation.samples('graphdb_up');
    const services = Map.groupBy(replicatedPartitions(situation), ({ service }) => service);
    const serving = services.values().filter((partitions) => partitions.some((one) => one.serving > 0));
    return {
      up: `${nodes.filter(({ value }) => value === 1).length} of ${situation.nodes.length}`,
      serving: services.size === 0 ? 'unknown' : `${[...serving].length} of ${services.size}`,
    };
  },
  *evaluate(situation) {
    const nodes = downNodes(situation);
    const services = downServices(situation);
    if (nodes > 0)
      yield {
        labels: {},
        facts: { reason: nodesReason(nodes, situation) },
      };
    else if (services > 0) {
      yield {
        labels: {},
        facts: {
          reason:
            services === 1
              ? 'its replicated service has no online replica'
              : `none of its ${services} replicated services has an online replica`,
        },
      };
    }
  },
};

function nodesReason(nodes: number, situation: Situation): string {
  const reachable = situation.samples('graphdb_reachable').filter(({ value }) => value === 1).length;
  if (reachable === 0) return `none of its ${nodes} nodes answers`;
  if (reachable >= nodes) return `all of its ${nodes} nodes are reachable, but refuse requests`;
  return `of its ${nodes} nodes, ${nodes - reachable} without an answer, ${reachable} refusing requests`;
}

/** Returns the number of nodes if none of several passes its health check, otherwise 0. */
function downNodes(situation: Situation): number {
  const values = situation.samples('graphdb_up').map(({ value }) => value);
  const isDown = values.length > 1 && values.length >= situation.nodes.length && values.every((value) => value === 0);
  return isDown ? values.length : 0;
}

/** Returns the number of replicated services if none of several has an online replica, otherwise 0. */
function downServices(situation: Situation): number {
  const known = replicatedPartitions(situation);
  const services = new Set(known.map(({ service }) => service));
  return services.size > 1 && known.every(({ serving }) => serving === 0) ? services.size : 0;
}

function arePolled(situation: Situation): boolean {
  return situation.nodes.every((node) => wasPolled(situation, 'health', node));
}

/** While no status is observed, services that were down are not known to be back. */
function areServicesKnown({ partitions }: Situation): boolean {
  return partitions.length === 0 || partitions.some(({ online }) => online !== undefined);
}
