import type { AlertReport } from '../../../src/api/alerts.ts';
import {
  clusterState,
  clusterStates,
  isOngoing,
  overallState,
  servicesPolledAt,
} from '../../../src/api/cluster-state.ts';
import type { ClusterReport } from '../../../src/api/clusters.ts';
import type { MissingClusters } from '../../../src/api/fields.ts';
import { replicaLines } from '../../../src/api/replica-lines.ts';
import { missingIn } from '../data.ts';
import { count } from '../format.ts';
import { LoadState, Missing } from '../load-state.tsx';
import { overallText, pausedText } from '../overall-text.ts';
import { Elapsed, useNarrow } from '../parts.tsx';
import type { SiteData } from '../site.ts';
import { AlertCard } from './alert-card.tsx';
import { ClusterCard, type ClusterView, stateColors } from './cluster-card.tsx';

/** Firing alerts with their notifications, and the state of each cluster, the worst first. */
export function Overview({ site }: { readonly site: SiteData }) {
  const { alerts, clusters, services, now, isCurrent } = site;
  const firing = (alerts.value ?? []).filter(isOngoing);
  const views = clusterViews(site);
  const isLoaded = alerts.value !== undefined && clusters.value !== undefined && services.value !== undefined;
  // Usually, all requests fail for the same reason; then one message is enough.
  const isOneError = alerts.error === clusters.error && alerts.error === services.error;
  const missing = [alerts, clusters, services].flatMap(({ value }) => missingIn(value));
  return (
    <>
      {isLoaded && (isCurrent ? <Overall firing={firing} views={views} /> : <OldState />)}
      <PausedGuard site={site} />
      {alerts.error === undefined && isOneError && <Missing missing={distinct(missing)} />}
      {isOneError ? (
        (alerts.error !== undefined || alerts.value === undefined) && (
          <LoadState loaded={alerts} what="alerts, clusters and services" />
        )
      ) : (
        <>
          <LoadState loaded={alerts} what="alerts" />
          <LoadState loaded={clusters} what="clusters" />
          <LoadState loaded={services} what="services" />
        </>
      )}
      {firing.length > 0 && <FiringAlerts alerts={firing} now={now} />}
      {views.length > 0 && <h2>Clusters</h2>}
      <div class="cards">
        {views.map((view) => (
          <ClusterCard key={view.cluster.name} view={view} alerts={alerts.value ?? []} now={now} />
        ))}
      </div>
      <Events alerts={alerts.value ?? []} now={now} />
      <Replicas site={site} />
    </>
  );
}

/** Merges the entries of each replica, because the list of alerts also lacks alerts about graphwarden itself. */
function distinct(missing: readonly MissingClusters[]): readonly MissingClusters[] {
  const groups = Map.groupBy(missing, ({ replica, reason }) => JSON.stringify([replica, reason]));
  return [...groups.values()].flatMap((group) => {
    const clusters = [...new Set(group.flatMap((one) => one.clusters))];
    return group.slice(0, 1).map((one) => ({ ...one, clusters }));
  });
}

/** Pause of the guard. Its alert fires only after an hour if an operator paused it. */
function PausedGuard({ site: { guard } }: { readonly site: SiteData }) {
  const text = guard.value === undefined ? undefined : pausedText(guard.value);
  return text === undefined ? null : (
    <p class="orange">
      {`! ${text}. `}
      <a href="#/guard">Guard</a>
    </p>
  );
}

/** Replicas that share the database, with the number of clusters of each. */
function Replicas({ site: { replicas, now } }: { readonly site: SiteData }) {
  const [overview] = replicas.value === undefined ? [] : replicaLines(replicas.value, now);
  return overview === undefined ? null : <p class="soft">{overview.text}</p>;
}

/** Maximum number of alerts in the overview; the view of alerts shows all. */
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

/** Aborted queries of the last minutes, which are events and not states. */
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

/** Returns the clusters of replicas that do not answer, with the reason. No other data about them is available. */
function missingClusters(clusters: SiteData['clusters']): ReadonlyMap<string, string> {
  const pairs = missingIn(clusters.value).map((one) => one.clusters.map((name) => [name, one.reason] as const));
  return new Map(pairs.flat());
}

function emptyCluster(name: string): ClusterReport {
  return { name, labels: {}, nodes: [], seriesDropped: [] };
}

/** Returns the clusters, the worst first. Without current data, their states are unknown. */
function clusterViews({ alerts, clusters, services, collectors, isCurrent }: SiteData): readonly ClusterView[] {
  const facts = { alerts: alerts.value ?? [], services: services.value ?? [] };
  const missing = missingClusters(clusters);
  return [...(clusters.value ?? []), ...[...missing.keys()].map(emptyCluster)]
    .map((cluster) => ({
      cluster,
      state: isCurrent ? clusterState(cluster, facts) : 'unknown',
      services: facts.services.filter((service) => service.cluster === cluster.name),
      asOf: servicesPolledAt(cluster.name, collectors.value ?? []),
      missing: missing.get(cluster.name),
    }))
    .toSorted(
      (one, other) =>
        clusterStates.indexOf(one.state) - clusterStates.indexOf(other.state) ||
        one.cluster.name.localeCompare(other.cluster.name, 'en', { numeric: true }),
    );
}

interface OverallProps {
  readonly firing: readonly AlertReport[];
  /** The worst first. */
  readonly views: readonly ClusterView[];
}

/** Overall state in one line. */
function Overall({ firing, views }: OverallProps) {
  const state = overallState(
    firing,
    views.map((one) => one.state),
  );
  return (
    <h2 class={`overall ${stateColors[state]}`}>
      {overallText(state, { firing, clusters: views.map((one) => ({ name: one.cluster.name, state: one.state })) })}
    </h2>
  );
}

/** Headline while the data is old: the last known state may no longer be true. */
function OldState() {
  return <h2 class={`overall ${stateColors.unknown}`}>? The state is unknown: the data is old</h2>;
}
