import type { Config } from '../config/config.ts';
import type { Logger } from '../kernel/logger.ts';
import type { RuntimePorts } from './ports.ts';

/** Keys of the configuration whose values are paths of secrets. */
const secretKeys = new Set(['file', 'keyFile', 'headersFile', 'webConfigFile']);

/** Logs a state directory that every user of the host can write, and each secret file that every user can read. */
export async function logExposedFiles(
  config: Config,
  { fileMode }: Pick<RuntimePorts, 'fileMode'>,
  log: Logger,
): Promise<void> {
  const stateMode = (await fileMode(config.stateDir)) ?? 0;
  if ((stateMode & 0o002) !== 0) log.warn('state directory writable by all users', { path: config.stateDir });
  for (const path of new Set(secretFiles(config))) {
    const mode = (await fileMode(path)) ?? 0;
    if ((mode & 0o004) !== 0) log.warn('secret file readable by all users', { path });
  }
}

function secretFiles(section: object): readonly string[] {
  return Object.entries(section).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value === 'string') return secretKeys.has(key) ? [value] : [];
    return typeof value === 'object' && value !== null ? secretFiles(value) : [];
  });
}
