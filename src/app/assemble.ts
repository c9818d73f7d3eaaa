import { LatestResults } from '../collect/latest-results.ts';
import type { Config } from '../config/config.ts';
import { actionChange } from '../guard/storage/operator-action-rows.ts';
import type { RequestHandler, TrustedProxies } from '../kernel/listener.ts';
import { type ReplicaAddress, selfCluster } from '../kernel/ownership.ts';
import type { SpanRecorder } from '../model/span.ts';
import { accessRefusal, roleRefusal } from './api/access.ts';
import { AdmissionControl, clientOf } from './api/admission.ts';
import { allRoutes } from './api/all-routes.ts';
import { EventBroker } from './api/event-stream.ts';
import { crossOriginRefusal } from './api/operator.ts';
import { OtherReplicas } from './api/other-replicas.ts';
import { followEvents, RecentEvents } from './api/replica-events.ts';
import { problemReply } from './api/reply.ts';
import type { RouteDependencies } from './api/route-dependencies.ts';
import { createHandler, isPublicPath, type RequestGates, type Route, routePrefix } from './api/routes.ts';
import { AuthenticationAudit } from './authentication-audit.ts';
import { wireIncidents } from './incident-wiring.ts';
import { MonitoredClusters } from './monitored-clusters.ts';
import { pageReader } from './page/telemetry-metrics.ts';
import { CallDurations } from './poll/call-metrics.ts';
import type { ClusterPoller } from './poll/cluster-poller.ts';
import type { Pipeline } from './poll/pipeline.ts';
import { Scheduler } from './poll/scheduler.ts';
import type { AppDependencies } from './ports/app-dependencies.ts';
import type { App, AppPorts } from './ports/app-ports.ts';

/** Assembles an application from its parts; `createApp` passes the real ones. */
export function assembleApp(config: Config, ports: AppPorts, parts: AppDependencies): App {
  const board = new LatestResults();
  const admission = new AdmissionControl(ports.clock, ports.log);
  const hub = new EventBroker(ports.clock, (client) => admission.record('stream_behind', client));
  const pollers = (): readonly ClusterPoller[] => monitored.pollers();
  const scheduler = new Scheduler(ports);
  const rejection = (): Config['rejection'] => monitored.config.rejection;
  const onAlert = (): void => void monitored.showAlerts();
  const wiring = wireIncidents(config, { ports, parts, board, hub, scheduler, pollers, rejection, onAlert });
  const { pipeline, guard } = wiring;
  const calls = new CallDurations();
  const audit = new AuthenticationAudit(ports);
  const openCluster: AppDependencies['openCluster'] = (settings, options) =>
    parts.openCluster(settings, { ...options, onCall: (call) => calls.record(settings.name, call) });
  const context = { ...cyclePorts(config, ports), openCluster, board, scheduler, calls, admission, ...wiring };
  const monitored = new MonitoredClusters(config, parts, context);
  const dependencies: RouteDependencies = {
    ports,
    parts,
    board,
    scheduler,
    ...wiring,
    ...otherReplicas(ports, monitored),
    config: () => monitored.config,
    pollers,
    isReady: () => monitored.isReady(),
    isStalled: () => scheduler.isStuck(),
  };
  const prefix = (): string => routePrefix(monitored.config.externalUrl);
  const routes = allRoutes(dependencies, hub, prefix);
  const peerRoutes = [...routes, ...replicaEvents(dependencies, hub)];
  return {
    handler: createHandler(routes, prefix, { refuse: refuseBy(monitored, ports, admission), admission }),
    peerHandler: createHandler(peerRoutes, () => '', peerGates(monitored, admission)),
    localHandler: localHandler(routes),
    trustedProxies: () => trustedProxiesOf(monitored.config),
    maxConnections: () => monitored.config.web.maxConnections,
    isPublic: (path) => isPublicPath(routes, path, prefix()),
    isStalled: () => scheduler.isStuck(),
    start: (address = { url: '' }) => startPolling(monitored, pipeline, { ports, address }),
    reconfigure: (next) => monitored.reconfigure(next),
    authenticationFailed: (failure) => void audit.add(failure),
    pauseGuard: () => void guard.pause('SIGUSR2', 'signal'),
    stop: () => {
      hub.close();
      return monitored.stop();
    },
  };
}

/** Shares events with other replicas; returns the route with which they request those of this one. */
function replicaEvents(
  { ports: { clock, peers }, replicas }: RouteDependencies,
  broker: EventBroker,
): readonly Route[] {
  if (replicas === undefined || peers === undefined) return [];
  const recent = new RecentEvents(clock);
  broker.onPublish((event) => recent.add(event));
  followEvents({ clock, peers, replicas, broker });
  return [recent.route()];
}

/** Other replicas that own some of the clusters; none if no other replica shares the state. */
function otherReplicas(
  { clock, ownership, peers }: AppPorts,
  monitored: MonitoredClusters,
): Pick<RouteDependencies, 'replicas'> {
  if (ownership === undefined || peers === undefined) return {};
  const clusters = (): readonly string[] => monitored.config.clusters.map(({ name }) => name);
  const isFollowed = (cluster: string): boolean =>
    cluster === selfCluster ? ownership.owns(cluster) : monitored.isFollowed(cluster);
  return { replicas: new OtherReplicas({ clock, ownership, peers, clusters, isFollowed }) };
}

async function startPolling(
  monitored: MonitoredClusters,
  pipeline: Pipeline,
  { ports, address }: { readonly ports: AppPorts; readonly address: ReplicaAddress },
): Promise<void> {
  await monitored.start(address);
  void recordStart(ports);
  ports.metricExports?.start(pageReader({ page: () => pipeline.page }, ports));
}

/** Adds the start of this process to the audit, for the timeline. Without a durable store only this entry is missing. */
async function recordStart({ store, clock, random, build }: AppPorts): Promise<void> {
  const entry = { by: 'graphwarden', cluster: '', subject: build.version, reason: '' };
  await store.commit([actionChange({ ...entry, at: clock.now().wall, what: 'start' }, random)]);
}

function refuseBy(
  monitored: MonitoredClusters,
  { hostname }: AppPorts,
  admission: AdmissionControl,
): NonNullable<RequestGates['refuse']> {
  return (request, routes) => {
    const refusal = accessRefusal(request, routes, { ...monitored.config, hostname });
    if (refusal?.status === 421) admission.record('host', clientOf(request));
    const foreign = refusal === undefined ? crossOriginRefusal(request, monitored.config) : undefined;
    if (foreign !== undefined) admission.record('origin', clientOf(request));
    return refusal ?? foreign;
  };
}

/** A replica may read; a user in whose name it sends a request may do what its role allows. */
function peerGates(monitored: MonitoredClusters, admission: AdmissionControl): RequestGates {
  const refuse: RequestGates['refuse'] = ({ user }, routes) => {
    const refusal = user === undefined ? undefined : roleRefusal(user, routes, monitored.config);
    return refusal === undefined ? undefined : problemReply(403, refusal);
  };
  return { refuse, admission };
}

/** Returns the handler of the Unix socket, whose clients are the operator `local` in the audit. */
function localHandler(routes: readonly Route[]): RequestHandler {
  const handler = createHandler(routes, () => '');
  return (request) => handler({ ...request, operator: 'local' });
}

function trustedProxiesOf({ web }: Config): TrustedProxies {
  return { addresses: web.trustedProxies, userHeader: web.userHeader };
}

/**
 * Ports of the pollers. Unless the configuration enables them, healthy poll cycles are not sampled; the runs of probes are,
 * because each of them is a check.
 */
function cyclePorts({ telemetry }: Config, ports: AppPorts): AppPorts & { readonly probeSpans?: SpanRecorder } {
  const { spans } = ports;
  if (spans === undefined || telemetry.traces.cycles) return ports;
  return {
    ...ports,
    probeSpans: spans,
    spans: {
      isSampled: (traceId, anyway = false) => anyway && spans.isSampled(traceId, anyway),
      record: (span) => spans.record(span),
    },
  };
}
