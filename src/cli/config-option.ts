import type { Config } from '../config/config.ts';
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
