import type { App } from '../app/app.ts';
import { createApp } from '../app/create-app.ts';
import type { Config } from '../config/config.ts';
import type { AdjustableLog } from '../kernel/logger.ts';
import type { Store } from '../kernel/store.ts';
import { inSeconds, type Millis } from '../kernel/time.ts';
import { type ExitCode, exitCode } from './command.ts';
import { type WatchedFile, watchFile } from './file-watch.ts';
import { frontUrl, openFront } from './front.ts';
import { openTracing, type TracingPorts } from './open-tracing.ts';
import type { CliPorts, FrontOptions, SelfMetrics, World } from './ports.ts';
import { type LoadConfig, type Reload, reloader } from './reloader.ts';
import { type SignalRequest, signalRequest } from './signal-request.ts';
import type { StopRequest } from './stop-request.ts';
import { type UndoList, undoList } from './undo-list.ts';

/** A clean end takes no longer; what is still open then is cut. */
const stopTimeout: Millis = 9_000;
/** How long answers under way may take once polling has stopped. */
const drainTimeout: Millis = 3_000;

/** Where the configuration comes from, and may come from again. */
export interface ConfigFile extends WatchedFile {
  /** How it is asked to be read anew, beside its own changes. */
  readonly reload: SignalRequest;
}

/** What a daemon is started with. */
export interface DaemonOptions {
  readonly config: Config;
  readonly log: AdjustableLog;
  readonly load: LoadConfig;
  /** Absent where the configuration is no file. */
  readonly file?: ConfigFile;
  /** How the guard is asked to pause; absent: by signals from when it serves. */
  readonly pause?: SignalRequest;
  /** Shown below the reason when the address cannot be bound. */
  readonly bindHint?: string;
  /** Shown above all to everybody who opens the page. */
  readonly notice?: string;
  /** Told the address once it is bound and polling has begun. */
  readonly started?: (url: string) => void;
}

/** Serves until it is asked to stop. */
export async function runDaemon(
  options: DaemonOptions,
  ports: CliPorts,
  world: World,
  stop: StopRequest,
): Promise<ExitCode> {
  const undo = undoList();
  const { log } = options.log;
  const surroundings = { ports, world, undo, stop };
  const served = serve(options, surroundings).catch(async (error: unknown) => {
    // What it opened would be in the way of the next start.
    await isUndone(surroundings, log);
    throw error;
  });
  const outcome = await Promise.race([served, stop.insisted]);
  if (outcome === undefined) return exitCode.failed;
  if (outcome === exitCode.ok) log.info('stopping');
  if (!(await isUndone(surroundings, log))) return exitCode.failed;
  if (outcome === exitCode.ok) log.info('stopped');
  return outcome;
}

/** Undoes what was done, and says whether that ended well, and in time. */
async function isUndone({ ports, undo, stop }: Surroundings, log: AdjustableLog['log']): Promise<boolean> {
  const ended = new AbortController();
  const late = ports.clock.sleep(stopTimeout, ended.signal).then(() => false);
  const clean = await Promise.race([undo.run(log), late, stop.insisted]);
  ended.abort();
  if (clean === false) log.error('stopping did not end cleanly', { within_ms: stopTimeout });
  return clean === true;
}

interface Surroundings {
  readonly ports: CliPorts;
  readonly world: World;
  readonly undo: UndoList;
  readonly stop: StopRequest;
}

/** Every step says how it is undone; resolves when it is time to undo them. */
async function serve(options: DaemonOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { undo, stop, ports, world } = surroundings;
  const { log } = options.log;
  const pause = options.pause ?? signalRequest(ports.signals, 'SIGUSR2');
  undo.add('pause signal', () => pause.release());
  undo.add('reload signal', () => options.file?.reload.release());
  const state = await world.openStore(stateOf(options));
  if (!state.ok) {
    ports.stderr.write(`graphwarden: ${state.error.message}\n`);
    return exitCode.failed;
  }
  undo.add('state', () => state.value.close());
  const self = world.selfMetrics(ports.build);
  undo.add('self metrics', () => self.stop());
  const tracing = await openTracing(options, ports, world);
  undo.add('tracing', () => tracing.close());
  const { app, reload } = assemble(options, surroundings, { self, store: state.value, tracing: tracing.ports });
  const front = await openFront(frontOptions(options, app), world);
  if (!front.ok) {
    ports.stderr.write(`graphwarden: ${front.error.message}\n${options.bindHint ?? ''}`);
    return front.error.exit;
  }
  undo.add('listener', () => front.value.close(drainTimeout));
  undo.add('application', () => app.stop());
  pause.react(() => app.pauseGuard());
  await app.start();
  log.info('listening', { url: frontUrl(front.value) });
  options.started?.(frontUrl(front.value));
  if (options.file !== undefined) {
    options.file.reload.react(() => void reload());
    void watchFile(options.file, reload, ports, stop.asked);
  }
  await aborted(stop.asked);
  return exitCode.ok;
}

/** A simulation has nothing to remember, and neither has who looks at one node without a policy, which may enforce later. */
function stateOf({ config, file }: DaemonOptions): Parameters<World['openStore']>[0] {
  const { retention } = config.state;
  const { guard, scope } = config;
  const isForgetful = file === undefined || (scope === 'node' && guard.policies.length === 0);
  return isForgetful ? { retention } : { retention, folder: config.stateDir };
}

function frontOptions({ config, log }: DaemonOptions, app: App): FrontOptions {
  return {
    ...config.listen,
    handler: app.handler,
    log: log.log,
    isPublic: (path) => app.isPublic(path),
    ...(config.webConfigFile === undefined ? {} : { webConfigFile: config.webConfigFile }),
  };
}

/** The application and its reload know each other: the application offers the reload over HTTP. */
function assemble(
  options: DaemonOptions,
  { ports, world }: Surroundings,
  { self, store, tracing }: { readonly self: SelfMetrics; readonly store: Store; readonly tracing: TracingPorts },
): { readonly app: App; readonly reload: Reload } {
  const { config, log, load, notice, file } = options;
  const reloaded = (succeeded: boolean): void => self.reloaded(succeeded, inSeconds(ports.clock.now().wall));
  const apply = async (next: Config): Promise<void> => {
    log.setLevel(next.log.level);
    await app.reconfigure(next);
  };
  const isForgetful = file !== undefined && stateOf(options).folder === undefined;
  const reload = reloader(config, { load, file: file?.path ?? '', apply, reloaded, isForgetful, log: log.log });
  const app = createApp(config, {
    ...world,
    clock: ports.clock,
    files: ports.files,
    build: ports.build,
    log: log.log,
    store,
    tail: (format) => self.tail(format),
    reload,
    ...tracing,
    ...(notice === undefined ? {} : { notice }),
  });
  reloaded(true);
  return { app, reload };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
