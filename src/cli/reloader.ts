import type { Config } from '../config/config.ts';
import { effectiveMode } from '../guard/mode.ts';
import type { Logger } from '../kernel/logger.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { same } from '../kernel/same.ts';
import type { Problem } from '../model/problem.ts';

/** Reads the configuration from where it is kept, whole and validated. */
export type LoadConfig = () => Promise<Result<Config, readonly Problem[]>>;

/** What a reload acts on. */
export interface Reloadable {
  readonly load: LoadConfig;
  /** Where the configuration is kept, for problems that only a running process has with it. */
  readonly file: string;
  /** Takes a valid configuration into use. */
  readonly apply: (config: Config) => Promise<void>;
  /** Told how each reload ended. */
  readonly reloaded: (ok: boolean) => void;
  /** It began without a folder for its state, so what a guard does would be forgotten with the process. */
  readonly isForgetful: boolean;
  readonly log: Logger;
}

/** Asks for a reload. They run one after the other; all that are asked for while one waits share its outcome. */
export type Reload = () => Promise<Result<void, readonly Problem[]>>;

/** Swaps configurations: validate, then apply, or keep `first` and say why. */
export function reloader(first: Config, reloadable: Reloadable): Reload {
  let running: Promise<unknown> = Promise.resolve();
  let waiting: Promise<Result<void, readonly Problem[]>> | undefined;

  async function swap(): Promise<Result<void, readonly Problem[]>> {
    const { load, file, apply, reloaded, isForgetful, log } = reloadable;
    const loaded = inScope(first, await load(), file);
    if (!loaded.ok) {
      reloaded(false);
      log.error('configuration not reloaded, the former one stays in force', { problems: loaded.error });
      return err(loaded.error);
    }
    const mayEnforce = !isForgetful || !enforces(loaded.value);
    const fixed = [...fixedChanges(first, loaded.value), ...(mayEnforce ? [] : ['guard.mode'])];
    if (fixed.length > 0) log.warn('a changed setting waits for a restart', { settings: fixed });
    if (!mayEnforce) log.warn('the guard only observes until a restart: its state would be in memory alone');
    await apply(mayEnforce ? loaded.value : observing(loaded.value));
    reloaded(true);
    log.info('configuration reloaded');
    return ok(undefined);
  }

  return () => {
    waiting ??= running.then(() => {
      waiting = undefined;
      const result = swap();
      running = result.catch(() => undefined);
      return result;
    });
    return waiting;
  };
}

/**
 * Budgets, gates and receivers are checked against the scope, and the state is opened by it: half of another one would
 * be neither. So it takes a process of its own.
 */
function inScope(
  { scope }: Config,
  loaded: Awaited<ReturnType<LoadConfig>>,
  file: string,
): Awaited<ReturnType<LoadConfig>> {
  if (!loaded.ok || loaded.value.scope === scope) return loaded;
  const message = 'cannot change while the process runs: restart it, or leave it as it was';
  return err([{ file, line: 1, column: 1, path: 'scope', message }]);
}

function enforces({ guard }: Config): boolean {
  return guard.policies.some((policy) => effectiveMode(guard, policy) === 'enforce');
}

function observing(config: Config): Config {
  return { ...config, guard: { ...config.guard, mode: 'observe' } };
}

/** Settings that were bound when the process started. */
function fixedChanges(before: Config, after: Config): readonly string[] {
  return [
    ...(address(before) === address(after) ? [] : ['listen']),
    ...(before.webConfigFile === after.webConfigFile ? [] : ['web_config_file']),
    ...(before.stateDir === after.stateDir ? [] : ['state_dir']),
    ...(same(before.state, after.state) ? [] : ['state']),
    ...(before.log.format === after.log.format ? [] : ['log.format']),
    ...(same(before.tracing, after.tracing) ? [] : ['tracing']),
  ];
}

function address({ listen }: Config): string {
  return `${listen.host}:${listen.port}`;
}
