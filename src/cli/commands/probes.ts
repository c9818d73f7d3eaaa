import { type ProbeReport, probeSchema } from '../../api/probes.ts';
import { formatElapsed } from '../../kernel/duration.ts';
import { replaceControlCharacters } from '../../kernel/visible-text.ts';
import { probeTaskKinds } from '../../model/probe.ts';
import type { Command } from '../command.ts';
import { daemonFlags, fetchAllPages, flagParameters } from '../daemon-api.ts';
import { formatTable, type Terminal } from '../table.ts';
import { printDaemonView, viewFlags } from '../view.ts';

const filters = ['cluster', 'probe', 'kind', 'graph', 'node', 'state'];
const states = ['failing', 'unknown', 'healthy'] as const satisfies readonly ProbeReport['state'][];

/** Lists the probes of a running daemon with their last runs. */
export const probes: Command = {
  flags: [
    { name: 'cluster', value: 'NAME', about: 'only this cluster' },
    { name: 'probe', value: 'NAME', about: 'only this probe' },
    { name: 'kind', value: 'KIND', about: 'only probes of this kind', values: probeTaskKinds },
    { name: 'graph', value: 'NAME', about: 'only probes of this graph' },
    { name: 'node', value: 'NAME', about: 'only probes that run on each node, and only on this node' },
    { name: 'state', value: 'STATE', about: 'only probes in this state', values: states },
    ...viewFlags(),
    ...daemonFlags,
  ],
  details:
    'Failing probes first, then those without a current result. SUCCESS is the share of runs that succeeded in the ' +
    'window of the objective. Runs on request are not included.',
  examples: ['probes', 'probes --state failing', 'probes --cluster prod --json'],
  run: (given, ports) =>
    printDaemonView(given, ports, {
      load: (api) => fetchAllPages(api, '/api/v1/probes', flagParameters(given.flags, filters), probeSchema),
      text: (found, terminal) => probeTable(found, ports.clock.now().wall, terminal),
    }),
};

/** Probes as a table, failing ones first. */
export function probeTable(reports: readonly ProbeReport[], now: number, terminal?: Terminal): string {
  if (reports.length === 0) return 'no probes\n';
  const sorted = reports.toSorted((one, other) => states.indexOf(one.state) - states.indexOf(other.state));
  const rows = sorted.map((report) => [
    report.probe,
    report.state,
    reasonOf(report),
    report.lastRun === null ? 'not run' : `${elapsed(now - Date.parse(report.lastRun))} ago`,
    report.durationSeconds === null ? '' : elapsed(report.durationSeconds * 1000),
    successOf(report.successRatio),
    successOf(report.objective),
    report.node === '' ? `any (${report.source || 'none'})` : report.node,
    report.nextRun === null ? 'now' : `in ${elapsed(Date.parse(report.nextRun) - now)}`,
    report.kind,
    report.graph,
    report.cluster,
    report.message,
  ]);
  const header = 'PROBE,STATE,REASON,LAST RUN,DURATION,SUCCESS,OBJECTIVE,NODE,NEXT,KIND,GRAPH,CLUSTER,MESSAGE'.split(
    ',',
  );
  return formatTable([header, ...rows.map((row) => row.map(replaceControlCharacters))], terminal);
}

function reasonOf({ state, reason, lastRun }: ProbeReport): string {
  if (state === 'unknown' && lastRun !== null) return 'old result';
  return reason.replaceAll('_', ' ');
}

function successOf(share: number | null): string {
  return share === null ? '-' : `${Number((share * 100).toPrecision(4))}%`;
}

function elapsed(millis: number): string {
  return formatElapsed(Math.max(0, millis));
}
