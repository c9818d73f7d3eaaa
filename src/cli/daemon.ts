import { createApp } from '../app/create-app.ts';
import type { App } from '../app/ports/app-ports.ts';
import type { Config, LoadedConfig } from '../config/config.ts';
import { restrictConfig } from '../config/rejected-config.ts';
import { waitAtMost } from '../kernel/deadline.ts';
import type { RequestHandler } from '../kernel/listener.ts';
import type { AdjustableLog } from '../kernel/logger.ts';
import { type Millis, toSeconds } from '../kernel/time.ts';
import type { ConfigProblem } from '../model/config-problem.ts';
import type { WebConfigFile } from '../model/web-settings.ts';
import { type CleanupStack, createCleanupStack } from './cleanup-stack.ts';
import { type ExitCode, exitCode } from './command.ts';
import {
  createReload,
  type LoadConfig,
  logConfigWarnings,
  type Reload,
  type ReloadOptions,
  type WatchedFile,
  watchFile,
  watchWebConfig,
} from './config-reload.ts';
import { keepSocketOpen } from './control-socket.ts';
import { listenerAddress, listenerUrl, openDaemonListener, replicaAddress } from './daemon-listener.ts';
import { socketPath } from './daemon-socket.ts';
import { type DaemonState, openState, storeOptions } from './daemon-state.ts';
import { openTelemetry, type TelemetryPorts } from './daemon-telemetry.ts';
import { logExposedFiles } from './exposed-files.ts';
import { createKeepConfig, type KeepConfig } from './kept-config-file.ts';
import type { CliPorts, DaemonListenerOptions, RuntimePorts, SelfMetrics } from './ports.ts';
import { printError } from './print.ts';
import { ServiceStateReporter } from './service-state.ts';
import { listenForSignal, type SignalListener, type StopSignals } from './signals.ts';

/** Maximum time of a clean shutdown; then open connections are closed. */
const stopTimeout: Millis = 9_000;
/** Maximum time for responses in progress after polling has stopped. */
const drainTimeout: Millis = 3_000;

/** Configuration file of a daemon. */
export interface ConfigFile extends WatchedFile {
  /** Signal that reloads the file. */
  readonly reload: SignalListener;
  /** Text at the start; undefined if the file cannot be read. */
  readonly text: string | undefined;
  /** Why the file is rejected at the start; then the configuration of the daemon is the last accepted one. */
  readonly problems?: readonly ConfigProblem[];
}

/** Options of a daemon. */
export interface DaemonOptions {
  readonly config: LoadedConfig;
  readonly log: AdjustableLog;
  readonly load: LoadConfig;
  /** Absent if the configuration is not a file. */
  readonly file?: ConfigFile;
  /** Signal that pauses the guard; absent to listen for it from the start of the listener. */
  readonly pause?: SignalListener;
  /** Printed after the reason if the address cannot be bound. */
  readonly bindHint?: string;
  /** Notice at the top of the status page. */
  readonly notice?: string;
  /** Authenticates the operator of a daemon without a configuration file. */
  readonly authenticate?: (handler: RequestHandler) => RequestHandler;
  /** Called with the address once it is bound and polling has started. */
  readonly onListening?: (url: string) => void;
}

/** Runs the daemon until a stop signal. */
export async function runDaemon(
  options: DaemonOptions,
  ports: CliPorts,
  runtime: RuntimePorts,
  stop: StopSignals,
): Promise<ExitCode> {
  const undo = createCleanupStack();
  const { log } = options.log;
  const service = new ServiceStateReporter({ ...ports, log });
  const surroundings = { ports, runtime, undo, stop, service };
  const served = serve(options, surroundings).catch(async (error: unknown) => {
    // Otherwise open resources would block the next start.
    await shutDown(surroundings, log);
    throw error;
  });
  const outcome = await Promise.race([served, stop.forced]);
  if (outcome === undefined) return exitCode.failed;
  if (outcome === exitCode.ok) log.info('stopping');
  void service.stopping();
  if (!(await shutDown(surroundings, log))) return exitCode.failed;
  if (outcome === exitCode.ok) log.info('stopped');
  return outcome;
}

/** Undoes the start steps; returns whether all succeeded in time. */
async function shutDown({ ports, undo, stop }: DaemonContext, log: AdjustableLog['log']): Promise<boolean> {
  const undone = Promise.race([undo.run(log), stop.forced.then(() => 'forced' as const)]);
  const clean = await waitAtMost(ports.clock, stopTimeout, undone);
  if (clean === false || clean === undefined) log.error('shutdown timed out', { within_ms: stopTimeout });
  return clean === true;
}

interface DaemonContext {
  readonly ports: CliPorts;
  readonly runtime: RuntimePorts;
  readonly undo: CleanupStack;
  readonly stop: StopSignals;
  readonly service: ServiceStateReporter;
}

function logStart({ config, file, log }: DaemonOptions, { build }: Pick<CliPorts, 'build'>): void {
  const { scope, guard } = config;
  const clusters = config.clusters.map(({ name }) => name);
  log.log.info('starting', { ...build, config: file?.path, clusters, scope, guard: guard.mode });
}

function tuneEngine({ scope, guard, clusters }: Config, runtime: RuntimePorts, stopped: AbortSignal): void {
  runtime.enableOptimizer(scope === 'node' && guard.policies.length === 0, stopped);
  const nodes = clusters.reduce((sum, cluster) => sum + cluster.nodes.length, 0);
  runtime.tuneForFleet(nodes, stopped);
}

/** Starts the daemon, registering how to undo each step; resolves at a stop signal. */
async function serve(options: DaemonOptions, surroundings: DaemonContext): Promise<ExitCode> {
  const { undo, stop, ports, runtime } = surroundings;
  const { log } = options.log;
  const pause = options.pause ?? listenForSignal(ports.signals, 'SIGUSR2');
  undo.add('pause signal', () => pause.release());
  undo.add('reload signal', () => options.file?.reload.release());
  logStart(options, ports);
  tuneEngine(options.config, runtime, stop.requested);
  const state = await openState(options, surroundings);
  if (!state.ok) {
    return printError(state.error.message, ports);
  }
  const self = runtime.createSelfMetrics(ports.build);
  undo.add('self metrics', () => self.stop());
  const telemetry = await openTelemetry(options, ports, runtime);
  undo.add('telemetry', () => telemetry.close());
  const keep = keepConfigOf(options, surroundings);
  let webConfig: WebConfigFile | undefined;
  const { app, reload } = createReloadableApp(options, surroundings, {
    self,
    keep,
    state: state.value,
    telemetry: telemetry.ports,
    webProblems: async () => (await webConfig?.problems()) ?? [],
  });
  const { peerGate: gate } = state.value;
  const peers = gate && { gate, handler: app.peerHandler };
  const front = await openDaemonListener({ ...listenerOptions(options, app, self), peers }, runtime);
  if (!front.ok) {
    ports.stderr.write(`graphwarden: ${front.error.message}\n${options.bindHint ?? ''}`);
    return front.error.exit;
  }
  webConfig = front.value.webConfig;
  undo.add('listener', () => front.value.close(drainTimeout));
  await openSocket(options, app, surroundings);
  undo.add('application', () => app.stop());
  pause.handle(() => app.pauseGuard());
  logConfigWarnings(options.config, log);
  await logExposedFiles(options.config, { ...ports, ...runtime, file: options.file?.path }, log);
  await app.start(replicaAddress(front.value, runtime));
  log.info('listening', { address: listenerAddress(front.value), url: listenerUrl(front.value) });
  options.onListening?.(listenerUrl(front.value));
  void surroundings.service.ready(listenerUrl(front.value), () => !app.isStalled(), stop.requested);
  const { text, problems } = options.file ?? {};
  if (text !== undefined && problems === undefined) await keep(text, options.config);
  if (options.file !== undefined) reloadOnChange(options.file, { webConfig, reload }, ports, stop.requested);
  await whenAborted(stop.requested);
  return exitCode.ok;
}

/** Reloads at the signal, and after a change of the configuration file or of the web config file. */
function reloadOnChange(
  file: ConfigFile,
  { webConfig, reload }: { readonly webConfig: WebConfigFile | undefined; readonly reload: Reload },
  ports: CliPorts,
  signal: AbortSignal,
): void {
  file.reload.handle(() => void reload());
  void watchFile(file, reload, ports, signal);
  if (webConfig !== undefined) void watchWebConfig(webConfig, reload, ports, signal);
}

/** Opens the socket for the commands, if the process has a state directory. */
async function openSocket(options: DaemonOptions, app: App, { ports, runtime, undo }: DaemonContext): Promise<void> {
  const { folder } = storeOptions(options);
  if (folder === undefined) return;
  const socket = await keepSocketOpen({
    path: socketPath(folder),
    handler: app.localHandler,
    listenOnSocket: runtime.listenOnSocket,
    clock: ports.clock,
    log: options.log.log,
  });
  undo.add('socket', () => socket.close(drainTimeout));
}

function listenerOptions(
  { config, log, authenticate }: DaemonOptions,
  app: App,
  self: SelfMetrics,
): DaemonListenerOptions {
  return {
    ...config.listen,
    handler: authenticate?.(app.handler) ?? app.handler,
    trustedProxies: () => app.trustedProxies(),
    maxConnections: () => app.maxConnections(),
    counters: self.listener,
    onAuthenticationFailed: (failure) => app.authenticationFailed(failure),
    log: log.log,
    isPublic: (path) => app.isPublic(path),
    ...(config.webConfigFile === undefined ? {} : { webConfigFile: config.webConfigFile }),
  };
}

/** Returns the function that stores copies of the configuration; it has no effect without a state directory. */
function keepConfigOf(options: DaemonOptions, { ports, runtime }: DaemonContext): KeepConfig {
  const { folder } = storeOptions(options);
  const { file, log } = options;
  if (folder === undefined || file === undefined) return async () => undefined;
  const { replaceFile } = runtime;
  return createKeepConfig({ folder, file: file.path, environment: ports.environment, replaceFile, log: log.log });
}

interface AppResources {
  readonly self: SelfMetrics;
  readonly keep: KeepConfig;
  readonly state: DaemonState;
  readonly telemetry: TelemetryPorts;
  readonly webProblems: ReloadOptions['webProblems'];
}

/** Creates the application and its reload, which the application offers over HTTP. */
function createReloadableApp(
  options: DaemonOptions,
  { ports, runtime }: DaemonContext,
  { self, keep, state, telemetry, webProblems }: AppResources,
): { readonly app: App; readonly reload: Reload } {
  const { config, log, load, notice, file } = options;
  const onReload = (succeeded: boolean): void => self.reloaded(succeeded, toSeconds(ports.clock.now().wall));
  const apply = async (next: Config): Promise<void> => {
    log.setLevel(next.log.level);
    await app.reconfigure(next);
    await logExposedFiles(next, { ...ports, ...runtime, file: file?.path }, log.log);
  };
  const isOnDisk = storeOptions(options).folder !== undefined;
  const { environment, clock } = ports;
  const { text, problems } = file ?? {};
  const since = clock.now().wall;
  const reload = createReload(config, {
    load,
    webProblems,
    keep,
    ...(problems && { rejectedSince: since }),
    file: file?.path ?? '',
    environment,
    clock,
    apply,
    onReload,
    isStateVolatile: file !== undefined && !isOnDisk,
    log: log.log,
  });
  const initial = problems === undefined ? config : restrictConfig(config, { text, problems, since }, environment);
  const app = createApp(initial, {
    ...runtime,
    clock,
    ...state,
    files: ports.files,
    build: ports.build,
    log: log.log,
    ...(isOnDisk ? { recordingFiles: runtime.lineFiles } : {}),
    tail: (format) => self.tail(format),
    reload,
    ...telemetry,
    ...(notice === undefined ? {} : { notice }),
  });
  onReload(true);
  if (problems !== undefined) onReload(false);
  return { app, reload };
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
