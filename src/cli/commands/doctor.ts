import { type Command, exitCode } from '../command.ts';
import { configFlag, withConfig } from '../config-option.ts';
import { runDoctorChecks } from '../doctor-checks.ts';
import { causesTable, findingsSummary, findingsTable, isFailing } from '../doctor-table.ts';
import { formatJson } from '../print.ts';
import { tableTerminal, wideFlag } from '../view.ts';

/** Requests each endpoint that the enabled collectors use. */
export const doctor: Command = {
  flags: [
    configFlag,
    { name: 'all', about: 'print one row per request, including requests that work' },
    wideFlag,
    { name: 'json', about: 'print the result of each request as JSON' },
  ],
  details:
    'Prints one row for each cause of failed requests, with its fix. Exit code 1 if an enabled collector does not work. ' +
    'Run it on the host on which the daemon will run. Collectors with a schedule (consistency checks, if ' +
    'enabled) run once, on the first node only and within their timeout.',
  examples: ['doctor --config graphwarden.yml', 'doctor --config graphwarden.yml --json'],
  run: (given, ports) =>
    withConfig(given, ports, async (config) => {
      const findings = await runDoctorChecks(config, ports, await ports.loadRuntime());
      const terminal = tableTerminal(given, ports);
      const table = 'all' in given.flags ? `${findingsTable(findings, terminal)}\n` : causesTable(findings, terminal);
      const text = `${table}${findingsSummary(findings)}`;
      ports.stdout.write('json' in given.flags ? formatJson(findings) : text);
      return findings.some(isFailing) || findings.length === 0 ? exitCode.failed : exitCode.ok;
    }),
};
