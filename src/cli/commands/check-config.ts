import { formatProblems, formatWarnings } from '../../config/problems.ts';
import type { ConfigProblem } from '../../model/config-problem.ts';
import { type Command, exitCode } from '../command.ts';
import { type MaintenancePreview, maintenancePreview, maintenanceTable } from '../maintenance-preview.ts';
import type { CliPorts } from '../ports.ts';
import { formatJson } from '../print.ts';
import { readConfig, readWebConfigOf } from '../read-config.ts';
import type { Terminal } from '../table.ts';

/** Validates a configuration without starting the daemon. */
export const checkConfig: Command = {
  flags: [{ name: 'json', about: 'print JSON' }],
  arguments: ['<FILE>'],
  details:
    'Prints `ok`, or each problem with its position, the path of the key and a hint. Also validates web_config_file.\n' +
    'Prints the warnings of a valid file, such as a matcher that matches no configured cluster, and the next five openings\n' +
    'of each maintenance window. Exit code 2 if the file is invalid; warnings do not change the exit code.',
  examples: ['check-config graphwarden.yml', 'check-config graphwarden.yml --json'],
  run: async ({ arguments: [file = ''], flags }, ports) => {
    const report = await checkFile(file, ports);
    ports.stdout.write('json' in flags ? formatJson(report) : reportText(report, ports.stdout));
    return report.valid ? exitCode.ok : exitCode.usage;
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
  const config = await readConfig(file, ports);
  const invalid = { valid: false, warnings: [], maintenance: [] };
  if (!config.ok) return { ...invalid, problems: config.error };
  const web = await readWebConfigOf(config.value, ports);
  if (!web.ok) return { ...invalid, problems: web.error };
  const { alerts, warnings } = config.value;
  const maintenance = maintenancePreview(alerts.maintenance, ports.clock.now().wall);
  return { valid: true, problems: [], warnings, maintenance };
}

function reportText({ valid, problems, warnings, maintenance }: ConfigReport, terminal: Terminal): string {
  if (!valid) return `${formatProblems(problems)}\n`;
  const lines = warnings.length === 0 ? '' : `${formatWarnings(warnings)}\n`;
  return `${lines}ok\n${maintenanceTable(maintenance, terminal)}`;
}
