import { type AlertReport, alertSchema } from '../../api/alerts.ts';
import { clusterSchema } from '../../api/clusters.ts';
import { pageSchema } from '../../api/fields.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { severities } from '../../model/alert.ts';
import { alertTable } from '../alert-table.ts';
import type { Command, CommandInput } from '../command.ts';
import {
  type DaemonApi,
  daemonFlags,
  fetchAllPages,
  fetchResponse,
  flagParameters,
  withDaemon,
} from '../daemon-api.ts';
import { formatJson } from '../print.ts';

/** Lists the alerts of a running daemon. */
export const alerts: Command = {
  flags: [
    { name: 'all', about: 'also resolved alerts, and the watchdog, which always fires' },
    { name: 'cluster', value: 'NAME', about: 'only this cluster' },
    { name: 'severity', value: 'NAME', about: 'only this severity', values: severities },
    { name: 'rule', value: 'NAME', about: 'only this rule, such as disk_filling' },
    { name: 'json', about: 'print a JSON array' },
    ...daemonFlags,
  ],
  details:
    'Most severe first. No notification is sent for an alert that is silenced, inhibited or in a maintenance window.',
  examples: ['alerts', 'alerts --severity critical', 'alerts --cluster prod --all --json'],
  run: (given, ports) =>
    withDaemon(given, ports, async (api) => {
      const found = await fetchAlerts(given, api);
      if (!found.ok) return found;
      if ('json' in given.flags) return ok(formatJson(found.value));
      return ok(alertTable(found.value, ports.clock.now().wall, ports.stdout));
    }),
};

async function fetchAlerts({ flags }: CommandInput, api: DaemonApi): Promise<Result<readonly AlertReport[], string>> {
  const query = flagParameters(flags, ['cluster', 'severity', 'rule']);
  const found = await fetchAllPages(api, '/api/v1/alerts', query, alertSchema);
  if (!found.ok) return found;
  if (found.value.length === 0 && (await isUnknownCluster(flags.cluster, api))) {
    return err(`unknown cluster '${flags.cluster}': the daemon does not monitor it and has no alert for it`);
  }
  return 'all' in flags ? found : ok(found.value.filter(isShownByDefault));
}

/** Whether the daemon does not know the cluster: an empty list for a mistyped name would look as if nothing fired. */
async function isUnknownCluster(cluster: string | undefined, api: DaemonApi): Promise<boolean> {
  if (cluster === undefined || cluster === '') return false;
  const query = new URLSearchParams({ name: cluster });
  const path = `/api/v1/clusters?${query.toString()}`;
  const page = await fetchResponse(api, { method: 'GET', path }, pageSchema(clusterSchema));
  return page.ok && page.value.total === 0;
}

function isShownByDefault({ phase, rule }: AlertReport): boolean {
  return phase !== 'resolved' && rule !== 'watchdog';
}
