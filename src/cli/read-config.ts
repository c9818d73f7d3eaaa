import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import { formatProblems } from '../config/problems.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Problem } from '../model/problem.ts';
import type { CliPorts } from './ports.ts';

/** Reads and validates a configuration file. A file that cannot be read is a problem of its first line. */
export async function readConfig(file: string, ports: CliPorts): Promise<Result<Config, readonly Problem[]>> {
  const text = await ports.files.readText(file);
  if (!text.ok) return err([{ file, line: 1, column: 1, path: '', message: text.error }]);
  return loadConfig(text.value, file, ports.environment);
}

/** The same, with the problems as the text that a person is shown. */
export async function readConfigOrSay(file: string, ports: CliPorts): Promise<Result<Config, string>> {
  const config = await readConfig(file, ports);
  return config.ok ? ok(config.value) : err(`${formatProblems(config.error)}\n`);
}
