import { rules } from '../alert/rules/all.ts';
import { collectors } from '../collect/all.ts';
import type { Config } from '../config/config.ts';
import { createPage } from '../expose/create-page.ts';
import { openCluster } from '../graphdb/connect.ts';
import { createDeliverer } from '../notify/create-deliverer.ts';
import { openNotifier } from '../notify/open-notifier.ts';
import type { App, AppPorts } from './app.ts';
import { assembleApp } from './assemble.ts';

/** The application as it runs: all collectors, over real connections, on the real page. */
export function createApp(config: Config, ports: AppPorts): App {
  const open = openNotifier(ports);
  return assembleApp(config, ports, {
    collectors,
    openCluster: (settings, options) => openCluster(settings, options, ports),
    createPage: (limits) => createPage(limits, ports.clock),
    rules,
    createDeliverer: (delivery, follow = (_, notifier) => notifier) =>
      createDeliverer(delivery, {
        ...ports,
        openNotifier: (receiver, settings) => follow(receiver.name, open(receiver, settings)),
      }),
  });
}
