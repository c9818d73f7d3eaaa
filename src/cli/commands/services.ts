import { type ServiceReport, serviceSchema } from '../../api/services.ts';
import { formatElapsed } from '../../kernel/duration.ts';
import { replaceControlCharacters } from '../../kernel/visible-text.ts';
import { instanceName } from '../../model/instance-name.ts';
import type { Command } from '../command.ts';
import { daemonFlags, fetchAllPages, flagParameters } from '../daemon-api.ts';
import { formatTable, type Terminal } from '../table.ts';
import { printDaemonView, viewFlags } from '../view.ts';

const filters = ['cluster', 'service', 'partition', 'status'];

/** Lists the service instances of a running daemon. */
export const services: Command = {
  flags: [
    { name: 'cluster', value: 'NAME', about: 'only this cluster' },
    { name: 'service', value: 'NAME', about: 'only this service, such as GPE' },
    { name: 'partition', value: 'NUMBER', about: 'only this partition' },
    { name: 'status', value: 'NAME', about: 'only this observed status, such as Down' },
    ...viewFlags(),
    ...daemonFlags,
  ],
  details:
    'Instances that are not online first. STATUS is the status in the latest poll; CONFIRMED is the status on which ' +
    'alerts are evaluated, if it differs. NOTE says whether the status is flapping, or whether its two sources ' +
    'disagree.',
  examples: ['services', 'services --service GPE --watch', 'services --status Down --json'],
  run: (given, ports) =>
    printDaemonView(given, ports, {
      load: (api) => fetchAllPages(api, '/api/v1/services', flagParameters(given.flags, filters), serviceSchema),
      text: (found, terminal) => serviceTable(found, ports.clock.now().wall, terminal),
    }),
};

/** Service instances as a table, those that are not online first. */
export function serviceTable(reports: readonly ServiceReport[], now: number, terminal?: Terminal): string {
  if (reports.length === 0) return 'no services\n';
  const sorted = reports.toSorted((one, other) => Number(isOnline(one)) - Number(isOnline(other)));
  const rows = sorted.map((report) => [
    instanceName(report),
    report.status,
    formatElapsed(Math.max(0, now - Date.parse(report.since))),
    report.confirmed === report.status ? '' : report.confirmed,
    [report.flapping ? 'flapping' : '', report.disputed ? 'sources disagree' : ''].filter(Boolean).join(', '),
    report.cluster,
    report.process,
  ]);
  const header = ['INSTANCE', 'STATUS', 'FOR', 'CONFIRMED', 'NOTE', 'CLUSTER', 'PROCESS'];
  return formatTable([header, ...rows.map((row) => row.map(replaceControlCharacters))], terminal);
}

function isOnline({ status, flapping, disputed }: ServiceReport): boolean {
  return status === 'Online' && !flapping && !disputed;
}
