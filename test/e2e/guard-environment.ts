import { stringify } from 'yaml';
import type { App, AppPorts } from '../../src/app/ports/app-ports.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Millis } from '../../src/kernel/time.ts';
import { systemPorts } from '../../src/runtime/system-ports.ts';
import type { SimulatorOptions } from '../../src/simulator/options.ts';
import { seededRandom } from '../../src/simulator/seeded-random.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { type InProcessDaemon, startInProcessDaemon } from '../support/in-process-daemon.ts';
import { memoryNetwork } from '../support/memory-network.ts';
import {
  delayedNetwork,
  type LatencyOf,
  listenOn,
  NetworkClock,
  partsOn,
  portsOn,
  randomLatency,
} from './network-clock.ts';

type Section = Readonly<Record<string, unknown>>;

/** Options of the guarded cluster. */
export interface EnvironmentSettings {
  readonly guard: Section;
  readonly simulated?: SimulatorOptions;
  /** Credentials and the like of the cluster. */
  readonly cluster?: Section;
  /** Clusters that the daemon guards as well. */
  readonly otherClusters?: readonly Section[];
  /** Those that are to run beside the lists. */
  readonly collectors?: Section;
  /** Further sections of the configuration. */
  readonly more?: Section;
  /** Node sections of the configuration; all that is known of the nodes unless a test changes it. */
  readonly nodesOf?: (nodes: Simulator['nodes']) => readonly Section[];
  readonly world?: Partial<AppPorts>;
  /** A clock that others go by as well; else one of its own. */
  readonly clock?: NetworkClock;
  readonly seed?: number;
  /** Latency to and from nodes, by URL; a few milliseconds unless a test changes it. */
  readonly wayOf?: LatencyOf;
  /** Whether the nodes are reached without sockets, which costs a fraction. Faults of the transport need sockets. */
  readonly isInMemory?: boolean;
  /** Whether a request hangs for ever, by URL, so that the clock does not wait for its reply. */
  readonly hangs?: (url: string) => boolean;
}

/** A simulated cluster `prod`, and a whole daemon that guards it, usually over real sockets, on one clock that the test moves. */
export interface GuardEnvironment {
  readonly clock: NetworkClock;
  readonly simulator: Simulator;
  /** The latest one: see {@link GuardEnvironment.restart}. */
  readonly daemon: () => InProcessDaemon;
  run(length: Millis): Promise<void>;
  /** Gives the daemon another `guard` section, as a reload does. */
  reload(guard: Section): Promise<void>;
  /** Stops the daemon, and starts it again with the same settings. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const off = { enabled: false };
const quiet = Object.fromEntries(
  ['metrics', 'categories', 'statistics', 'workload_queues', 'license', 'delayed_queries'].map((name) => [name, off]),
);

/** Collectors that the guard does not use, polled seldom: a poll costs as much as a second of all the rest. */
export const polledSeldom: Section = Object.fromEntries(
  ['health', 'services'].map((name) => [name, { interval: '1m', timeout: '10s' }]),
);

/** Opens a stage for the guard alone, see {@link startEnvironment}. */
export function startGuardEnvironment(settings: EnvironmentSettings): Promise<GuardEnvironment> {
  return startEnvironment({ ...settings, collectors: { ...polledSeldom, ...settings.collectors } });
}

/** Opens a stage; a few nodes and no traffic but what the test starts beside that of a calm day. */
export async function startEnvironment(settings: EnvironmentSettings): Promise<GuardEnvironment> {
  const { clock = new NetworkClock() } = settings;
  const random = seededRandom(settings.seed ?? 1);
  const { listen, openPool } =
    settings.isInMemory === true
      ? memoryNetwork(systemPorts.openPool)
      : { listen: listenOn(clock), openPool: systemPorts.openPool };
  const simulator = await startSimulator({ nodes: 1, ...settings.simulated }, { listen, clock });
  const words = (guard: Section): Section => ({
    clusters: [clusterOf(simulator, settings), ...(settings.otherClusters ?? [])],
    collectors: { ...quiet, queries: { interval: '5s', timeout: '5s' }, ...settings.collectors },
    guard,
    ...settings.more,
  });
  const world: Partial<AppPorts> = {
    ...portsOn(clock, delayedNetwork(clock, settings.wayOf ?? randomLatency(25, random), settings.hangs, openPool)),
    random,
    ...settings.world,
  };
  const start = (): Promise<InProcessDaemon> =>
    clock.through(startInProcessDaemon(words(settings.guard), world, partsOn(clock)));
  let daemon = await start().catch(async (error: unknown) => {
    await simulator.close();
    throw error;
  });
  return {
    clock,
    simulator,
    daemon: () => daemon,
    run: (length) => clock.advance(length),
    reload: (guard) => clock.through(daemon.app.reconfigure(configOf(words(guard)))),
    async restart() {
      await clock.through(daemon.stop());
      daemon = await start();
    },
    async stop() {
      await clock.through(daemon.stop());
      await clock.through(simulator.close());
    },
  };
}

function clusterOf({ nodes }: Simulator, { cluster, nodesOf = nodesByName }: EnvironmentSettings): Section {
  return { name: 'prod', nodes: nodesOf(nodes), ...cluster };
}

/** The nodes with all that is known of them. */
export function nodesByName(nodes: Simulator['nodes']): readonly Section[] {
  return nodes.map(({ name, url, instance }) => ({ name, url, instance }));
}

/** The nodes without their instances, which are to be learnt then. */
export function unnamed(nodes: Simulator['nodes']): readonly Section[] {
  return nodes.map(({ name, url }) => ({ name, url }));
}

function configOf(words: Section): Parameters<App['reconfigure']>[0] {
  const loaded = loadConfig(stringify({ state_dir: '/nowhere', ...words }), 'test.yml', {});
  if (!loaded.ok) throw new Error('the configuration is wrong');
  return loaded.value;
}

/** The requests to abort something, as the servers got them. */
export function abortCalls(simulator: Simulator) {
  return simulator.calls().filter(({ path }) => path.includes('abort'));
}
