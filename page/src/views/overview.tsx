import type { AlertReport } from '../../../src/api/alerts.ts';
import type { ClusterReport, CollectorReport, NodeReport } from '../../../src/api/clusters.ts';
import type { ServiceReport } from '../../../src/api/services.ts';
import { instanceName } from '../../../src/model/instance-name.ts';
import type { StateColor } from '../../../src/model/service.ts';
import { colorOfStatus } from '../../../src/model/service.ts';
import { count, elapsedSince } from '../format.ts';
import { LoadState } from '../load-state.tsx';
import { Badge, Elapsed, StatusCell, StatusWord } from '../parts.tsx';
import { eventRule, isOngoing, type SiteData } from '../site.ts';
import { AlertCard, phaseOf } from './alert-card.tsx';

/** What is wrong, where, since when, who was notified, and the state of each cluster, the worst first. */
export function Overview({ site }: { readonly site: SiteData }) {
  const { alerts, clusters, services, collectors, now } = site;
  const firing = (alerts.value ?? []).filter(isOngoing);
  const states = (clusters.value ?? [])
    .map((cluster) => stateOf(cluster, { firing, services: services.value ?? [], collectors: collectors.value ?? [] }))
    .toSorted((one, other) => other.rank - one.rank || one.cluster.name.localeCompare(other.cluster.name));
  const isLoaded = alerts.value !== undefined && clusters.value !== undefined && services.value !== undefined;
  return (
    <>
      {isLoaded && <Verdict firing={firing} states={states} />}
      <LoadState loaded={alerts} what="alerts" />
      <LoadState loaded={clusters} what="clusters" />
      <LoadState loaded={services} what="services" />
      {firing.length > 0 && <FiringAlerts alerts={firing} now={now} />}
      <h2>Clusters</h2>
      <div class="cards">
        {states.map((state) => (
          <ClusterCard key={state.cluster.name} state={state} alerts={alerts.value ?? []} now={now} />
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
  return (
    <section aria-label="Firing alerts">
      <div class="cards">
        {alerts.slice(0, maxShown).map((alert) => (
          <AlertCard key={alert.key} alert={alert} now={now} />
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
    .filter(({ rule }) => rule === eventRule)
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

/** State of a cluster as its card shows it. */
interface ClusterState {
  readonly cluster: ClusterReport;
  readonly word: string;
  readonly color: StateColor;
  /** Higher is worse. */
  readonly rank: number;
  readonly firing: readonly AlertReport[];
  readonly services: readonly ServiceReport[];
  /** When the status of the services was last polled with success. */
  readonly asOf: string | null;
}

interface Facts {
  readonly firing: readonly AlertReport[];
  readonly services: readonly ServiceReport[];
  readonly collectors: readonly CollectorReport[];
}

function stateOf(cluster: ClusterReport, facts: Facts): ClusterState {
  const firing = facts.firing.filter((alert) => alert.cluster === cluster.name);
  const services = facts.services.filter((service) => service.cluster === cluster.name);
  const polls = facts.collectors.filter((one) => one.cluster === cluster.name && one.collector === 'services');
  const asOf =
    polls
      .map(({ lastSuccess }) => lastSuccess ?? '')
      .toSorted()
      .at(-1) ?? '';
  const common = { cluster, firing, services, asOf: asOf === '' ? null : asOf };
  const has = (severity: string): boolean => firing.some((alert) => alert.severity === severity);
  const isUp = cluster.nodes.every(({ state }) => state === 'up');
  const isUnknown = cluster.nodes.length === 0 || cluster.nodes.every(({ state }) => state === 'unknown');
  const isOnline = services.length > 0 && services.every(({ status }) => status === 'Online');
  if (has('critical')) return { ...common, word: 'critical', color: 'red', rank: 4 };
  if (has('warning')) return { ...common, word: 'warning', color: 'orange', rank: 3 };
  if (isUnknown || services.length === 0) return { ...common, word: 'unknown', color: 'grey', rank: 2 };
  if (!isUp || !isOnline) return { ...common, word: 'not all online', color: 'orange', rank: 2 };
  return { ...common, word: 'healthy', color: 'green', rank: 0 };
}

function Verdict({
  firing,
  states,
}: {
  readonly firing: readonly AlertReport[];
  readonly states: readonly ClusterState[];
}) {
  const critical = firing.filter(({ severity }) => severity === 'critical').length;
  const bad = states.filter(({ rank }) => rank > 0);
  const where = bad.length === 0 ? '' : ` in ${bad.length} of ${count(states.length, 'cluster')}`;
  if (critical > 0) return <h2 class="verdict red">{`✕ ${count(critical, 'critical alert')}${where}`}</h2>;
  if (firing.length > 0) return <h2 class="verdict orange">{`! ${count(firing.length, 'alert')}${where}`}</h2>;
  if (states.length === 0) return <h2 class="verdict grey">? No cluster is configured</h2>;
  const unknown = states.filter(({ color }) => color === 'grey').length;
  if (unknown > 0) return <h2 class="verdict grey">{`? The state of ${count(unknown, 'cluster')} is not known`}</h2>;
  if (bad.length > 0) return <h2 class="verdict orange">{`! Not all online${where}; no alert fires`}</h2>;
  return <h2 class="verdict green">{`✓ ${count(states.length, 'cluster')} healthy, no alert fires`}</h2>;
}

interface ClusterCardProps {
  readonly state: ClusterState;
  readonly alerts: readonly AlertReport[];
  readonly now: number;
}

function ClusterCard({ state, alerts, now }: ClusterCardProps) {
  const { cluster, word, color, services, asOf } = state;
  const labels = Object.entries(cluster.labels).map(([name, value]) => `${name}=${value}`);
  const others = services.filter(({ status }) => status !== 'Online');
  return (
    <article class={`card edge-${color}`} aria-label={`Cluster ${cluster.name}`}>
      <header>
        <h3>{cluster.name}</h3>
        <Badge color={color}>{word}</Badge>
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
        <a href={`#/queries?cluster=${encodeURIComponent(cluster.name)}`}>Queries</a>
      </p>
    </article>
  );
}

const maxListed = 8;

/** A node that answers with an error runs, but refuses: it is not «down» in the words of an operator. */
function nodeState({ state, reason }: NodeReport): string {
  if (state !== 'down') return state === 'up' ? 'up' : 'not polled yet';
  return reason === 'unreachable' || reason === 'timeout' ? 'does not answer' : `reachable, refusing (${reason})`;
}

function Nodes({ nodes, now }: { readonly nodes: readonly NodeReport[]; readonly now: number }) {
  const up = nodes.filter(({ state }) => state === 'up').length;
  const others = nodes.filter(({ state }) => state !== 'up');
  return (
    <>
      <p class={others.length === 0 ? '' : 'orange'}>{`${up} of ${count(nodes.length, 'node')} up`}</p>
      {others.length > 0 && (
        <ul class="plain">
          {others.slice(0, maxListed).map((node) => (
            <li key={node.name}>
              <strong class={node.state === 'down' ? 'red' : 'grey'}>{`${node.name} ${nodeState(node)}`}</strong>
              {node.since !== null && node.state === 'down' && (
                <>
                  {' '}
                  for <Elapsed since={node.since} now={now} />
                </>
              )}
              {node.message !== '' && `: ${node.message}`}
              {node.advice !== '' && <div class="soft">{node.advice}</div>}
            </li>
          ))}
          {others.length > maxListed && <li>{`${others.length - maxListed} more`}</li>}
        </ul>
      )}
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
