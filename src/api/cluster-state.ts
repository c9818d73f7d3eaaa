import type { AlertReport } from './alerts.ts';
import type { ClusterReport, NodeReport } from './clusters.ts';
import type { ServiceReport } from './services.ts';

/** States of a cluster, the worst first. */
export const clusterStates = ['critical', 'warning', 'unknown', 'not all online', 'healthy'] as const;

/** One of {@link clusterStates}. */
export type ClusterState = (typeof clusterStates)[number];

/** Facts from which the state of a cluster follows; those of other clusters are ignored. */
export interface ClusterFacts {
  readonly alerts: readonly AlertReport[];
  readonly services: readonly ServiceReport[];
}

/** Whether an alert is a state that goes on and that no other alert explains. The watchdog always fires. */
export function isOngoing({ phase, rule, event, inhibitedBy }: AlertReport): boolean {
  return phase === 'firing' && rule !== 'watchdog' && !event && inhibitedBy === null;
}

/** Returns the state of a cluster from its alerts, nodes and services: what is not known is never healthy. */
export function clusterState({ name, nodes }: ClusterReport, facts: ClusterFacts): ClusterState {
  const firing = facts.alerts.filter((alert) => alert.cluster === name && isOngoing(alert));
  const services = facts.services.filter(({ cluster }) => cluster === name);
  if (firing.some(({ severity }) => severity === 'critical')) return 'critical';
  if (firing.some(({ severity }) => severity === 'warning')) return 'warning';
  if (nodes.every(({ state }) => state === 'unknown') || services.length === 0) return 'unknown';
  const isOnline = services.every(({ status }) => status === 'Online');
  return isOnline && nodes.every(({ state }) => state === 'up') ? 'healthy' : 'not all online';
}

/** Returns the state of a node in words. A node that answers with an error runs, but refuses requests. */
export function nodeStateText({ state, reason }: Pick<NodeReport, 'state' | 'reason'>): string {
  if (state !== 'down') return state === 'up' ? 'up' : 'not polled yet';
  return reason === 'unreachable' || reason === 'timeout' ? 'does not answer' : `reachable, refusing (${reason})`;
}
