import type { LoadedConfig } from '../config/config.ts';
import { copyConfig, type KeptConfig, loadKeptConfig } from '../config/kept-config.ts';
import { formatProblems } from '../config/problems.ts';
import { defaultStateDir } from '../config/schema.ts';
import { readStateDir } from '../config/state-dir.ts';
import type { Logger } from '../kernel/logger.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { ReplaceFile } from '../kernel/system.ts';
import type { ConfigProblem } from '../model/config-problem.ts';
import type { CliPorts } from './ports.ts';
import type { ConfigFileContent } from './read-config.ts';

/** Stores a copy of an accepted configuration, for a start at which the file is rejected. */
export type KeepConfig = (text: string, accepted: LoadedConfig) => Promise<void>;

/** Where copies are stored. */
export interface KeptConfigOptions {
  /** State directory of the process. */
  readonly folder: string;
  /** Path of the configuration file. */
  readonly file: string;
  readonly environment: CliPorts['environment'];
  readonly replaceFile: ReplaceFile;
  readonly log: Logger;
}

/** Creates the function that stores copies. A copy that could not be loaded is not stored. */
export function createKeepConfig({ folder, file, environment, replaceFile, log }: KeptConfigOptions): KeepConfig {
  return async (text, accepted) => {
    const copy = copyConfig(text, file, accepted);
    const loaded = loadKeptConfig(copy, file, environment);
    const stored = loaded.ok ? await replaceFile(keptConfigPath(folder), copy) : loaded;
    if (!stored.ok) log.warn('copy of the accepted config not stored', { error: stored.error });
  };
}

/** Configuration that a process starts with. */
export interface StartConfig {
  readonly config: LoadedConfig;
  readonly text: string | undefined;
  /** Why the file is rejected; then the configuration is the last accepted one. */
  readonly problems?: readonly ConfigProblem[];
  /** Keys whose inline secrets are not in the copy. */
  readonly omitted: readonly string[];
}

/**
 * Returns the configuration of the file or, if it is rejected, the last accepted one from the state directory that the
 * file names. The error is the text of all problems. Without `ports`, the file must be accepted.
 */
export async function readStartConfig(
  file: string,
  { text, loaded }: ConfigFileContent,
  ports: Pick<CliPorts, 'files' | 'environment'> | undefined,
): Promise<Result<StartConfig, string>> {
  if (loaded.ok) return ok({ config: loaded.value, text, omitted: [] });
  const problems = loaded.error;
  const kept = ports === undefined ? undefined : await readKeptConfig(file, text, ports);
  if (kept?.ok === true) return ok({ ...kept.value, text, problems });
  return err(`${formatProblems([...problems, ...(kept?.error ?? [])])}\n`);
}

/** Loads the copy in the state directory; undefined if there is none. */
async function readKeptConfig(
  file: string,
  text: string | undefined,
  { files, environment }: Pick<CliPorts, 'files' | 'environment'>,
): Promise<Result<KeptConfig, readonly ConfigProblem[]> | undefined> {
  const named = text === undefined ? undefined : readStateDir(text, environment);
  const path = keptConfigPath(named ?? defaultStateDir);
  if ((await files.presence(path)) === 'absent') return undefined;
  const copy = await files.readText(path);
  const kept = copy.ok ? loadKeptConfig(copy.value, file, environment) : err([{ message: copy.error }]);
  if (kept.ok) return kept;
  const [reason] = kept.error;
  const message = `the last accepted configuration cannot be used either: ${reason?.message ?? ''}`;
  return err([{ file: path, line: 1, column: 1, path: '', message }]);
}

function keptConfigPath(stateDir: string): string {
  return `${stateDir}/accepted-config.json`;
}
