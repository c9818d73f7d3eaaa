import type { AlertReport } from '../../../src/api/alerts.ts';
import {
  type ClusterState,
  clusterState,
  clusterStates,
  isOngoing,
  nodeStateText,
  overallState,
  servicesPolledAt,
} from '../../../src/api/cluster-state.ts';
import type { ClusterReport, NodeReport } from '../../../src/api/clusters.ts';
import type { ServiceReport } from '../../../src/api/services.ts';
import { instanceName } from '../../../src/model/instance-name.ts';
import type { StateColor } from '../../../src/model/service.ts';
import { colorOfStatus } from '../../../src/model/service.ts';
import { count, elapsedSince } from '../format.ts';
import { LoadState } from '../load-state.tsx';
import { Badge, Elapsed, StatusCell, StatusWord, useNarrow } from '../parts.tsx';
import type { SiteData } from '../site.ts';
import { AlertCard, phaseOf } from './alert-card.tsx';

/** What is wrong, where, since when, who was notified, and the state of each cluster, the worst first. */
export function Overview({ site }: { readonly site: SiteData }) {
  const { alerts, clusters, services, now } = site;
  const firing = (alerts.value ?? []).filter(isOngoing);
  const views = clusterViews(site);
  const isLoaded = alerts.value !== undefined && clusters.value !== undefined && services.value !== undefined;
  return (
    <>
      {isLoaded && <Overall firing={firing} views={views} />}
      <LoadState loaded={alerts} what="alerts" />
      <LoadState loaded={clusters} what="clusters" />
      <LoadState loaded={services} what="services" />
      {firing.length > 0 && <FiringAlerts alerts={firing} now={now} />}
      <h2>Clusters</h2>
      <div class="cards">
        {views.map((view) => (
          <ClusterCard key={view.cluster.name} view={view} alerts={alerts.value ?? []} now={now} />
        ))}
      </div>
      <Events alerts={alerts.value ?? []} now={now} />
    </>
  );
}

/** More alerts are on their own view: an overview shows what matters first. */
const maxShown = 5;

function FiringAlerts({ alerts, now }: { readonly alerts: readonly AlertReport[]; readonly now: number }) {
  const rest = alerts.length - maxShown;
  const isNarrow = useNarrow();
  return (
    <section aria-label="Firing alerts">
      <div class="cards">
        {alerts.slice(0, maxShown).map((alert, at) => (
          <AlertCard key={alert.key} alert={alert} now={now} isFolded={isNarrow && at > 0} />
        ))}
      </div>
      {rest > 0 && (
        <p>
          <a href="#/alerts">{count(rest, 'more firing alert')}</a>
        </p>
      )}
    </section>
  );
}

/** Aborted queries of the last minutes: events, not states that go on. */
function Events({ alerts, now }: { readonly alerts: readonly AlertReport[]; readonly now: number }) {
  const events = alerts
    .filter(({ event }) => event)
    .toSorted((one, other) => other.startsAt.localeCompare(one.startsAt));
  if (events.length === 0) return null;
  return (
    <>
      <h2>Aborted queries</h2>
      <ul class="plain">
        {events.slice(0, maxShown).map(({ key, episode, startsAt, annotations, rule }) => (
          <li key={`${key} ${episode}`}>
            <Elapsed since={startsAt} now={now} /> ago: {annotations.summary ?? rule}
          </li>
        ))}
        <li>
          <a href="#/guard">Audit log</a>
        </li>
      </ul>
    </>
  );
}

/** Rules about what runs out: the card of the cluster shows their alerts, also those that are pending or suppressed. */
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
const stateColors: Readonly<Record<ClusterState, StateColor>> = {
  critical: 'red',
  warning: 'orange',
  unknown: 'grey',
  'not all online': 'orange',
  healthy: 'green',
};

/** Cluster as its card shows it. */
interface ClusterView {
  readonly cluster: ClusterReport;
  readonly state: ClusterState;
  readonly services: readonly ServiceReport[];
  /** When the status of the services was last polled with success. */
  readonly asOf: string | null;
}

/** Returns the clusters, the worst first. */
function clusterViews({ alerts, clusters, services, collectors }: SiteData): readonly ClusterView[] {
  const facts = { alerts: alerts.value ?? [], services: services.value ?? [] };
  return (clusters.value ?? [])
    .map((cluster) => ({
      cluster,
      state: clusterState(cluster, facts),
      services: facts.services.filter((service) => service.cluster === cluster.name),
      asOf: servicesPolledAt(cluster.name, collectors.value ?? []),
    }))
    .toSorted(
      (one, other) =>
        clusterStates.indexOf(one.state) - clusterStates.indexOf(other.state) ||
        one.cluster.name.localeCompare(other.cluster.name),
    );
}

interface OverallProps {
  readonly firing: readonly AlertReport[];
  /** The worst first. */
  readonly views: readonly ClusterView[];
}

/** State of everything in one line. */
function Overall({ firing, views }: OverallProps) {
  const state = overallState(
    firing,
    views.map((one) => one.state),
  );
  return <h2 class={`overall ${stateColors[state]}`}>{overallText(state, { firing, views })}</h2>;
}

/** More names do not fit in a line. */
const maxNamed = 2;

function overallText(state: ClusterState, { firing, views }: OverallProps): string {
  const states = views.map((one) => one.state);
  const bad = views.filter((one) => one.state !== 'healthy').map(({ cluster }) => cluster.name);
  const named = bad.length > maxNamed ? `${bad.length} of ${count(views.length, 'cluster')}` : bad.join(' and ');
  const where = bad.length === 0 ? '' : ` on ${named}`;
  const fires = firing.length === 0 ? 'no alert fires' : `${count(firing.length, 'alert')} for information`;
  const severe = firing.filter(({ severity }) => severity !== 'info');
  if (state === 'critical')
    return `✕ ${count(severe.filter(({ severity }) => severity === 'critical').length, 'critical alert')}${where}`;
  if (state === 'warning') return `! ${count(severe.length, 'alert')}${where}`;
  if (states.length === 0) return '? No cluster is configured';
  if (state === 'unknown') {
    return `? The state of ${count(states.filter((one) => one === 'unknown').length, 'cluster')} is not known`;
  }
  return state === 'healthy'
    ? `✓ ${count(states.length, 'cluster')} healthy, ${fires}`
    : `! Not everything is online${where}; ${fires}`;
}

interface ClusterCardProps {
  readonly view: ClusterView;
  readonly alerts: readonly AlertReport[];
  readonly now: number;
}

function ClusterCard({ view: { cluster, state, services, asOf }, alerts, now }: ClusterCardProps) {
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
      <Attention alerts={alerts} cluster={cluster.name} />
      <Nodes nodes={cluster.nodes} now={now} />
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
        {asOf === null
          ? 'The status of the services was never polled. '
          : `Services as of ${elapsedSince(asOf, now)} ago. `}
        <a href={`#/timeline?cluster=${encodeURIComponent(cluster.name)}`}>Timeline</a>{' '}
        <a href={`#/queries?cluster=${encodeURIComponent(cluster.name)}`}>Queries</a>{' '}
        <a href={`#/database?cluster=${encodeURIComponent(cluster.name)}`}>Database</a>
      </p>
    </article>
  );
}

const maxListed = 8;

function Nodes({ nodes, now }: { readonly nodes: readonly NodeReport[]; readonly now: number }) {
  const up = nodes.filter(({ state }) => state === 'up').length;
  const others = nodes.filter(({ state }) => state !== 'up');
  const listed = others.slice(0, maxListed);
  const advice = new Set(listed.map((node) => node.advice).filter((text) => text !== ''));
  return (
    <>
      <p
        class={others.length === 0 ? '' : up === 0 ? 'red' : 'orange'}
      >{`${up} of ${count(nodes.length, 'node')} up`}</p>
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

/** One row for each service, one group for each partition, one cell for each replica; all-online services are one line. */
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
