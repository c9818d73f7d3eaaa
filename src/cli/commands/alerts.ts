import { type AlertReport, alertSchema, alertStates } from '../../api/alerts.ts';
import { ok, type Result } from '../../kernel/result.ts';
import { severities } from '../../model/alert.ts';
import { alertTable } from '../alert-table.ts';
import type { Command, CommandInput } from '../command.ts';
import { type DaemonApi, daemonFlags, fetchAllPages, flagParameters } from '../daemon-api.ts';
import { printDaemonView, viewFlags } from '../view.ts';

const filters = ['cluster', 'severity', 'state', 'rule'];

/** Lists the alerts of a running daemon. */
export const alerts: Command = {
  flags: [
    { name: 'all', about: 'also resolved alerts, and the watchdog, which always fires' },
    { name: 'cluster', value: 'NAME', about: 'only this cluster' },
    { name: 'severity', value: 'NAME', about: 'only this severity', values: severities },
    { name: 'state', value: 'NAME', about: 'only this state', values: alertStates },
    { name: 'rule', value: 'NAME', about: 'only this rule, such as disk_filling' },
    ...viewFlags(),
    ...daemonFlags,
  ],
  details:
    'Most severe first. STATE is pending, firing, recovering (the condition no longer holds, but keep_firing_for ' +
    'keeps the alert firing), suppressed (by a silence, a maintenance window or another alert) or resolved. NOTIFIED ' +
    'names the receivers with the state of the latest notification, or the reason why none is sent. Events, such as ' +
    'aborted queries, follow below.',
  examples: ['alerts', 'alerts --severity critical', 'alerts --cluster prod --all --json'],
  run: (given, ports) =>
    printDaemonView(given, ports, {
      load: (api) => fetchAlerts(given, api),
      text: (found, terminal) => alertTable(found, ports.clock.now().wall, terminal),
    }),
};

async function fetchAlerts({ flags }: CommandInput, api: DaemonApi): Promise<Result<readonly AlertReport[], string>> {
  const found = await fetchAllPages(api, '/api/v1/alerts', flagParameters(flags, filters), alertSchema);
  const isAll = 'all' in flags || flags.state !== undefined;
  return !found.ok || isAll ? found : ok(found.value.filter(isShownByDefault));
}

function isShownByDefault({ phase, rule }: AlertReport): boolean {
  return phase !== 'resolved' && rule !== 'watchdog';
}
