import { type CheckReport, checkSchema } from '../../api/clusters.ts';
import { formatElapsed } from '../../kernel/duration.ts';
import { replaceControlCharacters } from '../../kernel/visible-text.ts';
import type { Command } from '../command.ts';
import { daemonFlags, fetchAllPages, flagParameters } from '../daemon-api.ts';
import { formatTable, type Terminal } from '../table.ts';
import { printDaemonView, viewFlags } from '../view.ts';

const filters = ['cluster', 'check', 'graph'];

/** Lists the latest results of the consistency checks of a running daemon. */
export const checks: Command = {
  flags: [
    { name: 'cluster', value: 'NAME', about: 'only this cluster' },
    { name: 'check', value: 'NAME', about: 'only this check' },
    { name: 'graph', value: 'NAME', about: 'only this graph' },
    ...viewFlags(),
    ...daemonFlags,
  ],
  details: 'Failed checks first. The checks run on the schedule of the collector `consistency`, if it is enabled.',
  examples: ['checks', 'checks --cluster prod --json'],
  run: (given, ports) =>
    printDaemonView(given, ports, {
      load: (api) => fetchAllPages(api, '/api/v1/checks', flagParameters(given.flags, filters), checkSchema),
      text: (found, terminal) => checkTable(found, ports.clock.now().wall, terminal),
    }),
};

/** Results of checks as a table, failed ones first. */
export function checkTable(reports: readonly CheckReport[], now: number, terminal?: Terminal): string {
  if (reports.length === 0) return 'no results of checks\n';
  const sorted = reports.toSorted((one, other) => Number(one.passed) - Number(other.passed));
  const rows = sorted.map(({ check, passed, unsyncedEntries, lastRun, graph, partition, engine, cluster }) => [
    check,
    passed ? 'passed' : 'failed',
    lastRun === null ? 'unknown' : `${formatElapsed(Math.max(0, now - Date.parse(lastRun)))} ago`,
    [graph, partition === '' ? '' : `partition ${partition}`, engine].filter(Boolean).join(' ') || 'all graphs',
    unsyncedEntries === null ? '' : String(unsyncedEntries),
    cluster,
  ]);
  const header = ['CHECK', 'RESULT', 'LAST RUN', 'WHERE', 'UNSYNCED ENTRIES', 'CLUSTER'];
  return formatTable([header, ...rows.map((row) => row.map(replaceControlCharacters))], terminal);
}
