import { type Command, type ExitCode, exitCode, type Given } from './command.ts';
import { keepTrying } from './keep-trying.ts';
import type { CliPorts } from './ports.ts';
import { lent, type SignalRequest, signalRequest } from './signal-request.ts';
import { type StopRequest, stopRequest } from './stop-request.ts';

const withoutConfig = `graphwarden: there is no configuration: pass --config FILE, or set GRAPHWARDEN_CONFIG.

To look around without a database:     graphwarden demo
To begin a configuration of your own:  graphwarden init graphwarden.yml
`;

/** The daemon. */
export const run: Command = {
  name: 'run',
  about: 'watch the configured clusters and serve what is seen',
  flags: [
    { name: 'config', value: 'FILE', about: 'the configuration; GRAPHWARDEN_CONFIG says the same' },
    { name: 'keep-trying', about: 'for sidecars: where it cannot start, say why and try again, instead of ending' },
  ],
  details: 'SIGHUP, POST /-/reload and a change of the file reload it; SIGUSR2 pauses the guard; SIGTERM ends it.',
  run: async ({ flags }: Given, ports: CliPorts): Promise<ExitCode> => {
    // First of all: a signal that comes while the rest is loading must neither be lost nor kill.
    const stop = stopRequest(ports.signals);
    const file = flags.config ?? ports.environment.GRAPHWARDEN_CONFIG ?? '';
    const reload = signalRequest(ports.signals, 'SIGHUP');
    const pause = signalRequest(ports.signals, 'SIGUSR2');
    const begin = async (): Promise<ExitCode> =>
      file === ''
        ? refuse(withoutConfig, ports)
        : start(file, ports, { stop, reload: lent(reload), pause: lent(pause) });
    const exit = await ('keep-trying' in flags && file !== '' ? keepTrying(begin, ports, stop) : begin());
    for (const request of [stop, reload, pause]) request.release();
    return exit;
  },
};

interface Requests {
  readonly stop: StopRequest;
  readonly reload: SignalRequest;
  readonly pause: SignalRequest;
}

async function start(file: string, ports: CliPorts, { stop, reload, pause }: Requests): Promise<ExitCode> {
  const { readConfig, readConfigOrSay } = await import('./read-config.ts');
  // Before it is read: what changes while the rest is starting is then seen as a change.
  const stamp = await ports.files.stamp(file);
  const config = await readConfigOrSay(file, ports);
  if (!config.ok) return refuse(config.error, ports);
  const [world, { runDaemon }] = await Promise.all([ports.world(), import('./daemon.ts')]);
  const log = await world.openLog(config.value.log, ports.stderr);
  const load = () => readConfig(file, ports);
  const options = { config: config.value, log, load, file: { path: file, stamp, reload }, pause };
  return runDaemon(options, ports, world, stop);
}

function refuse(text: string, { stderr }: CliPorts): ExitCode {
  stderr.write(text);
  return exitCode.usage;
}
