import type { ReceiverOptions, SimulatedReceivers } from '../../simulator/receivers/receivers.ts';
import type { Simulator } from '../../simulator/simulator.ts';
import { type ScenarioName, scenarioNames, scenarios } from '../../simulator/world/scenarios.ts';
import { type Command, type CommandInput, type ExitCode, exitCode, UsageError } from '../command.ts';
import { createDemoOperator, type DemoOperator } from '../demo-operator.ts';
import {
  demoAlertsConfig,
  demoReceiversBanner,
  demoReceiversWith,
  faultHelp,
  startDemoReceivers,
} from '../demo-receivers.ts';
import type { CliPorts, RuntimePorts } from '../ports.ts';
import { listenForStop, type StopSignals } from '../signals.ts';

const defaultListen = '127.0.0.1:9916';
const defaultScenario: ScenarioName = 'runaway_queries';
const maxNodes = 100;
const maxPort = 65_535;

/** Runs a simulated cluster and a daemon that monitors it in one process. */
export const demo: Command = {
  flags: [
    {
      name: 'scenario',
      value: 'NAME',
      about: `simulated incident, see below (default: ${defaultScenario})`,
      values: scenarioNames,
    },
    {
      name: 'listen',
      value: 'ADDR',
      about: `loopback address; port 0 selects a free port (default: ${defaultListen})`,
    },
    { name: 'nodes', value: 'N', about: 'number of nodes (default: 3)' },
    { name: 'receivers', about: 'simulate alert receivers and print each notification' },
    { name: 'faults', value: 'LIST', about: 'faults of the receivers, such as oncall=503,chat=hang; see below' },
  ],
  details: [
    'Scenarios:',
    ...scenarioNames.map((name) => `  ${name.padEnd(16)} ${scenarios[name].about}`),
    '',
    faultHelp,
  ].join('\n'),
  examples: ['demo', 'demo --scenario flapping --nodes 5', 'demo --receivers --faults oncall=503,chat=hang'],
  run: async (given, ports) => {
    const stop = listenForStop(ports.signals);
    const exit = await startDemo(parseOptions(given), ports, stop);
    stop.release();
    return exit;
  },
};

interface DemoOptions {
  readonly scenario: ScenarioName;
  readonly listen: string;
  readonly nodes: number;
  /** Simulated receivers; absent without `--receivers`. */
  readonly receivers: readonly ReceiverOptions[] | undefined;
}

function parseOptions({ flags }: CommandInput): DemoOptions {
  const { listen = defaultListen, nodes: count = '3' } = flags;
  const scenario = scenarioNames.find((name) => name === flags.scenario) ?? defaultScenario;
  const nodes = /^\d{1,3}$/.test(count) ? Number(count) : 0;
  if (nodes < 1 || nodes > maxNodes) throw new UsageError(`--nodes must be a number from 1 to ${maxNodes}`);
  const isLoopback = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\]):\d{1,5}$/.test(listen);
  if (!isLoopback || Number(listen.split(':').at(-1)) > maxPort) {
    throw new UsageError(`--listen must be a loopback address with a port, such as ${defaultListen}`);
  }
  return { scenario, listen, nodes, receivers: parseReceivers(flags) };
}

function parseReceivers({ receivers, faults }: CommandInput['flags']): DemoOptions['receivers'] {
  if (receivers === undefined && faults !== undefined) throw new UsageError('--faults requires --receivers');
  return receivers === undefined ? undefined : demoReceiversWith(faults);
}

async function startDemo(options: DemoOptions, ports: CliPorts, stop: StopSignals): Promise<ExitCode> {
  const [runtime, { startSimulator, simulationNotice }] = await Promise.all([
    ports.loadRuntime(),
    import('../../simulator/simulator.ts'),
  ]);
  const { nodes, scenario } = options;
  const outside = { listen: runtime.listen, clock: ports.clock };
  const simulator = await startSimulator({ nodes, scenario }, outside);
  const receivers = options.receivers && (await startDemoReceivers(options.receivers, outside, ports.stdout));
  const notice = simulationNotice(simulator);
  const exit = await runDemoDaemon(options, { simulator, receivers, notice, ports, runtime, stop });
  await Promise.race([Promise.all([simulator.close(), receivers?.close()]), stop.forced]);
  return exit;
}

interface DemoContext {
  readonly simulator: Simulator;
  readonly receivers: SimulatedReceivers | undefined;
  /** Notice that the terminal and the status page show. */
  readonly notice: string;
  readonly ports: CliPorts;
  readonly runtime: RuntimePorts;
  readonly stop: StopSignals;
}

async function runDemoDaemon(demoOptions: DemoOptions, environment: DemoContext): Promise<ExitCode> {
  const [{ loadConfig }, { formatProblems }, { runDaemon }] = await Promise.all([
    import('../../config/load.ts'),
    import('../../config/problems.ts'),
    import('../daemon.ts'),
  ]);
  const { notice, ports, runtime, stop } = environment;
  const text = demoConfig(demoOptions, environment);
  const load = async () => ({ text, loaded: loadConfig(text, 'demo', {}) });
  const { loaded: config } = await load();
  if (!config.ok) {
    ports.stderr.write(`graphwarden: ${formatProblems(config.error)}\n`);
    return exitCode.usage;
  }
  const log = await runtime.openLog(config.value.log, ports.stderr);
  const operator = createDemoOperator(runtime.createToken);
  const { authenticate } = operator;
  const onListening = (url: string): void => ports.stdout.write(banner(url, operator, environment));
  const bindHint = '`graphwarden demo --listen 127.0.0.1:0` selects a free port.\n';
  const options = { config: config.value, log, load, onListening, bindHint, notice, authenticate };
  return runDaemon(options, ports, runtime, stop);
}

/** Policy that aborts the queries of the scenario of the same name after a short time. */
const runawayPolicy = {
  name: 'runaway',
  mode: 'enforce',
  when: { age: '> 20s', granted_timeout: '> 1m' },
  grace: '10s',
  cooldown: '10s',
};

/** The GSQL server of the simulation requires a user, and accepts any. */
const simulatedUser = { basic: { username: 'graphwarden', password: 'simulated' } };

/** Asynchronous statements of the simulation. */
const simulatedStatements = { nightly_export: 'export.1', bulk_load: 'load.2' };

/** Probes of the simulation. */
const simulatedProbes = [
  {
    name: 'one_account',
    graph: 'fraud',
    vertex: { type: 'Account', id: 'a-31337' },
    interval: '10s',
    timeout: '5s',
    assert: { max_latency: '2s', age: { path: '0.attributes.updated_at', max: '1h' } },
  },
  {
    name: 'transfers',
    graph: 'fraud',
    edges: { source_type: 'Account', source_id: 'a-31337', edge_type: 'transfers' },
    interval: '10s',
    timeout: '5s',
    assert: { count: { min: 1 } },
  },
];

/** Configuration as JSON, which is YAML: the demo passes the same validation as any configuration. */
function demoConfig({ listen }: DemoOptions, { simulator, receivers }: DemoContext): string {
  const nodes = simulator.nodes.map(({ name, url, instance }) => ({ name, url, instance }));
  return JSON.stringify({
    listen,
    log: { level: 'warn' },
    clusters: [
      {
        name: 'simulated',
        nodes,
        read_auth: simulatedUser,
        abort_auth: simulatedUser,
        statements: simulatedStatements,
      },
    ],
    collectors: {
      health: { interval: '2s', timeout: '1s' },
      metrics: { interval: '5s', timeout: '3s' },
      categories: { interval: '10s', timeout: '3s' },
      services: { interval: '2s', timeout: '1s' },
      statistics: { interval: '5s', timeout: '3s' },
      queries: { interval: '2s', timeout: '1s' },
      delayed_queries: { interval: '2s', timeout: '1s' },
      workload_queues: { interval: '5s', timeout: '3s' },
      license: { interval: '1m', timeout: '3s' },
      endpoints: { enabled: true, interval: '10s', timeout: '5s' },
      schema: { enabled: true, interval: '10s', timeout: '5s' },
      schema_versions: { enabled: true, interval: '10s', timeout: '5s' },
      graph_sizes: { enabled: true, interval: '10s', timeout: '5s' },
      query_definitions: { enabled: true, interval: '10s', timeout: '5s' },
      loading_jobs: { enabled: true, interval: '10s', timeout: '5s' },
      data_sources: { enabled: true, interval: '10s', timeout: '5s' },
      vector_indexes: { enabled: true, interval: '10s', timeout: '5s' },
      optimizer_statistics: { enabled: true, interval: '10s', timeout: '5s' },
      user_functions: { enabled: true, interval: '10s', timeout: '5s' },
      detached_queries: { enabled: true, interval: '10s', timeout: '5s' },
      statements: { enabled: true, interval: '10s', timeout: '5s' },
      users: { enabled: true, interval: '10s', timeout: '5s' },
      scim: { enabled: true, interval: '10s', timeout: '5s' },
      consistency: { enabled: true, schedule: '* * * * *', timeout: '30s' },
    },
    probes: simulatedProbes,
    guard: { mode: 'enforce', policies: [runawayPolicy] },
    ...(receivers === undefined ? {} : { alerts: demoAlertsConfig(receivers) }),
  });
}

function banner(
  url: string,
  { query, user, password }: DemoOperator,
  { notice, simulator, receivers }: DemoContext,
): string {
  return [
    notice,
    '',
    `  metrics  ${url}/metrics`,
    `  page     ${url}/`,
    `  operator ${url}/${query}`,
    '',
    'The operator link works once, and lets the browser run operator actions. For commands in another terminal:',
    '',
    `  export GRAPHWARDEN_URL=${url} GRAPHWARDEN_USER=${user} GRAPHWARDEN_PASSWORD=${password}`,
    '',
    'Simulated nodes, for curl:',
    '',
    ...simulator.nodes.map(({ name, url: node }) => `  ${name.padEnd(7)}  ${node}/api/ping`),
    '',
    ...(receivers === undefined ? [] : demoReceiversBanner(receivers)),
    'Press Ctrl-C to stop.',
    '',
  ].join('\n');
}
