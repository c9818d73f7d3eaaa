import { actionChange } from '../../guard/storage/operator-action-rows.ts';
import { soleOwnership } from '../../kernel/ownership.ts';
import { listEvidence } from '../guard/recording-files.ts';
import type { DeliveryLookup } from '../incidents/alert-report.ts';
import { alertRoutes } from './alert-routes.ts';
import { checkRoute } from './check-route.ts';
import { databaseRoutes } from './database-routes.ts';
import { endpointsRoute } from './endpoint-route.ts';
import { type EventBroker, eventsRoute } from './event-stream.ts';
import { knownValues } from './filter-values.ts';
import { forgetRoute } from './forget-route.ts';
import { forwardToOwners } from './forwarding.ts';
import { guardAuditRoute } from './guard-audit-route.ts';
import { guardRoutes } from './guard-routes.ts';
import { incidentRoutes } from './incident-routes.ts';
import type { KnownValues } from './known-values.ts';
import { lifecycleRoutes } from './lifecycle-routes.ts';
import { metricsReferenceRoute } from './metrics-reference-route.ts';
import { metricsRoute } from './metrics-route.ts';
import { notificationRoute } from './notification-route.ts';
import { openApiRoute } from './openapi-route.ts';
import { type PageRouteDependencies, pageRoutes } from './page-routes.ts';
import { probeListRoute } from './probe-list-route.ts';
import { probeRoute } from './probe-route.ts';
import { queriesRoute } from './query-routes.ts';
import { replicaRoute } from './replica-route.ts';
import type { RouteDependencies } from './route-dependencies.ts';
import type { Route } from './routes.ts';
import { serviceRoutes } from './service-routes.ts';
import { statusRoutes } from './status-routes.ts';

/** Returns every route of the daemon. The prefix may change at a reload. */
export function allRoutes(site: RouteDependencies, broker: EventBroker, prefix: () => string): readonly Route[] {
  const { replicas } = site;
  const known = knownValues(site);
  const own: readonly Route[] = [
    ...pageRoutes(statusPage(site, prefix)),
    metricsReferenceRoute(site, prefix),
    metricsRoute(site),
    probeRoute(site),
    ...lifecycleRoutes(site),
    ...statusRoutes(site, known),
    probeListRoute(site, known),
    replicaRoute(site.ports.ownership ?? soleOwnership, site.ports.clock),
    runChecksRoute(site),
    queriesRoute(site, known),
    endpointsRoute(site),
    ...databaseRoutes(site, known),
    ...historyRoutes(site, known),
    ...alertingRoutes(site, known),
    ...guardRoutes({
      log: site.ports.log,
      config: () => site.config(),
      control: () => site.guard,
      replicas,
      history: site.ports.store.history,
    }),
    eventsRoute(broker),
    openApiRoute(() => routes, { version: site.ports.build.version, server: prefix }),
  ];
  const routes = forwardToOwners(own, replicas, () => site.config());
  return routes;
}

/** Returns the routes of services and of the audit log. */
function historyRoutes(site: RouteDependencies, known: KnownValues): readonly Route[] {
  const { store, recordingFiles, log, random, clock } = site.ports;
  const now = () => clock.now();
  return [
    ...serviceRoutes({
      history: store.history,
      views: () => site.incidents.trackedServices(),
      known,
      replicas: site.replicas,
      now,
    }),
    guardAuditRoute({
      history: store.history,
      known,
      now,
      evidence: async () =>
        recordingFiles === undefined ? [] : await listEvidence(site.config().stateDir, recordingFiles),
    }),
    forgetRoute({
      log,
      config: () => site.config(),
      forget: (replica, action) => site.incidents.forget(replica, [actionChange(action, random)]),
      now,
    }),
  ];
}

function runChecksRoute(site: RouteDependencies): Route {
  const { log, store, random, clock } = site.ports;
  return checkRoute({
    log,
    config: () => site.config(),
    run: (cluster) => site.scheduler.runScheduled(cluster),
    record: (action) => store.commit([actionChange(action, random)]),
    now: () => clock.now(),
  });
}

function statusPage({ ports, replicas }: RouteDependencies, prefix: () => string): PageRouteDependencies {
  const { readStatusPage, build, notice } = ports;
  const hasReplicas = replicas?.isShared === true;
  return {
    read: readStatusPage,
    version: build.version,
    prefix,
    hasReplicas,
    ...(notice === undefined ? {} : { notice }),
  };
}

/** Returns the routes of alerts, incidents, silences and notifications. */
function alertingRoutes(site: RouteDependencies, known: KnownValues): readonly Route[] {
  const deliveries: DeliveryLookup = (incident) => site.alerts.deliveries(incident, site.ports.clock.now());
  return [
    notificationRoute({
      history: site.ports.store.history,
      known,
      unattempted: () => site.alerts.unattempted(site.ports.clock.now()),
      replicas: site.replicas,
      now: () => site.ports.clock.now(),
    }),
    ...alertRoutes({
      rules: site.parts.rules,
      known,
      ...site.ports,
      config: () => site.config(),
      alerts: () => site.alerts.alerts(),
      deliveries,
      replicas: site.replicas,
      silences: () => site.alerts.silences(site.ports.clock.now()),
      silence: (silence, action) => site.incidents.silence(silence, [actionChange(action, site.ports.random)]),
      unsilence: (id, action) => site.incidents.unsilence(id, [actionChange(action, site.ports.random)]),
      now: () => site.ports.clock.now(),
    }),
    ...incidentRoutes({
      log: site.ports.log,
      config: () => site.config(),
      alerts: () => site.alerts.alerts(),
      deliveries,
      replicas: site.replicas,
      acknowledge: (id, acknowledgement, action) =>
        site.incidents.acknowledge(id, acknowledgement, [actionChange(action, site.ports.random)]),
      now: () => site.ports.clock.now(),
    }),
  ];
}
