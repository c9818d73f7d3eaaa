import type { ReceiverOptions, Receivers } from '../simulator/receivers/receivers.ts';
import type { Simulator } from '../simulator/simulator.ts';
import { type ScenarioName, scenarioNames, scenarios } from '../simulator/world/scenarios.ts';
import { type Command, type ExitCode, exitCode, type Given, WrongUse } from './command.ts';
import { alertsOf, castBanner, castWith, openCast, troubleDetails } from './demo-receivers.ts';
import type { CliPorts, World } from './ports.ts';
import { type StopRequest, stopRequest } from './stop-request.ts';

const defaultListen = '127.0.0.1:9916';
const defaultScenario: ScenarioName = 'runaway_queries';
const mostNodes = 100;

/** A simulated cluster and the daemon that watches it, in one process. */
export const demo: Command = {
  name: 'demo',
  about: 'simulate a cluster on loopback and watch it',
  flags: [
    { name: 'scenario', value: 'NAME', about: `what happens to it (${defaultScenario}); see below` },
    { name: 'listen', value: 'ADDR', about: `a loopback address (${defaultListen}); port 0 takes a free one` },
    { name: 'nodes', value: 'N', about: 'how many nodes it has (3)' },
    { name: 'receivers', about: 'simulate receivers of alerts too, and print what they get' },
    { name: 'trouble', value: 'LIST', about: 'what goes wrong with them, such as oncall=503,chat=hang; see below' },
  ],
  details: [
    'Scenarios:',
    ...scenarioNames.map((name) => `  ${name.padEnd(16)} ${scenarios[name].about}`),
    '',
    troubleDetails,
  ].join('\n'),
  run: async (given, ports) => {
    const stop = stopRequest(ports.signals);
    const exit = await start(wishes(given), ports, stop);
    stop.release();
    return exit;
  },
};

interface Wishes {
  readonly scenario: ScenarioName;
  readonly listen: string;
  readonly nodes: number;
  /** Undefined where none are asked for. */
  readonly receivers: readonly ReceiverOptions[] | undefined;
}

function wishes({ flags }: Given): Wishes {
  const { scenario: wanted = defaultScenario, listen = defaultListen, nodes: count = '3' } = flags;
  const scenario = scenarioNames.find((name) => name === wanted);
  if (scenario === undefined)
    throw new WrongUse(`there is no scenario '${wanted}': one of ${scenarioNames.join(', ')}`);
  const nodes = /^\d{1,3}$/.test(count) ? Number(count) : 0;
  if (nodes < 1 || nodes > mostNodes) throw new WrongUse(`--nodes wants a number from 1 to ${mostNodes}`);
  if (!/^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\]):\d{1,5}$/.test(listen)) {
    throw new WrongUse(`--listen wants a loopback address with a port, such as ${defaultListen}`);
  }
  return { scenario, listen, nodes, receivers: receiversOf(flags) };
}

function receiversOf({ receivers, trouble }: Given['flags']): Wishes['receivers'] {
  if (receivers === undefined && trouble !== undefined) throw new WrongUse('--trouble wants --receivers');
  return receivers === undefined ? undefined : castWith(trouble);
}

async function start(wanted: Wishes, ports: CliPorts, stop: StopRequest): Promise<ExitCode> {
  const [world, { startSimulator, simulationNotice }] = await Promise.all([
    ports.world(),
    import('../simulator/simulator.ts'),
  ]);
  const { nodes, scenario } = wanted;
  const outside = { listen: world.listen, clock: ports.clock };
  const simulator = await startSimulator({ nodes, scenario }, outside);
  const receivers = wanted.receivers && (await openCast(wanted.receivers, outside, ports.stdout));
  const notice = simulationNotice(simulator);
  const exit = await watch(wanted, { simulator, receivers, notice, ports, world, stop });
  await Promise.race([Promise.all([simulator.close(), receivers?.close()]), stop.insisted]);
  return exit;
}

interface Scene {
  readonly simulator: Simulator;
  readonly receivers: Receivers | undefined;
  /** On the terminal and on the page alike. */
  readonly notice: string;
  readonly ports: CliPorts;
  readonly world: World;
  readonly stop: StopRequest;
}

async function watch(wanted: Wishes, scene: Scene): Promise<ExitCode> {
  const [{ loadConfig }, { formatProblems }, { runDaemon }] = await Promise.all([
    import('../config/load.ts'),
    import('../config/problems.ts'),
    import('./daemon.ts'),
  ]);
  const { notice, ports, world, stop } = scene;
  const load = async () => loadConfig(demoConfig(wanted, scene), 'demo', {});
  const config = await load();
  if (!config.ok) {
    ports.stderr.write(`graphwarden: ${formatProblems(config.error)}\n`);
    return exitCode.usage;
  }
  const log = await world.openLog(config.value.log, ports.stderr);
  const started = (url: string): void => ports.stdout.write(banner(url, scene));
  const bindHint = '`graphwarden demo --listen 127.0.0.1:0` takes a free port.\n';
  return runDaemon({ config: config.value, log, load, started, bindHint, notice }, ports, world, stop);
}

/** Aborts what the scenario of the same name lets run, soon enough for somebody who waits for it. */
const runaway = {
  name: 'runaway',
  mode: 'enforce',
  when: { age: '> 20s', granted_timeout: '> 1m' },
  grace: '10s',
  cooldown: '10s',
};

/** JSON is YAML: the demo goes through the same gate as every configuration. */
function demoConfig({ listen }: Wishes, { simulator, receivers }: Scene): string {
  const nodes = simulator.nodes.map(({ name, url, instance }) => ({ name, url, instance }));
  return JSON.stringify({
    listen,
    log: { level: 'warn' },
    clusters: [{ name: 'simulated', nodes }],
    collectors: {
      health: { every: '2s', timeout: '1s' },
      metrics: { every: '5s', timeout: '3s' },
      categories: { every: '10s', timeout: '3s' },
      services: { every: '2s', timeout: '1s' },
      statistics: { every: '5s', timeout: '3s' },
      queries: { every: '2s', timeout: '1s' },
      delayed_queries: { every: '2s', timeout: '1s' },
      workload_queues: { every: '5s', timeout: '3s' },
      license: { every: '1m', timeout: '3s' },
      consistency: { enabled: true, cron: '* * * * *', timeout: '30s' },
    },
    guard: { mode: 'enforce', policies: [runaway] },
    ...(receivers === undefined ? {} : { alerts: alertsOf(receivers) }),
  });
}

function banner(url: string, { notice, simulator, receivers }: Scene): string {
  return [
    notice,
    '',
    `  metrics  ${url}/metrics`,
    `  page     ${url}/`,
    '',
    'The simulated nodes, for curl:',
    '',
    ...simulator.nodes.map(({ name, url: node }) => `  ${name.padEnd(7)}  ${node}/api/ping`),
    '',
    ...(receivers === undefined ? [] : castBanner(receivers)),
    'Ctrl-C ends it.',
    '',
  ].join('\n');
}
