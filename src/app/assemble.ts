import { LatestResults } from '../collect/latest-results.ts';
import type { Config } from '../config/config.ts';
import { allRoutes } from './api/all-routes.ts';
import { EventBroker } from './api/event-stream.ts';
import type { RouteDependencies } from './api/route-dependencies.ts';
import { createHandler, isPublicPath, routePrefix } from './api/routes.ts';
import { wireIncidents } from './incident-wiring.ts';
import { MonitoredClusters } from './monitored-clusters.ts';
import { pageReader } from './page/telemetry-metrics.ts';
import { CallDurations } from './poll/call-metrics.ts';
import type { ClusterPoller } from './poll/cluster-poller.ts';
import { Scheduler } from './poll/scheduler.ts';
import type { AppDependencies } from './ports/app-dependencies.ts';
import type { App, AppPorts } from './ports/app-ports.ts';

/** Assembles an application from its parts; {@link createApp} passes the real ones. */
export function assembleApp(config: Config, ports: AppPorts, parts: AppDependencies): App {
  const board = new LatestResults();
  const hub = new EventBroker(ports.clock);
  const pollers = (): readonly ClusterPoller[] => monitored.pollers();
  const scheduler = new Scheduler(ports);
  const line = wireIncidents(config, { ports, parts, board, hub, scheduler, pollers });
  const { pipeline, incidents, alerts, guard } = line;
  const calls = new CallDurations();
  const openCluster: AppDependencies['openCluster'] = (settings, options) =>
    parts.openCluster(settings, {
      ...options,
      onCall: (call) => calls.record(settings.name, call),
    });
  const context = { ...cyclePorts(config, ports), openCluster, board, scheduler, calls, ...line };
  const monitored = new MonitoredClusters(config, parts, context);
  const site: RouteDependencies = {
    ports,
    parts,
    board,
    pipeline,
    incidents,
    alerts,
    guard,
    config: () => monitored.config,
    pollers,
    isReady: () => monitored.isReady(),
    isStalled: () => scheduler.isStuck(),
  };
  const prefix = (): string => routePrefix(monitored.config.externalUrl);
  const routes = allRoutes(site, hub, prefix);
  return {
    handler: createHandler(routes, prefix),
    isPublic: (path) => isPublicPath(routes, path, prefix()),
    start: async () => {
      await monitored.start();
      ports.metricExports?.start(pageReader({ page: () => pipeline.page }, ports));
    },
    reconfigure: (next) => monitored.reconfigure(next),
    pauseGuard: () => void guard.pause('SIGUSR2', 'signal'),
    stop: () => {
      hub.close();
      return monitored.stop();
    },
  };
}

/** Ports of the pollers. Unless the configuration enables them, healthy poll cycles are not sampled. */
function cyclePorts({ telemetry }: Config, ports: AppPorts): AppPorts {
  const { spans } = ports;
  if (spans === undefined || telemetry.traces.cycles) return ports;
  return {
    ...ports,
    spans: {
      isSampled: (traceId, anyway = false) => anyway && spans.isSampled(traceId, anyway),
      record: (span) => spans.record(span),
    },
  };
}
