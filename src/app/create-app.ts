import { rules } from '../alert/rules/all.ts';
import { collectors } from '../collect/all.ts';
import { users } from '../collect/users.ts';
import type { Config } from '../config/config.ts';
import { createMetricsPage } from '../expose/create-metrics-page.ts';
import { openCluster } from '../graphdb/connect.ts';
import { createDeliverer } from '../notify/create-deliverer.ts';
import { openNotifier } from '../notify/receivers/all.ts';
import { assembleApp } from './assemble.ts';
import { collectorMemory } from './poll/collector-memory.ts';
import type { AppDependencies } from './ports/app-dependencies.ts';
import type { App, AppPorts } from './ports/app-ports.ts';

/** Creates the application with every collector, rule and receiver, over real connections; `other` replaces parts of it. */
export function createApp(config: Config, ports: AppPorts, other: Partial<AppDependencies> = {}): App {
  const open = openNotifier(ports);
  const { listen, stateDir } = config;
  const owner = `${ports.hostname} ${listen.host}:${listen.port} ${stateDir}`;
  const accountMemory = (cluster: string) => collectorMemory(ports.store, cluster, users.name);
  return assembleApp(config, ports, {
    collectors,
    openCluster: (settings, options) => openCluster(settings, { ...options, owner }, { ...ports, accountMemory }),
    createPage: (limits) => createMetricsPage(limits, ports.clock),
    rules,
    createDeliverer: (delivery, wrap = (_, notifier) => notifier) =>
      createDeliverer(delivery, {
        ...ports,
        openNotifier: (receiver, settings) => wrap(receiver.name, open(receiver, settings)),
      }),
    ...other,
  });
}
