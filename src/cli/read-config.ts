import type { Config, LoadedConfig } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import { formatProblems } from '../config/problems.ts';
import { readWebConfig } from '../config/web-config-file.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { printablePath } from '../kernel/secret-path.ts';
import type { ConfigProblem } from '../model/config-problem.ts';
import type { CliPorts } from './ports.ts';

/** Configuration file with its text. */
export interface ConfigFileContent {
  /** Undefined if the file cannot be read. */
  readonly text: string | undefined;
  readonly loaded: Result<LoadedConfig, readonly ConfigProblem[]>;
}

/** Reads and validates a configuration file, and returns its text as well. */
export async function readConfigFile(file: string, ports: CliPorts): Promise<ConfigFileContent> {
  let text: string | undefined;
  const loaded = await readAndParse(file, ports, (read) => {
    text = read;
    return loadConfig(read, file, ports.environment);
  });
  return { text, loaded };
}

/** Reads and validates a configuration file. An unreadable file is a problem of its first line. */
export async function readConfig(
  file: string,
  ports: CliPorts,
): Promise<Result<LoadedConfig, readonly ConfigProblem[]>> {
  return (await readConfigFile(file, ports)).loaded;
}

/** Reads and validates a configuration file; the error is the text of all problems. */
export async function readConfigOrMessage(file: string, ports: CliPorts): Promise<Result<LoadedConfig, string>> {
  return formatFailure(await readConfig(file, ports));
}

/** Reads and validates the web config file that a configuration names, without loading its certificates. */
export async function readWebConfigOf(
  { webConfigFile: file }: Config,
  ports: CliPorts,
): Promise<Result<unknown, readonly ConfigProblem[]>> {
  return file === undefined ? ok(undefined) : readAndParse(file, ports, (text) => readWebConfig(text, file));
}

async function readAndParse<T>(
  file: string,
  { files }: CliPorts,
  parse: (text: string) => Result<T, readonly ConfigProblem[]>,
): Promise<Result<T, readonly ConfigProblem[]>> {
  const text = await files.readText(file);
  if (text.ok) return parse(text.value);
  const shown = await printablePath(file, files);
  return err([{ file: shown, line: 1, column: 1, path: '', message: text.error }]);
}

function formatFailure<T>(result: Result<T, readonly ConfigProblem[]>): Result<T, string> {
  return result.ok ? result : err(`${formatProblems(result.error)}\n`);
}
