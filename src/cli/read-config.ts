import type { Config, LoadedConfig } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import { formatProblems } from '../config/problems.ts';
import { readWebConfig } from '../config/web-config-file.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { ConfigProblem } from '../model/config-problem.ts';
import type { CliPorts } from './ports.ts';

/** Reads and validates a configuration file. An unreadable file is a problem of its first line. */
export async function readConfig(
  file: string,
  ports: CliPorts,
): Promise<Result<LoadedConfig, readonly ConfigProblem[]>> {
  return readAndParse(file, ports, (text) => loadConfig(text, file, ports.environment));
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
  return text.ok ? parse(text.value) : err([{ file, line: 1, column: 1, path: '', message: text.error }]);
}

function formatFailure<T>(result: Result<T, readonly ConfigProblem[]>): Result<T, string> {
  return result.ok ? result : err(`${formatProblems(result.error)}\n`);
}
