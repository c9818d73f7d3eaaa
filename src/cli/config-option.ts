import type { Config } from '../config/config.ts';
import type { ClusterSettings } from '../model/settings.ts';
import { type CommandInput, type ExitCode, exitCode, type Flag, UsageError } from './command.ts';
import type { CliPorts } from './ports.ts';

/** Option of every command that reads the configuration file. */
export const configFlag: Flag = {
  name: 'config',
  value: 'FILE',
  about: 'configuration file (default: GRAPHWARDEN_CONFIG)',
};

/** Path of the configuration file; '' if neither the option nor the environment names one. */
export function configPath({ flags }: CommandInput, { environment }: Pick<CliPorts, 'environment'>): string {
  return flags.config ?? environment.GRAPHWARDEN_CONFIG ?? '';
}

/** Runs `work` with the configuration that the options name; an invalid file is printed with its problems. */
export async function withConfig(
  given: CommandInput,
  ports: CliPorts,
  work: (config: Config) => Promise<ExitCode>,
): Promise<ExitCode> {
  const file = configPath(given, ports);
  if (file === '') throw new UsageError('required option --config FILE not specified');
  const { readConfigOrMessage } = await import('./read-config.ts');
  const config = await readConfigOrMessage(file, ports);
  if (config.ok) return work(config.value);
  ports.stderr.write(config.error);
  return exitCode.usage;
}

/** Returns the cluster that the option `--cluster` names; it may be absent if one cluster is configured. */
export function selectCluster({ clusters }: Config, name: string | undefined): ClusterSettings {
  const names = clusters.map((cluster) => cluster.name).join(', ');
  const [first, second] = name === undefined ? clusters : clusters.filter((cluster) => cluster.name === name);
  if (first === undefined) throw new UsageError(`unknown cluster '${name ?? ''}': known clusters: ${names}`);
  if (second !== undefined) throw new UsageError(`required option --cluster NAME not specified: one of ${names}`);
  return first;
}
