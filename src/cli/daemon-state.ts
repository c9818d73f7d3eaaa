import type { Config } from '../config/config.ts';
import type { AdjustableLog } from '../kernel/logger.ts';
import { ok, type Result } from '../kernel/result.ts';
import type { StoreOpenError } from '../kernel/store.ts';
import type { SharedState } from '../model/replica-database.ts';
import type { CliPorts, RuntimePorts } from './ports.ts';

/** Settings of a daemon that determine its state. `file` is absent if its configuration is not a file. */
interface StateOptions {
  readonly config: Config;
  readonly file?: object;
  readonly log: AdjustableLog;
}

/** Registers how to undo a step of the start. */
interface UndoSteps {
  add(step: string, undo: () => Promise<void> | void): void;
}

/** State of a daemon. All properties except `store` are absent if the state is not shared with other replicas. */
export type DaemonState = Pick<SharedState, 'store'> &
  Partial<Pick<SharedState, 'ownership' | 'clock' | 'peers' | 'peerGate'>>;

/** Opens the state directory or the shared database, and registers how to close it. */
export async function openState(
  options: StateOptions,
  { ports, runtime, undo }: { readonly ports: CliPorts; readonly runtime: RuntimePorts; readonly undo: UndoSteps },
): Promise<Result<DaemonState, StoreOpenError>> {
  const { sharedState: settings } = options.config;
  const { folder, retention } = storeOptions(options);
  if (settings === undefined || folder === undefined) {
    const opened = await runtime.openStore(storeOptions(options));
    if (!opened.ok) return opened;
    undo.add('state', () => opened.value.close());
    return ok({ store: opened.value });
  }
  const { clock, files, build } = ports;
  const { log } = options.log;
  const shared = await runtime.openSharedState({
    settings,
    folder,
    retention,
    clock,
    log,
    files,
    program: build.version,
  });
  if (!shared.ok) return shared;
  undo.add('state directory', shared.value.unlock);
  undo.add('state', () => shared.value.store.close());
  return shared;
}

/** Options of the store: in memory for a demo, and for a sidecar without policies. */
export function storeOptions({
  config,
  file,
}: Pick<StateOptions, 'config' | 'file'>): Parameters<RuntimePorts['openStore']>[0] {
  const { retention } = config.state;
  const { guard, scope } = config;
  const isInMemory = file === undefined || (scope === 'node' && guard.policies.length === 0);
  return isInMemory ? { retention } : { retention, folder: config.stateDir };
}
