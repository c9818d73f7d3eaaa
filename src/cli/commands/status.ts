import { alertSchema } from '../../api/alerts.ts';
import { clusterSchema, collectorSchema } from '../../api/clusters.ts';
import { guardSchema } from '../../api/guard.ts';
import { replicaPageSchema } from '../../api/replicas.ts';
import { serviceSchema } from '../../api/services.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { Command, CommandInput } from '../command.ts';
import { type DaemonApi, daemonFlags, fetchAllPages, fetchResponse, missingClusters } from '../daemon-api.ts';
import { guardPath } from '../guard-actions.ts';
import { type StatusFacts, statusExit, statusText, summarizeStatus } from '../status-text.ts';
import { printDaemonView, viewFlags } from '../view.ts';

/** Shows the state of each cluster, and the firing alerts. */
export const status: Command = {
  flags: [
    { name: 'cluster', value: 'NAME', about: 'only this cluster' },
    ...viewFlags('print the overview as JSON'),
    ...daemonFlags,
  ],
  details:
    'Prints the clusters, the worst first; nodes that are not up and services that are not online; the firing alerts ' +
    'with the notified receivers; the events of the last minutes; and the replicas that share a database. Exit code ' +
    '0: all clusters are healthy; 3: a cluster has a warning, an unknown state or something that is not online; 4: a ' +
    'critical alert fires; 1: the daemon does not answer.',
  examples: ['status', 'status --watch', 'status --cluster prod --json'],
  run: (given, ports) =>
    printDaemonView(given, ports, {
      load: (api) => fetchStatus(given, api),
      text: (facts, terminal) => statusText(facts, ports.clock.now().wall, terminal),
      json: summarizeStatus,
      exit: statusExit,
    }),
};

async function fetchStatus({ flags }: CommandInput, api: DaemonApi): Promise<Result<StatusFacts, string>> {
  const { cluster } = flags;
  const where = (name: string): URLSearchParams => new URLSearchParams(cluster === undefined ? [] : [[name, cluster]]);
  const clusters = await fetchAllPages(api, '/api/v1/clusters', where('name'), clusterSchema);
  if (!clusters.ok) return clusters;
  const missing = missingClusters(api);
  const alerts = await fetchAllPages(api, '/api/v1/alerts', where('cluster'), alertSchema);
  if (!alerts.ok) return alerts;
  const services = await fetchAllPages(api, '/api/v1/services', where('cluster'), serviceSchema);
  if (!services.ok) return services;
  // Not only `services`: the daemon rejects the name of a collector that is not enabled.
  const collectors = await fetchAllPages(api, '/api/v1/collectors', where('cluster'), collectorSchema);
  if (!collectors.ok) return collectors;
  const guard = await fetchResponse(api, { method: 'GET', path: guardPath }, guardSchema);
  if (!guard.ok) return guard;
  const replicas = await fetchResponse(api, { method: 'GET', path: '/api/v1/replicas?limit=1000' }, replicaPageSchema);
  if (!replicas.ok) return replicas;
  return ok({
    clusters: clusters.value,
    alerts: alerts.value,
    services: services.value,
    collectors: collectors.value,
    guard: guard.value,
    replicas: replicas.value,
    missing,
  });
}
