import { type AvailabilityReport, availabilitySchema } from '../../api/services.ts';
import { formatElapsed } from '../../kernel/duration.ts';
import { replaceControlCharacters } from '../../kernel/visible-text.ts';
import { instanceName } from '../../model/instance-name.ts';
import type { Command } from '../command.ts';
import { daemonFlags, fetchAllPages, flagParameters } from '../daemon-api.ts';
import { formatTable, type Terminal } from '../table.ts';
import { printDaemonView, viewFlags } from '../view.ts';

const filters = ['since', 'cluster', 'service', 'kind'];

/** Lists the availability of the replicas and partitions of a running daemon. */
export const availability: Command = {
  flags: [
    { name: 'since', value: 'TIME', about: 'age such as 2d, or a time such as 2026-01-31T12:00:00Z (default: 30d)' },
    { name: 'cluster', value: 'NAME', about: 'only this cluster' },
    { name: 'service', value: 'NAME', about: 'only this service, such as GPE' },
    { name: 'kind', value: 'NAME', about: 'only replicas, or only partitions', values: ['replica', 'partition'] },
    ...viewFlags(),
    ...daemonFlags,
  ],
  details:
    'Least available first. A partition is online while at least one of its replicas is online. Time without an ' +
    'observed status does not count. RECOVERY is the mean length of the outages that began and ended in the time ' +
    'range.',
  examples: ['availability', 'availability --since 7d --kind partition', 'availability --service GPE --json'],
  run: (given, ports) =>
    printDaemonView(given, ports, {
      load: (api) =>
        fetchAllPages(api, '/api/v1/availability', flagParameters(given.flags, filters), availabilitySchema),
      text: availabilityTable,
    }),
};

/** Availability as a table, the least available first. */
export function availabilityTable(reports: readonly AvailabilityReport[], terminal?: Terminal): string {
  if (reports.length === 0) return 'no services\n';
  const sorted = reports.toSorted((one, other) => (one.availability ?? 2) - (other.availability ?? 2));
  const rows = sorted.map((report) => [
    instanceName({ ...report, replica: report.replica ?? '' }),
    formatShare(report.availability),
    String(report.outages),
    formatSeconds(report.meanTimeToRecoverSeconds),
    formatSeconds(report.observedSeconds),
    report.kind,
    report.cluster,
  ]);
  const header = ['INSTANCE', 'AVAILABLE', 'OUTAGES', 'RECOVERY', 'OBSERVED', 'KIND', 'CLUSTER'];
  return formatTable([header, ...rows.map((row) => row.map(replaceControlCharacters))], terminal);
}

/** Rounds down, because 100 % means that there was no outage. */
function formatShare(share: number | null): string {
  return share === null ? 'not observed' : `${(Math.floor(share * 100_000) / 1000).toFixed(3)} %`;
}

function formatSeconds(length: number | null): string {
  return length === null ? '' : formatElapsed(length * 1000);
}
