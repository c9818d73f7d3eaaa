import type { Config, LoadedConfig } from '../config/config.ts';
import type { Environment } from '../config/environment.ts';
import { numberOfProblems } from '../config/problems.ts';
import { restrictConfig } from '../config/rejected-config.ts';
import { effectiveMode } from '../guard/policy.ts';
import { deepEqual } from '../kernel/deep-equal.ts';
import { FileWatcher } from '../kernel/file-watcher.ts';
import type { LogFields, Logger } from '../kernel/logger.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { SerialQueue } from '../kernel/serial-queue.ts';
import type { Files } from '../kernel/system.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import type { ConfigProblem } from '../model/config-problem.ts';
import type { WebConfigFile } from '../model/web-settings.ts';
import type { KeepConfig } from './kept-config-file.ts';
import type { ConfigFileContent } from './read-config.ts';

/** Loads and validates the configuration. */
export type LoadConfig = () => Promise<ConfigFileContent>;

/** Dependencies of a reload. */
export interface ReloadOptions {
  readonly load: LoadConfig;
  /** Returns why the web config file is rejected; empty while it is in force, or without one. */
  readonly webProblems: () => Promise<readonly ConfigProblem[]>;
  /** Stores a copy of an accepted configuration. */
  readonly keep: KeepConfig;
  /** When the configuration file was rejected at the start, ms since the epoch; then the process started with a copy. */
  readonly rejectedSince?: number;
  /** Path of the configuration, for problems that depend on the running process. */
  readonly file: string;
  /** Environment variables, to read the guard section of a rejected file. */
  readonly environment: Environment;
  readonly clock: Clock;
  /** Applies a valid configuration, or the accepted one with the restrictions of a rejected file. */
  readonly apply: (config: Config) => Promise<void>;
  /** Called with the result of each reload. */
  readonly onReload: (ok: boolean) => void;
  /** Whether the process keeps its state in memory only, so that a guard would lose its budgets with it. */
  readonly isStateVolatile: boolean;
  readonly log: Logger;
}

/**
 * Requests a reload. Reloads run one at a time; requests that wait for the same reload share its result: the changed
 * settings that take effect at a restart only, or the problems of a rejected file.
 */
export type Reload = () => Promise<Result<readonly string[], readonly ConfigProblem[]>>;

/**
 * Creates the reload of a process that started with `first`: validates, then applies the configuration, or keeps the
 * accepted one with the restrictions that the rejected file puts on the guard. The reload of a valid configuration fails
 * as well while the web config file is rejected.
 */
export function createReload(first: Config, reloadable: ReloadOptions): Reload {
  const queue = new SerialQueue();
  let waiting: ReturnType<Reload> | undefined;
  let accepted = first;
  let { rejectedSince } = reloadable;

  async function reject(problems: readonly ConfigProblem[], restricted: (since: number) => Config): ReturnType<Reload> {
    const { apply, onReload, clock, log } = reloadable;
    onReload(false);
    log.error('config reload failed', problemFields(problems));
    rejectedSince ??= clock.now().wall;
    await apply(restricted(rejectedSince));
    return err(problems);
  }

  async function accept(fixed: readonly string[]): ReturnType<Reload> {
    const { apply, onReload, log } = reloadable;
    rejectedSince = undefined;
    await apply(accepted);
    onReload(true);
    log.info('config reloaded');
    return ok(fixed);
  }

  async function swap(): ReturnType<Reload> {
    const { load, webProblems, keep, file, environment, isStateVolatile, log } = reloadable;
    const { text, loaded: read } = await load();
    const web = await webProblems();
    const loaded = rejectScopeChange(first, read, file);
    if (!loaded.ok) {
      const problems = [...loaded.error, ...web];
      return reject(problems, (since) => restrictConfig(accepted, { text, problems, since }, environment));
    }
    const mayEnforce = !isStateVolatile || !isEnforcing(loaded.value);
    const fixed = logRequiredRestart(restartRequiredChanges(first, loaded.value), mayEnforce, log);
    logConfigWarnings(loaded.value, log);
    accepted = mayEnforce ? loaded.value : observeOnly(loaded.value);
    const result = web.length === 0 ? await accept(fixed) : await reject(web, withWebProblems(accepted, web));
    if (text !== undefined) await keep(text, loaded.value);
    return result;
  }

  return () => {
    waiting ??= queue.run(() => {
      waiting = undefined;
      return swap();
    });
    return waiting;
  };
}

/** Logs and returns the settings that take effect at a restart only. */
function logRequiredRestart(changes: readonly string[], mayEnforce: boolean, log: Logger): readonly string[] {
  const fixed = [...changes, ...(mayEnforce ? [] : ['guard.mode'])];
  if (fixed.length > 0) log.warn('setting change requires a restart', { settings: fixed });
  if (!mayEnforce) log.warn('guard mode not changed', { mode: 'observe', reason: 'restart_required' });
  return fixed;
}

/** Returns a function that adds the rejection of the web config file to a configuration, with the time of the first one. */
function withWebProblems(config: Config, problems: readonly ConfigProblem[]): (since: number) => Config {
  return (since) => ({ ...config, rejection: { since, problems, isGuardUnreadable: false } });
}

/** Logs the settings that are valid but probably wrong, each with its position. */
export function logConfigWarnings({ warnings }: LoadedConfig, log: Logger): void {
  if (warnings.length > 0) log.warn('config has warnings', problemFields(warnings));
}

/** Maximum number of problems in a log line: a large file can have thousands. */
const maxLoggedProblems = 20;

/** Returns the fields of a log line about problems: the first ones, and the number of the others. */
export function problemFields(problems: readonly ConfigProblem[]): LogFields {
  const more = numberOfProblems(problems.slice(maxLoggedProblems));
  return { problems: problems.slice(0, maxLoggedProblems), ...(more > 0 && { more }) };
}

/**
 * Rejects a change of the scope. Budgets, gates, receivers and the state depend on it, and a running process cannot
 * change them together.
 */
function rejectScopeChange(
  { scope }: Config,
  loaded: ConfigFileContent['loaded'],
  file: string,
): ConfigFileContent['loaded'] {
  if (!loaded.ok || loaded.value.scope === scope) return loaded;
  const message = 'cannot change while the process runs; restart it, or restore the previous value';
  return err([{ file, line: 1, column: 1, path: 'scope', message }]);
}

function isEnforcing({ guard }: Config): boolean {
  return guard.policies.some((policy) => effectiveMode(guard, policy) === 'enforce');
}

function observeOnly(config: Config): Config {
  return { ...config, guard: { ...config.guard, mode: 'observe' } };
}

/** Changed settings that only apply at the start of a process. */
function restartRequiredChanges(before: Config, after: Config): readonly string[] {
  return [
    ...(listenAddress(before) === listenAddress(after) ? [] : ['listen']),
    ...(before.webConfigFile === after.webConfigFile ? [] : ['web_config_file']),
    ...(before.stateDir === after.stateDir ? [] : ['state_dir']),
    ...(deepEqual(before.sharedState, after.sharedState) ? [] : ['state_url']),
    ...(deepEqual(before.state, after.state) ? [] : ['state']),
    ...(before.log.format === after.log.format ? [] : ['log.format']),
    ...(deepEqual(before.telemetry, after.telemetry) ? [] : ['telemetry']),
  ];
}

function listenAddress({ listen }: Config): string {
  return `${listen.host}:${listen.port}`;
}

/** Interval at which a file is checked without reports of changes from the system, and while it is changing. */
export const watchInterval: Millis = 2_000;

/** Interval at which a file is checked if the system reports changes of its folder, in case a report is lost. */
const reportedInterval: Millis = 10_000;

/** Dependencies of a watch. */
export interface WatchPorts {
  readonly files: Pick<Files, 'stamp' | 'watch'>;
  readonly clock: Clock;
}

/** File to watch. */
export interface WatchedFile {
  readonly path: string;
  /** Stamp from before the file was read; undefined if it did not exist. */
  readonly stamp: string | undefined;
}

/**
 * Calls `changed` after the file at `path` has changed and then stayed the same for one interval: a file that is being
 * written or is missing for a moment is ignored. Ends with `signal`.
 */
export async function watchFile(
  { path, stamp }: WatchedFile,
  changed: () => Promise<unknown>,
  ports: WatchPorts,
  signal: AbortSignal,
): Promise<void> {
  const watcher = new FileWatcher(ports.files, path);
  let known = stamp;
  let before = known;
  let isSettled = true;
  while (!signal.aborted) {
    if (isSettled) await watcher.change(ports.clock, { watched: reportedInterval, unwatched: watchInterval }, signal);
    else await ports.clock.sleep(watchInterval, signal);
    const now = signal.aborted ? undefined : await ports.files.stamp(path);
    isSettled = now === before;
    if (now !== undefined && now !== known && isSettled) {
      known = now;
      await changed();
    }
    before = now;
  }
}

/**
 * Calls `reload` after a change of the web config file, or of a file that it names, that is rejected, or that ends a
 * rejection. Requests apply the other changes by themselves.
 */
export async function watchWebConfig(
  web: WebConfigFile,
  reload: Reload,
  { files, clock }: WatchPorts,
  signal: AbortSignal,
): Promise<void> {
  let known: readonly ConfigProblem[] = [];
  const check = async (): Promise<void> => {
    const problems = await web.problems();
    if (deepEqual(problems, known)) return;
    known = problems;
    await reload();
  };
  const watch: WatchPorts['files'] = { stamp: () => web.stamp(), watch: (...given) => files.watch?.(...given) };
  await watchFile({ path: web.path, stamp: web.firstStamp }, check, { files: watch, clock }, signal);
}
