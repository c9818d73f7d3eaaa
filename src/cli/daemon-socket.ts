import { err, ok, type Result } from '../kernel/result.ts';
import { type CommandInput, type Flag, UsageError } from './command.ts';
import { configPath } from './config-option.ts';
import type { CliPorts } from './ports.ts';

/** Options that name the state directory of the daemon. */
export const socketFlags: readonly Flag[] = [
  {
    name: 'state-dir',
    value: 'DIR',
    about: 'use the socket in this state directory (default: that of the configuration, or ./state)',
  },
  {
    name: 'config',
    value: 'FILE',
    about: 'use the state directory of this configuration (default: GRAPHWARDEN_CONFIG)',
  },
];

const defaultFolder = './state';

/** Path of the socket in a state directory. */
export function socketPath(folder: string): string {
  return `${folder.replace(/\/+$/, '')}/control.sock`;
}

/** Returns the socket of the daemon on this host; undefined if the options or the environment name an address instead. */
export async function findSocket(
  { flags }: CommandInput,
  ports: Pick<CliPorts, 'environment' | 'files'>,
): Promise<Result<string | undefined, string>> {
  const { environment, files } = ports;
  const isNamed = flags['state-dir'] !== undefined || flags.config !== undefined;
  if (isNamed && flags.url !== undefined) {
    throw new UsageError(`--${flags.config === undefined ? 'state-dir' : 'config'} and --url are mutually exclusive`);
  }
  const usesAddress = [flags.url, flags.user, environment.GRAPHWARDEN_URL, environment.GRAPHWARDEN_USER].some(
    (one) => one !== undefined && one !== '',
  );
  if (usesAddress && !isNamed) return ok(undefined);
  const folder = await findStateDir({ flags, arguments: [] }, ports);
  if (!folder.ok) return isNamed ? folder : ok(undefined);
  const path = socketPath(folder.value);
  if ((await files.presence(path)) === 'present') return ok(path);
  if (!isNamed) return ok(undefined);
  return err(
    `${path}: no control socket of a daemon; check that the daemon runs, and run this command as the user of the daemon`,
  );
}

/**
 * Returns the state directory that the options name, or that of the configuration in the environment. A configuration
 * that cannot be read is an error: the default may be another directory than that of the daemon.
 */
export async function findStateDir(
  given: CommandInput,
  ports: Pick<CliPorts, 'environment' | 'files'>,
): Promise<Result<string, string>> {
  const { 'state-dir': folder, config } = given.flags;
  if (folder !== undefined && config !== undefined)
    throw new UsageError('--state-dir and --config are mutually exclusive');
  if (folder !== undefined) return ok(folder);
  const file = configPath(given, ports);
  const text = file === '' ? ok('') : await ports.files.readText(file);
  return text.ok ? ok(await configuredFolder(given, ports)) : text;
}

/** State directory of the configuration, whatever else is wrong with the file. */
async function configuredFolder(given: CommandInput, ports: Pick<CliPorts, 'environment' | 'files'>): Promise<string> {
  const file = configPath(given, ports);
  const text = file === '' ? err('') : await ports.files.readText(file);
  if (!text.ok) return defaultFolder;
  const { readStateDir } = await import('../config/state-dir.ts');
  return readStateDir(text.value, ports.environment) ?? defaultFolder;
}
