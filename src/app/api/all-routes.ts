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
import { incidentRoutes, mayBeIncident } from './incident-routes.ts';
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
export function allRoutes(
  dependencies: RouteDependencies,
  broker: EventBroker,
  prefix: () => string,
): readonly Route[] {
  const { replicas } = dependencies;
  const known = knownValues(dependencies);
  const own: readonly Route[] = [
    ...pageRoutes(statusPage(dependencies, prefix)),
    metricsReferenceRoute(dependencies, prefix),
    metricsRoute(dependencies),
    probeRoute(dependencies),
    ...lifecycleRoutes(dependencies),
    ...statusRoutes(dependencies, known),
    probeListRoute(dependencies, known),
    replicaRoute(dependencies.ports.ownership ?? soleOwnership, dependencies.ports.clock),
    runChecksRoute(dependencies),
    queriesRoute(dependencies, known),
    endpointsRoute(dependencies),
    ...databaseRoutes(dependencies, known),
    ...historyRoutes(dependencies, known),
    ...alertingRoutes(dependencies, known),
    ...guardRoutes({
      log: dependencies.ports.log,
      config: () => dependencies.config(),
      control: () => dependencies.guard,
      replicas,
      history: dependencies.ports.store.history,
    }),
    eventsRoute(broker),
    openApiRoute(() => routes, { version: dependencies.ports.build.version, server: prefix }),
  ];
  const routes = forwardToOwners(own, replicas, () => dependencies.config());
  return routes;
}

/** Returns the routes of services and of the audit log. */
function historyRoutes(dependencies: RouteDependencies, known: KnownValues): readonly Route[] {
  const { store, recordingFiles, log, random, clock } = dependencies.ports;
  const now = () => clock.now();
  return [
    ...serviceRoutes({
      history: store.history,
      views: () => dependencies.incidents.trackedServices(),
      known,
      replicas: dependencies.replicas,
      now,
    }),
    guardAuditRoute({
      history: store.history,
      known,
      now,
      evidence: async () =>
        recordingFiles === undefined ? [] : await listEvidence(dependencies.config().stateDir, recordingFiles),
    }),
    forgetRoute({
      log,
      config: () => dependencies.config(),
      forget: (replica, action) => dependencies.incidents.forget(replica, [actionChange(action, random)]),
      now,
    }),
  ];
}

function runChecksRoute(dependencies: RouteDependencies): Route {
  const { log, store, random, clock } = dependencies.ports;
  return checkRoute({
    log,
    config: () => dependencies.config(),
    run: (cluster) => dependencies.scheduler.runScheduled(cluster),
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
function alertingRoutes(dependencies: RouteDependencies, known: KnownValues): readonly Route[] {
  const deliveries: DeliveryLookup = (incident) =>
    dependencies.alerts.deliveries(incident, dependencies.ports.clock.now());
  const lists = { alerts: () => dependencies.alerts.alerts(), deliveries, replicas: dependencies.replicas };
  return [
    notificationRoute({
      history: dependencies.ports.store.history,
      known,
      mayBeIncident: (id) => mayBeIncident(lists, id),
      unattempted: () => dependencies.alerts.unattempted(dependencies.ports.clock.now()),
      replicas: dependencies.replicas,
      now: () => dependencies.ports.clock.now(),
    }),
    ...alertRoutes({
      rules: dependencies.parts.rules,
      known,
      ...dependencies.ports,
      config: () => dependencies.config(),
      ...lists,
      silences: () => dependencies.alerts.silences(dependencies.ports.clock.now()),
      silence: (silence, action) =>
        dependencies.incidents.silence(silence, [actionChange(action, dependencies.ports.random)]),
      unsilence: (id, action) =>
        dependencies.incidents.unsilence(id, [actionChange(action, dependencies.ports.random)]),
      now: () => dependencies.ports.clock.now(),
    }),
    ...incidentRoutes({
      log: dependencies.ports.log,
      config: () => dependencies.config(),
      ...lists,
      acknowledge: (id, acknowledgement, action) =>
        dependencies.incidents.acknowledge(id, acknowledgement, [actionChange(action, dependencies.ports.random)]),
      now: () => dependencies.ports.clock.now(),
    }),
  ];
}
