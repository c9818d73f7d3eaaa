import { configuredFiles } from '../../config/configured-files.ts';
import { formatProblems, formatWarnings } from '../../config/problems.ts';
import { printablePath } from '../../kernel/secret-path.ts';
import type { ConfigProblem } from '../../model/config-problem.ts';
import { type Command, exitCode } from '../command.ts';
import { type MaintenancePreview, maintenancePreview, maintenanceTable } from '../maintenance-preview.ts';
import type { CliPorts } from '../ports.ts';
import { formatJson } from '../print.ts';
import { readConfigFile, readWebConfigOf } from '../read-config.ts';
import type { Terminal } from '../table.ts';
import { tableTerminal, wideFlag } from '../view.ts';

/** Validates a configuration without starting the daemon. */
export const checkConfig: Command = {
  flags: [
    { name: 'strict', about: 'exit with 1 if there are warnings' },
    wideFlag,
    { name: 'json', about: 'print JSON' },
  ],
  arguments: ['<FILE>'],
  details:
    'Prints `ok`, or each problem with its position, the path of the key and a hint. Also validates web_config_file. ' +
    'Prints the warnings of a valid file, such as a matcher that matches no configured cluster, a missing or empty secret file, ' +
    'two nodes with one URL or a policy that never matches, and the next five start times of each maintenance window. Exit ' +
    'code 2 if the file is invalid. Warnings do not change the exit code without --strict.',
  examples: [
    'check-config graphwarden.yml',
    'check-config graphwarden.yml --strict',
    'check-config graphwarden.yml --json',
  ],
  run: async (given, ports) => {
    const {
      arguments: [file = ''],
      flags,
    } = given;
    const report = await checkFile(file, ports);
    ports.stdout.write('json' in flags ? formatJson(report) : reportText(report, tableTerminal(given, ports)));
    if (!report.valid) return exitCode.usage;
    return 'strict' in flags && report.warnings.length > 0 ? exitCode.failed : exitCode.ok;
  },
};

/** Result of a validation, as `--json` prints it. */
interface ConfigReport {
  readonly valid: boolean;
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly ConfigProblem[];
  readonly maintenance: readonly MaintenancePreview[];
}

async function checkFile(file: string, ports: CliPorts): Promise<ConfigReport> {
  const { text = '', loaded: config } = await readConfigFile(file, ports);
  const invalid = { valid: false, warnings: [], maintenance: [] };
  if (!config.ok) return { ...invalid, problems: config.error };
  const web = await readWebConfigOf(config.value, ports);
  if (!web.ok) return { ...invalid, problems: web.error };
  const { alerts } = config.value;
  const warnings = [...config.value.warnings, ...(await fileProblems(text, file, ports))];
  const maintenance = maintenancePreview(alerts.maintenance, ports.clock.now().wall);
  return { valid: true, problems: [], warnings, maintenance };
}

/** Problem of a file that the configuration names. */
interface FileProblem {
  readonly message: string;
  readonly hint: string;
}

/** Warnings of files that the configuration names and that cannot be used: on another host they may be different. */
async function fileProblems(
  text: string,
  file: string,
  { environment, files }: CliPorts,
): Promise<readonly ConfigProblem[]> {
  const named = configuredFiles(text, file, environment);
  const found = await Promise.all(
    named.map(async ({ path, problem }) => ({ fault: await fileProblem(path, files), problem })),
  );
  return found.flatMap(({ fault, problem }) => (fault === undefined ? [] : [problem(fault.message, fault.hint)]));
}

/**
 * Returns why a file cannot be used; undefined if it can. Devices and pipes below `/dev` and `/proc` are not read, because a
 * pipe has one reader.
 */
async function fileProblem(path: string, files: CliPorts['files']): Promise<FileProblem | undefined> {
  const presence = await files.presence(path);
  // Without a secret in the place of the path.
  const shown = await printablePath(path, files);
  if (presence === 'absent')
    return { message: 'names a file that does not exist', hint: `create ${shown}, or correct the path` };
  if (presence === 'present' && /^\/(?:dev|proc)\//.test(path)) return undefined;
  const text = await files.readText(path);
  if (!text.ok) return { message: 'names a file that is not readable', hint: text.error };
  if (text.value.trim() !== '') return undefined;
  return { message: 'names an empty file', hint: `write the content to ${shown}, or correct the path` };
}

function reportText({ valid, problems, warnings, maintenance }: ConfigReport, terminal: Terminal): string {
  if (!valid) return `${formatProblems(problems)}\n`;
  const lines = warnings.length === 0 ? '' : `${formatWarnings(warnings)}\n`;
  return `${lines}ok\n${maintenanceTable(maintenance, terminal)}`;
}
