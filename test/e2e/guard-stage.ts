import { stringify } from 'yaml';
import type { App, AppPorts } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Millis } from '../../src/kernel/time.ts';
import { systemFiles } from '../../src/runtime/files.ts';
import { seededRandom } from '../../src/simulator/chance.ts';
import type { SimulatorOptions } from '../../src/simulator/options.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { listen } from '../support/returning-port.ts';
import { startWarden, type Warden } from '../support/warden.ts';
import { slowWire, type WayOf, WireClock, waysUpTo } from './wire-clock.ts';

type Section = Readonly<Record<string, unknown>>;

/** What is guarded, and how. */
export interface StageSettings {
  readonly guard: Section;
  readonly simulated?: SimulatorOptions;
  /** Credentials and the like of the cluster. */
  readonly cluster?: Section;
  /** Those that are to run beside the lists. */
  readonly collectors?: Section;
  /** Further sections of the configuration. */
  readonly more?: Section;
  /** What the configuration says of the nodes; that is all there is to say, unless told otherwise. */
  readonly place?: (nodes: Simulator['nodes']) => readonly Section[];
  readonly world?: Partial<AppPorts>;
  /** A clock that others go by as well; else one of its own. */
  readonly clock?: WireClock;
  readonly seed?: number;
  /** To and from nodes, by url; a few milliseconds unless told otherwise. */
  readonly wayOf?: WayOf;
}

/** A simulated cluster `prod`, and a whole daemon that guards it over real sockets, on one clock that the test moves. */
export interface Stage {
  readonly clock: WireClock;
  readonly simulator: Simulator;
  /** The latest one: see {@link Stage.restart}. */
  readonly warden: () => Warden;
  run(length: Millis): Promise<void>;
  /** Gives the daemon another `guard` section, as a reload does. */
  reload(guard: Section): Promise<void>;
  /** Ends the daemon, and begins it anew with what it was given. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const off = { enabled: false };
const quiet = Object.fromEntries(
  ['metrics', 'categories', 'statistics', 'workload_queues', 'license', 'delayed_queries'].map((name) => [name, off]),
);

/** Opens a stage; a few nodes and no traffic but what the test starts beside that of a calm day. */
export async function openStage(settings: StageSettings): Promise<Stage> {
  const { clock = new WireClock() } = settings;
  const random = seededRandom(settings.seed ?? 1);
  const simulator = await startSimulator({ nodes: 1, ...settings.simulated }, { listen, clock });
  const words = (guard: Section): Section => ({
    clusters: [clusterOf(simulator, settings)],
    collectors: { ...quiet, queries: { every: '5s', timeout: '5s' }, ...settings.collectors },
    guard,
    ...settings.more,
  });
  const world: Partial<AppPorts> = {
    clock,
    random,
    openPool: slowWire(clock, settings.wayOf ?? waysUpTo(25, random)),
    files: {
      readText: (path) => clock.whileBusy(systemFiles.readText(path)),
      stamp: (path) => clock.whileBusy(systemFiles.stamp(path)),
      presence: (path) => clock.whileBusy(systemFiles.presence(path)),
    },
    cron: () => ({ stop: () => undefined }),
    ...settings.world,
  };
  const start = (): Promise<Warden> => clock.through(startWarden(words(settings.guard), world));
  let warden = await start().catch(async (error: unknown) => {
    await simulator.close();
    throw error;
  });
  return {
    clock,
    simulator,
    warden: () => warden,
    run: (length) => clock.advance(length),
    reload: (guard) => clock.through(warden.app.reconfigure(configOf(words(guard)))),
    async restart() {
      await clock.through(warden.stop());
      warden = await start();
    },
    async stop() {
      await clock.through(warden.stop());
      await clock.through(simulator.close());
    },
  };
}

function clusterOf({ nodes }: Simulator, { cluster, place = placed }: StageSettings): Section {
  return { name: 'prod', nodes: place(nodes), ...cluster };
}

function placed(nodes: Simulator['nodes']): readonly Section[] {
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
