import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import { formatProblems } from '../config/problems.ts';
import { readWebConfig } from '../config/web-config-file.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Problem } from '../model/problem.ts';
import type { CliPorts } from './ports.ts';

/** Reads and validates a configuration file. A file that cannot be read is a problem of its first line. */
export async function readConfig(file: string, ports: CliPorts): Promise<Result<Config, readonly Problem[]>> {
  return read(file, ports, (text) => loadConfig(text, file, ports.environment));
}

/** The same, with the problems as the text that a person is shown. */
export async function readConfigOrSay(file: string, ports: CliPorts): Promise<Result<Config, string>> {
  return inWords(await readConfig(file, ports));
}

/** Reads the web config file of a configuration that names one, as far as that can be done without its certificates. */
export async function readWebConfigOrSay(
  { webConfigFile: file }: Config,
  ports: CliPorts,
): Promise<Result<unknown, string>> {
  return file === undefined ? ok(undefined) : inWords(await read(file, ports, (text) => readWebConfig(text, file)));
}

async function read<T>(
  file: string,
  { files }: CliPorts,
  parse: (text: string) => Result<T, readonly Problem[]>,
): Promise<Result<T, readonly Problem[]>> {
  const text = await files.readText(file);
  return text.ok ? parse(text.value) : err([{ file, line: 1, column: 1, path: '', message: text.error }]);
}

function inWords<T>(result: Result<T, readonly Problem[]>): Result<T, string> {
  return result.ok ? result : err(`${formatProblems(result.error)}\n`);
}
