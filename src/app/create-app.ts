import { collectors } from '../collect/all.ts';
import type { Config } from '../config/config.ts';
import { createPage } from '../expose/create-page.ts';
import { openCluster } from '../graphdb/connect.ts';
import type { App, AppPorts } from './app.ts';
import { assembleApp } from './assemble.ts';

/** The application as it runs: all collectors, over real connections, on the real page. */
export function createApp(config: Config, ports: AppPorts): App {
  return assembleApp(config, ports, {
    collectors,
    openCluster: (settings, options) => openCluster(settings, options, ports),
    createPage: (limits) => createPage(limits, ports.clock),
  });
}
