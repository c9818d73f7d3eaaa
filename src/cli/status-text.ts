import type { AlertReport } from '../api/alerts.ts';
import {
  type ClusterState,
  clusterState,
  clusterStates,
  isOngoing,
  nodeStateText,
  overallState,
  servicesPolledAt,
} from '../api/cluster-state.ts';
import type { ClusterReport, CollectorReport } from '../api/clusters.ts';
import type { MissingClusters } from '../api/fields.ts';
import type { GuardReport } from '../api/guard.ts';
import { replicaLines } from '../api/replica-lines.ts';
import type { ReplicasReport } from '../api/replicas.ts';
import type { ServiceReport } from '../api/services.ts';
import { formatElapsed } from '../kernel/duration.ts';
import { replaceControlCharacters } from '../kernel/visible-text.ts';
import { instanceName } from '../model/instance-name.ts';
import { alertTable } from './alert-table.ts';
import { type ExitCode, exitCode } from './command.ts';
import { rejectionLines } from './rejection-lines.ts';
import { formatTable, type Terminal } from './table.ts';

/** Answers of the daemon from which the overview is made. */
export interface StatusFacts {
  readonly clusters: readonly ClusterReport[];
  readonly alerts: readonly AlertReport[];
  readonly services: readonly ServiceReport[];
  /** Reports of the collectors. */
  readonly collectors: readonly CollectorReport[];
  readonly guard: GuardReport;
  readonly replicas: ReplicasReport;
  /** Clusters of which the other replicas returned nothing. */
  readonly missing: readonly MissingClusters[];
}

/** Cluster in the overview. */
interface ClusterSummary {
  readonly name: string;
  readonly state: ClusterState;
  readonly nodes: number;
  readonly nodesUp: number;
  readonly instances: number;
  readonly instancesOnline: number;
  /** Instances whose current status is unknown. */
  readonly instancesUnobserved: number;
  readonly alertsFiring: number;
  /** When the services were last polled with success; null if they never were. */
  readonly asOf: string | null;
}

/** Overview as `--json` prints it. */
export interface StatusSummary {
  readonly state: ClusterState;
  readonly clusters: readonly ClusterSummary[];
  /** Alerts that fire, recover or are suppressed, and events. */
  readonly alerts: readonly AlertReport[];
  readonly guard: GuardReport;
  /** Absent without a shared database. */
  readonly replicas?: ReplicasReport;
}

/** Summarizes the facts: the worst cluster first. */
export function summarizeStatus(facts: StatusFacts): StatusSummary {
  const missing = facts.missing.flatMap(({ clusters: names }) => names.map((name) => ({ name, nodes: [] })));
  const clusters = [...facts.clusters, ...missing]
    .map((cluster) => summarizeCluster(cluster, facts))
    .toSorted((one, other) => clusterStates.indexOf(one.state) - clusterStates.indexOf(other.state));
  const alerts = facts.alerts.filter(({ phase, rule }) => phase === 'firing' && rule !== 'watchdog');
  const states = clusters.map(({ state }) => state);
  const { guard, replicas } = facts;
  const shared = replicas.items.length === 0 ? {} : { replicas };
  const state = overallState(alerts, states);
  const isRejected = state === 'healthy' && guard.rejectedConfig !== null;
  return { state: isRejected ? 'warning' : state, clusters, alerts, guard, ...shared };
}

function summarizeCluster(cluster: Pick<ClusterReport, 'name' | 'nodes'>, facts: StatusFacts): ClusterSummary {
  const { name, nodes } = cluster;
  const services = facts.services.filter((service) => service.cluster === name);
  return {
    name,
    state: clusterState(cluster, facts),
    nodes: nodes.length,
    nodesUp: nodes.filter(({ state }) => state === 'up').length,
    instances: services.length,
    instancesOnline: services.filter(({ status }) => status === 'Online').length,
    instancesUnobserved: services.filter(({ status }) => status === 'unobserved').length,
    alertsFiring: facts.alerts.filter((alert) => alert.cluster === name && isOngoing(alert)).length,
    asOf: servicesPolledAt(name, facts.collectors),
  };
}

/** Exit code for the state: 0 healthy, 4 critical, 3 for all others. */
export function statusExit(facts: StatusFacts): ExitCode {
  const { state } = summarizeStatus(facts);
  if (state === 'healthy') return exitCode.ok;
  return state === 'critical' ? exitCode.critical : exitCode.warning;
}

/** Overview as text: what is wrong, where, since when, and who was notified. `now` is in ms since the epoch. */
export function statusText(facts: StatusFacts, now: number, terminal?: Terminal): string {
  const { state, clusters, alerts, guard } = summarizeStatus(facts);
  const firing = alerts.filter(isOngoing).length;
  const counted = firing === 0 ? 'no alert fires' : firing === 1 ? '1 alert fires' : `${firing} alerts fire`;
  const replicas = replicaLines(facts.replicas, now);
  const problems = [...nodeProblems(facts, now), ...serviceProblems(facts, now)];
  return [
    `${state}: ${counted}${guard.paused ? '; the guard is paused' : ''}\n`,
    ...(guard.rejectedConfig === null ? [] : [rejectionLines(guard.rejectedConfig)]),
    clusterTable(clusters, now, terminal),
    ...(problems.length === 0 ? [] : [problems.map((line) => `${replaceControlCharacters(line)}\n`).join('')]),
    ...(alerts.length === 0 ? [] : [alertTable(alerts, now, terminal)]),
    ...(replicas.length === 0 ? [] : [replicas.map(({ text }) => `${replaceControlCharacters(text)}\n`).join('')]),
  ].join('\n');
}

function clusterTable(clusters: readonly ClusterSummary[], now: number, terminal?: Terminal): string {
  if (clusters.length === 0) return 'no cluster is configured\n';
  const rows = clusters.map((cluster) => [
    replaceControlCharacters(cluster.name),
    cluster.state,
    `${cluster.nodesUp} of ${cluster.nodes} up`,
    servicesText(cluster),
    String(cluster.alertsFiring),
    cluster.asOf === null ? 'never' : `${elapsed(cluster.asOf, now)} ago`,
  ]);
  return formatTable([['CLUSTER', 'STATE', 'NODES', 'SERVICES', 'ALERTS', 'POLLED'], ...rows], terminal);
}

function servicesText({ instances, instancesOnline, instancesUnobserved }: ClusterSummary): string {
  if (instancesUnobserved === instances) return 'unknown';
  const unknown = instancesUnobserved === 0 ? '' : `, ${instancesUnobserved} unknown`;
  return `${instancesOnline} of ${instances} online${unknown}`;
}

/** Lines of each kind that the overview shows; the other commands show all. */
const maxLines = 8;

function nodeProblems({ clusters }: StatusFacts, now: number): readonly string[] {
  const lines = clusters.flatMap(({ name, nodes }) =>
    nodes
      .filter(({ state }) => state !== 'up')
      .map((node) => {
        const since = node.since === null || node.state !== 'down' ? '' : ` for ${elapsed(node.since, now)}`;
        return `node ${name}/${node.name} ${nodeStateText(node)}${since}`;
      }),
  );
  return limitLines(lines, 'nodes');
}

function serviceProblems({ services }: StatusFacts, now: number): readonly string[] {
  const lines = services
    .filter(({ status }) => status !== 'Online')
    .map((one) => `${instanceName(one)} of ${one.cluster} ${one.status} for ${elapsed(one.since, now)}`);
  return limitLines(lines, 'services');
}

function limitLines(lines: readonly string[], what: string): readonly string[] {
  const rest = lines.length - maxLines;
  return rest <= 0 ? lines : [...lines.slice(0, maxLines), `and ${rest} more ${what}`];
}

function elapsed(timestamp: string, now: number): string {
  return formatElapsed(Math.max(0, now - Date.parse(timestamp)));
}
