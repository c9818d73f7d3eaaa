import type { AlertReport } from './alerts.ts';
import type { ClusterReport, CollectorReport, NodeReport } from './clusters.ts';
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

/** Returns whether an alert is an ongoing state that no other alert inhibits. The watchdog always fires and is excluded. */
export function isOngoing({ phase, rule, event, inhibitedBy }: AlertReport): boolean {
  return phase === 'firing' && rule !== 'watchdog' && !event && inhibitedBy === null;
}

/** Returns the state of a cluster from its alerts, nodes and services. Missing data is never healthy. */
export function clusterState(
  { name, nodes }: Pick<ClusterReport, 'name' | 'nodes'>,
  facts: ClusterFacts,
): ClusterState {
  const firing = facts.alerts.filter((alert) => alert.cluster === name && isOngoing(alert));
  const services = facts.services.filter(({ cluster }) => cluster === name);
  if (firing.some(({ severity }) => severity === 'critical')) return 'critical';
  if (firing.some(({ severity }) => severity === 'warning')) return 'warning';
  if (nodes.every(({ state }) => state === 'unknown') || services.length === 0) return 'unknown';
  const isOnline = services.every(({ status }) => status === 'Online');
  return isOnline && nodes.every(({ state }) => state === 'up') ? 'healthy' : 'not all online';
}

/** Returns the overall state: the worst state of a cluster, or that of an alert about graphwarden itself. */
export function overallState(alerts: readonly AlertReport[], clusters: readonly ClusterState[]): ClusterState {
  const own = alerts.filter((alert) => alert.cluster === '' && isOngoing(alert)).map(({ severity }) => severity);
  const found = new Set<ClusterState>([...clusters, ...own.flatMap((one) => (one === 'info' ? [] : one))]);
  return clusterStates.find((state) => found.has(state)) ?? 'unknown';
}

/** Returns when the services of a cluster were last polled with success, from the reports of all collectors; null if never. */
export function servicesPolledAt(cluster: string, collectors: readonly CollectorReport[]): string | null {
  const own = collectors.filter((one) => one.cluster === cluster && one.collector === 'services');
  return (
    own
      .flatMap(({ lastSuccess }) => lastSuccess ?? [])
      .toSorted()
      .at(-1) ?? null
  );
}

/** Failure reasons of a node that refuses requests; with other reasons, its answers are unusable. */
const refusals: readonly string[] = ['auth', 'status'];

/** Returns the state of a node in words. A node that answers with an error runs, but refuses requests. */
export function nodeStateText({
  state,
  reachable,
  reason,
}: Pick<NodeReport, 'state' | 'reachable' | 'reason'>): string {
  if (state !== 'down') return state === 'up' ? 'up' : 'not polled yet';
  if (reachable !== true) return 'does not answer';
  return refusals.includes(reason) ? `reachable, refusing (${reason})` : 'reachable, unusable answer';
}
