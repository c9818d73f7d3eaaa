import type { Result } from '../kernel/result.ts';
import type { StateTools } from '../kernel/state-tools.ts';
import type { CommandInput, ExitCode, Flag } from './command.ts';
import { findStateDir } from './daemon-socket.ts';
import type { CliPorts } from './ports.ts';
import { printError } from './print.ts';

/** Options of the commands for the files of a state directory. */
export const stateFlags: readonly Flag[] = [
  {
    name: 'state-dir',
    value: 'DIR',
    about: 'state directory (default: that of the configuration, or ./state)',
  },
  {
    name: 'config',
    value: 'FILE',
    about: 'use the state directory of this configuration (default: GRAPHWARDEN_CONFIG)',
  },
  { name: 'json', about: 'print JSON' },
];

/** Runs a tool on the state directory that the options name, and prints its result. */
export async function runStateTool<T>(
  given: CommandInput,
  ports: CliPorts,
  use: (tools: StateTools, folder: string) => Promise<Result<T, string>>,
  print: (result: T) => ExitCode,
): Promise<ExitCode> {
  const folder = await findStateDir(given, ports);
  if (!folder.ok) return printError(folder.error, ports);
  const { loadStateTools } = await ports.loadRuntime();
  const result = await use(await loadStateTools(), folder.value);
  return result.ok ? print(result.value) : printError(result.error, ports);
}
