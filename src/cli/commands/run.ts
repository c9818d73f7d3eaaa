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
    {
      name: 'require-config',
      about: 'fail if the configuration file is rejected, instead of starting with the last accepted configuration',
    },
    { name: 'keep-trying', about: 'for sidecars: if the start fails, print the reason and retry instead of exiting' },
  ],
  details:
    'SIGHUP, POST /-/reload and a change of the file reload the configuration, SIGUSR2 pauses the guard, SIGTERM and ' +
    'SIGINT stop the daemon.',
  examples: ['run --config graphwarden.yml'],
  run: async (given: CommandInput, ports: CliPorts): Promise<ExitCode> => {
    // Installed first: a signal that arrives while the rest is loading must neither be lost nor end the process.
    const stop = listenForStop(ports.signals);
    const file = configPath(given, ports);
    const reload = listenForSignal(ports.signals, 'SIGHUP');
    const pause = listenForSignal(ports.signals, 'SIGUSR2');
    const signals = { stop, reload: sharedSignal(reload), pause: sharedSignal(pause) };
    const start = async (): Promise<ExitCode> =>
      file === ''
        ? printFailure(missingConfigMessage, ports)
        : startDaemon({ file, requireConfig: 'require-config' in given.flags }, ports, signals);
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

interface DaemonStart {
  readonly file: string;
  /** Whether the start fails if the file is rejected. */
  readonly requireConfig: boolean;
}

async function startDaemon(
  { file, requireConfig }: DaemonStart,
  ports: CliPorts,
  { stop, reload, pause }: DaemonSignals,
): Promise<ExitCode> {
  const [{ readConfigFile }, { readStartConfig }] = await Promise.all([
    import('../read-config.ts'),
    import('../kept-config-file.ts'),
  ]);
  // Taken before the file is read, so that a change during the start triggers a reload.
  const stamp = await ports.files.stamp(file);
  const load = () => readConfigFile(file, ports);
  const start = await readStartConfig(file, await load(), requireConfig ? undefined : ports);
  if (!start.ok) return printFailure(start.error, ports);
  const { config, text, problems, omitted } = start.value;
  const [runtime, { runDaemon }, { problemFields }] = await Promise.all([
    ports.loadRuntime(),
    import('../daemon.ts'),
    import('../config-reload.ts'),
  ]);
  const log = await runtime.openLog(config.log, ports.stderr);
  if (problems !== undefined) {
    log.log.error('config rejected, starting with the last accepted config', problemFields(problems));
  }
  if (omitted.length > 0) log.log.warn('inline secrets not stored, functions that need them fail', { keys: omitted });
  const found = { path: file, stamp, reload, text, ...(problems && { problems }) };
  const options = { config, log, load, file: found, pause };
  return runDaemon(options, ports, runtime, stop);
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
