import type { Config, LoadedConfig } from '../config/config.ts';
import { inlineSecretKeys } from '../config/kept-config.ts';
import { readWebConfig } from '../config/web-config-file.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Files } from '../kernel/system.ts';
import type { RuntimePorts } from './ports.ts';

/** Keys of the configuration whose values are paths of secrets. */
const secretKeys = new Set(['file', 'keyFile', 'headersFile', 'webConfigFile', 'passwordFile']);

/** Members of a configuration with problems, which name the configuration file. */
const reportKeys: ReadonlySet<string> = new Set<keyof LoadedConfig>(['rejection', 'warnings']);

/** Permissions of all users of the host. */
const readable = 0o004;
const writable = 0o002;

/** Ports, and the path of the configuration file, if there is one. */
interface ExposedFilesContext extends Pick<RuntimePorts, 'fileMode'> {
  readonly files: Files;
  readonly file: string | undefined;
}

/**
 * Logs a state directory and a configuration file that every user of the host can write, and each file with secrets that
 * every user can read.
 */
export async function logExposedFiles(config: Config, context: ExposedFilesContext, log: Logger): Promise<void> {
  const { fileMode, file } = context;
  const isExposed = async (path: string, to: number): Promise<boolean> => (((await fileMode(path)) ?? 0) & to) !== 0;
  if (await isExposed(config.stateDir, writable)) {
    log.warn('state directory writable by all users', { path: config.stateDir });
  }
  if (file !== undefined && (await isExposed(file, writable))) log.warn('config writable by all users', { path: file });
  if (file !== undefined && (await isExposed(file, readable)))
    await logInlineSecrets(config, { ...context, file }, log);
  const settings = Object.fromEntries(Object.entries(config).filter(([key]) => !reportKeys.has(key)));
  for (const path of new Set([...secretFiles(settings), ...(await keyFilesOfListener(config, context))])) {
    if (await isExposed(path, readable)) log.warn('secret file readable by all users', { path });
  }
}

async function logInlineSecrets(
  config: Config,
  { files, file }: Pick<ExposedFilesContext, 'files'> & { readonly file: string },
  log: Logger,
): Promise<void> {
  const text = await files.readText(file);
  const keys = text.ok ? inlineSecretKeys(text.value, file, config) : [];
  if (keys.length > 0) log.warn('config with inline secrets readable by all users', { path: file, keys });
}

/** The private key that the web config file names. The listener reports a file that is missing or invalid. */
async function keyFilesOfListener(
  { webConfigFile: path }: Config,
  { files }: Pick<ExposedFilesContext, 'files'>,
): Promise<readonly string[]> {
  const text = path === undefined ? undefined : await files.readText(path);
  if (path === undefined || text?.ok !== true) return [];
  const web = readWebConfig(text.value, path);
  const key = web.ok ? web.value.settings.tls?.key : undefined;
  return key !== undefined && 'file' in key ? [key.file] : [];
}

function secretFiles(section: object): readonly string[] {
  return Object.entries(section).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value === 'string') return secretKeys.has(key) ? [value] : [];
    return typeof value === 'object' && value !== null ? secretFiles(value) : [];
  });
}
