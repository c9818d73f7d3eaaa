import type { AlertReport } from '../../../src/api/alerts.ts';
import { type ClusterState, nodeStateText } from '../../../src/api/cluster-state.ts';
import type { ClusterReport, NodeReport } from '../../../src/api/clusters.ts';
import type { ServiceReport } from '../../../src/api/services.ts';
import { instanceName } from '../../../src/model/instance-name.ts';
import { colorOfStatus, type StateColor } from '../../../src/model/service.ts';
import { count, elapsedSince } from '../format.ts';
import { Badge, Elapsed, StatusCell, StatusWord } from '../parts.tsx';
import { phaseOf } from './alert-card.tsx';

/** Rules about resources that run out. The card of the cluster shows their alerts even if they are pending or suppressed. */
const attentionRules: Readonly<Record<string, string>> = { disk_filling: 'Disk', license_expiring: 'License' };

/** Disks and the license of a cluster, if they need attention. */
function Attention({ alerts, cluster }: { readonly alerts: readonly AlertReport[]; readonly cluster: string }) {
  const own = alerts.filter(
    (alert) => alert.cluster === cluster && alert.phase !== 'resolved' && Object.hasOwn(attentionRules, alert.rule),
  );
  if (own.length === 0) return null;
  return (
    <ul class="plain" aria-label="Disks and license">
      {own.slice(0, maxListed).map((alert) => (
        <li key={alert.key} class={alert.severity === 'critical' ? 'red' : 'orange'}>
          {`! ${attentionRules[alert.rule]}: ${alert.annotations.summary ?? alert.rule}`}
          {phaseOf(alert) !== 'firing' && ` (${phaseOf(alert)})`}
        </li>
      ))}
      {own.length > maxListed && <li>{`${own.length - maxListed} more`}</li>}
    </ul>
  );
}

/** Color of the state of a cluster. */
export const stateColors: Readonly<Record<ClusterState, StateColor>> = {
  critical: 'red',
  warning: 'orange',
  unknown: 'grey',
  'not all online': 'orange',
  healthy: 'green',
};

/** Cluster as its card shows it. */
export interface ClusterView {
  readonly cluster: ClusterReport;
  readonly state: ClusterState;
  readonly services: readonly ServiceReport[];
  /** When the status of the services was last polled with success. */
  readonly asOf: string | null;
  /** Why another replica, which owns the cluster, returned nothing. */
  readonly missing?: string | undefined;
}

interface ClusterCardProps {
  readonly view: ClusterView;
  readonly alerts: readonly AlertReport[];
  readonly now: number;
}

/** One cluster: what needs attention, its nodes and its services. */
export function ClusterCard({ view: { cluster, state, services, asOf, missing }, alerts, now }: ClusterCardProps) {
  const color = stateColors[state];
  const labels = Object.entries(cluster.labels).map(([name, value]) => `${name}=${value}`);
  const others = services.filter(({ status }) => status !== 'Online');
  return (
    <article class={`card edge-${color}`} aria-label={`Cluster ${cluster.name}`}>
      <header>
        <h3>{cluster.name}</h3>
        <Badge color={color}>{state}</Badge>
      </header>
      {labels.length > 0 && <p class="soft">{labels.join(' ')}</p>}
      {cluster.owner !== undefined && <p class="soft">Owner: {cluster.owner}</p>}
      <Attention alerts={alerts} cluster={cluster.name} />
      {missing !== undefined && <p>No data: {missing}.</p>}
      {missing === undefined && <Nodes nodes={cluster.nodes} now={now} />}
      <ServiceGrid services={services} />
      {others.length > 0 && (
        <ul class="plain">
          {others.slice(0, maxListed).map((service) => (
            <li key={instanceName(service)}>
              {instanceName(service)} <StatusWord status={service.status} /> for{' '}
              <Elapsed since={service.since} now={now} />
              {service.flapping && ', flapping'}
            </li>
          ))}
          {others.length > maxListed && <li>{`${others.length - maxListed} more`}</li>}
        </ul>
      )}
      <p class="soft">
        {asOf !== null && `Services as of ${elapsedSince(asOf, now)} ago. `}
        {asOf === null && missing === undefined && 'The status of the services has not been polled yet. '}
        <a href={`#/timeline?cluster=${encodeURIComponent(cluster.name)}`}>Timeline</a>{' '}
        <a href={`#/queries?cluster=${encodeURIComponent(cluster.name)}`}>Queries</a>{' '}
        <a href={`#/database?cluster=${encodeURIComponent(cluster.name)}`}>Database</a>
      </p>
    </article>
  );
}

const maxListed = 8;

/** Returns the color of the number of nodes; grey if the states of all nodes are unknown. */
function nodesColor(nodes: readonly NodeReport[], up: number): string {
  if (nodes.every(({ state }) => state === 'unknown')) return 'grey';
  return up === nodes.length ? '' : up === 0 ? 'red' : 'orange';
}

function Nodes({ nodes, now }: { readonly nodes: readonly NodeReport[]; readonly now: number }) {
  const up = nodes.filter(({ state }) => state === 'up').length;
  const others = nodes.filter(({ state }) => state !== 'up');
  const listed = others.slice(0, maxListed);
  const advice = new Set(listed.map((node) => node.advice).filter((text) => text !== ''));
  return (
    <>
      <p class={nodesColor(nodes, up)}>{`${up} of ${count(nodes.length, 'node')} up`}</p>
      {others.length > 0 && (
        <ul class="plain">
          {listed.map((node) => (
            <li key={node.name}>
              <strong class={node.state === 'down' ? 'red' : 'grey'}>{`${node.name} ${nodeStateText(node)}`}</strong>
              {node.since !== null && node.state === 'down' && (
                <>
                  {' '}
                  for <Elapsed since={node.since} now={now} />
                </>
              )}
              {node.message !== '' && `: ${node.message}`}
            </li>
          ))}
          {others.length > maxListed && <li>{`${others.length - maxListed} more`}</li>}
        </ul>
      )}
      {[...advice].map((text) => (
        <p key={text} class="soft">
          {text}
        </p>
      ))}
    </>
  );
}

/** Grid with a row per service, a group per partition and a cell per replica. Services without problems share one line. */
function ServiceGrid({ services }: { readonly services: readonly ServiceReport[] }) {
  const groups = [...Map.groupBy(services, ({ service }) => service)];
  const partitioned = groups.filter(([, own]) => own.some(({ partition }) => partition !== '') && own.length > 1);
  const names = new Set(partitioned.map(([name]) => name));
  const single = groups.filter(([name]) => !names.has(name));
  const online = single.filter(([, own]) => own.every(({ status }) => status === 'Online'));
  const shown = single.filter(([, own]) => own.some(({ status }) => colorOfStatus(status) !== 'green'));
  return (
    <>
      {[...partitioned, ...shown].map(([name, own]) => (
        <div class="replicas" key={name}>
          <strong>{name}</strong>
          {[...Map.groupBy(own, ({ partition }) => partition)].map(([partition, replicas]) => (
            <div key={partition}>
              {partition !== '' && <span class="soft">{partition}</span>}
              {replicas.map((replica) => (
                <StatusCell key={replica.replica} name={instanceName(replica)} status={replica.status} />
              ))}
            </div>
          ))}
        </div>
      ))}
      {online.length > 0 && <p class="green">{`✓ ${online.map(([name]) => name).join(', ')}: all Online`}</p>}
    </>
  );
}
