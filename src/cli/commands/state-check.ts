import type { StateReport } from '../../kernel/state-tools.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import { printableLines } from '../../kernel/visible-text.ts';
import type { SharedStateSettings } from '../../model/replica-database.ts';
import { type Command, type CommandInput, type ExitCode, exitCode } from '../command.ts';
import { configPath } from '../config-option.ts';
import type { CliPorts } from '../ports.ts';
import { formatJson, printError } from '../print.ts';
import { runStateTool, stateFlags } from '../state-command.ts';
import { formatTable, formatTimeCell, type Terminal } from '../table.ts';

/** Checks a state database. */
export const stateCheck: Command = {
  flags: stateFlags,
  arguments: ['[FILE]'],
  details:
    'Checks FILE, or the database of the state directory, without changing it; the daemon may run. With `state_url` ' +
    'in the configuration it checks that database. The checks of a file: it is a regular and complete file; it is a ' +
    'database of graphwarden; this release reads or migrates its schema version; all pages and indexes are valid; ' +
    'all values can be read. After a failed check, the remaining checks are skipped. Exit code 1 if a check failed.',
  examples: ['state check --config graphwarden.yml', 'state check /backup/graphwarden.db --json'],
  run: async (given, ports) => {
    const [file] = given.arguments;
    const settings = file === undefined ? await configuredDatabase(given, ports) : undefined;
    if (settings !== undefined) {
      const { loadSharedStateTools } = await ports.loadRuntime();
      const report = await (await loadSharedStateTools({ ...ports, program: ports.build.version })).check(settings);
      return report.ok ? printReport(report.value, given, ports) : printError(report.error, ports);
    }
    return runStateTool(
      given,
      ports,
      (tools, folder) => (file === undefined ? tools.checkFolder(folder) : tools.checkFile(file)),
      (report) => printReport(report, given, ports),
    );
  },
};

function printReport(report: StateReport, { flags }: CommandInput, { stdout }: CliPorts): ExitCode {
  stdout.write('json' in flags ? formatJson(reportJson(report)) : reportText(report, stdout));
  return report.checks.some(({ result }) => result === 'failed') ? exitCode.failed : exitCode.ok;
}

/** The shared database of the configuration; undefined if the state is in a directory. */
async function configuredDatabase(given: CommandInput, ports: CliPorts): Promise<SharedStateSettings | undefined> {
  const path = given.flags['state-dir'] === undefined ? configPath(given, ports) : '';
  if (path === '') return undefined;
  const { readConfigOrMessage } = await import('../read-config.ts');
  const config = await readConfigOrMessage(path, ports);
  return config.ok ? config.value.sharedState : undefined;
}

function reportText({ file, checks, tables }: StateReport, terminal: Terminal): string {
  const checked = checks.map(({ name, result, detail }) => [name, result, detail]);
  const counted = tables.map(({ name, rows, oldest, newest }) => [name, String(rows), time(oldest), time(newest)]);
  const parts = [
    `${file}\n`,
    formatTable([['CHECK', 'RESULT', 'DETAIL'], ...checked], terminal),
    ...(tables.length === 0 ? [] : [formatTable([['TABLE', 'ROWS', 'OLDEST', 'NEWEST'], ...counted], terminal)]),
  ];
  // Names in a file are those that its writer chose.
  return printableLines(parts.join('\n'));
}

function time(at: number | undefined): string {
  return at === undefined ? '-' : formatTimeCell(formatTimestamp(at));
}

function reportJson({ file, bytes, schemaVersion, supportedVersion, program, checks, tables }: StateReport): unknown {
  return {
    file,
    bytes,
    schema_version: schemaVersion ?? null,
    supported_version: supportedVersion,
    program: program ?? null,
    checks,
    tables: tables.map(({ name, rows, oldest, newest }) => ({
      name,
      rows,
      oldest: timestamp(oldest),
      newest: timestamp(newest),
    })),
  };
}

function timestamp(at: number | undefined): string | null {
  return at === undefined ? null : formatTimestamp(at);
}
