import type { Millis } from '../../kernel/time.ts';
import { type Command, type CommandInput, type ExitCode, exitCode } from '../command.ts';
import { configFlag, configPath } from '../config-option.ts';
import type { CliPorts } from '../ports.ts';
import { listenForSignal, listenForStop, type SignalListener, type StopSignals, sharedSignal } from '../signals.ts';

const missingConfigMessage = `graphwarden: no configuration file; use --config FILE or set GRAPHWARDEN_CONFIG

To try graphwarden without a database:  graphwarden demo
To create a configuration file:         graphwarden init graphwarden.yml
`;

/** Runs the daemon. */
export const run: Command = {
  flags: [
    configFlag,
    { name: 'keep-trying', about: 'for sidecars: if the start fails, print the reason and retry instead of exiting' },
  ],
  details:
    'SIGHUP, POST /-/reload and a change of the file reload the configuration, SIGUSR2 pauses the guard, SIGTERM and\n' +
    'SIGINT stop the daemon.',
  examples: ['run --config graphwarden.yml'],
  run: async (given: CommandInput, ports: CliPorts): Promise<ExitCode> => {
    // First: a signal that arrives while the rest is loading must neither be lost nor end the process.
    const stop = listenForStop(ports.signals);
    const file = configPath(given, ports);
    const reload = listenForSignal(ports.signals, 'SIGHUP');
    const pause = listenForSignal(ports.signals, 'SIGUSR2');
    const start = async (): Promise<ExitCode> =>
      file === ''
        ? printFailure(missingConfigMessage, ports)
        : startDaemon(file, ports, { stop, reload: sharedSignal(reload), pause: sharedSignal(pause) });
    const exit = await ('keep-trying' in given.flags && file !== '' ? retryStart(start, ports, stop) : start());
    for (const request of [stop, reload, pause]) request.release();
    return exit;
  },
};

interface DaemonSignals {
  readonly stop: StopSignals;
  readonly reload: SignalListener;
  readonly pause: SignalListener;
}

async function startDaemon(file: string, ports: CliPorts, { stop, reload, pause }: DaemonSignals): Promise<ExitCode> {
  const { readConfig, readConfigOrMessage } = await import('../read-config.ts');
  // Before the file is read: a change during the start then triggers a reload.
  const stamp = await ports.files.stamp(file);
  const config = await readConfigOrMessage(file, ports);
  if (!config.ok) return printFailure(config.error, ports);
  const [world, { runDaemon }] = await Promise.all([ports.loadRuntime(), import('../daemon.ts')]);
  const log = await world.openLog(config.value.log, ports.stderr);
  const load = () => readConfig(file, ports);
  const options = { config: config.value, log, load, file: { path: file, stamp, reload }, pause };
  return runDaemon(options, ports, world, stop);
}

function printFailure(text: string, { stderr }: CliPorts): ExitCode {
  stderr.write(text);
  return exitCode.usage;
}

/** Time between two attempts. */
const retryDelay: Millis = 10_000;

/**
 * Retries a failed start until a stop signal. A container that exits makes its whole pod unready, and next to a database
 * that is worse than a missing monitor.
 */
export async function retryStart(
  start: () => Promise<ExitCode>,
  { clock, stderr }: Pick<CliPorts, 'clock' | 'stderr'>,
  { requested }: StopSignals,
): Promise<ExitCode> {
  for (;;) {
    const exit = await start().catch((error: unknown) => {
      stderr.write(`graphwarden: unexpected error: ${error instanceof Error ? error.stack : String(error)}\n`);
      return exitCode.failed;
    });
    if (requested.aborted) return exit;
    stderr.write(`graphwarden: retrying in ${retryDelay / 1000} s\n`);
    await clock.sleep(retryDelay, requested);
    if (requested.aborted) return exitCode.ok;
  }
}
