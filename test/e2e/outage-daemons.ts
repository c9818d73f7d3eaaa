import { stringify } from 'yaml';
import { collectors } from '../../src/collect/all.ts';
import { loadConfig } from '../../src/config/load.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemPorts } from '../../src/runtime/system-ports.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { type InProcessDaemon, startInProcessDaemon } from '../support/in-process-daemon.ts';
import { memoryNetwork } from '../support/memory-network.ts';
import { nodesByName } from './guard-environment.ts';

type Section = Readonly<Record<string, unknown>>;

/** The clusters `alpha`, with three nodes, and `beta`, with one. */
interface Fleet {
  readonly alpha: Simulator;
  readonly beta: Simulator;
  /** Stops the daemon of `alpha`. */
  readonly stopDaemon: () => Promise<void>;
  /** Adds the cluster `new`, whose node does not answer the first polls for a minute. */
  readonly addCluster: () => Promise<void>;
}

interface Outage {
  readonly begin: (fleet: Fleet) => Promise<unknown>;
  /** Query that has a result for the job of the outage when Prometheus has scraped its effect. */
  readonly isScraped: string;
  /** Set if each cluster has its own daemon. */
  readonly isSplit?: boolean;
}

const withoutStatus = (cluster: string): string =>
  `graphwarden_cluster_nodes{cluster_name="${cluster}"} unless on (job, cluster_name) graphdb_service_status_code`;
const twoLists = 'count by (job) (count by (job, node) (graphdb_queries_running{cluster_name="alpha"})) == 2';

const outages: Readonly<Record<string, Outage>> = {
  'no outage': { begin: async () => undefined, isScraped: 'graphdb_up' },
  'no node of alpha answers': { begin: ({ alpha }) => stopNodes(alpha), isScraped: withoutStatus('alpha') },
  'no node of any cluster answers': {
    begin: ({ alpha, beta }) => Promise.all([stopNodes(alpha), stopNodes(beta)]),
    isScraped: `(${withoutStatus('alpha')}) and on (job) (${withoutStatus('beta')})`,
  },
  'one node of alpha does not answer': {
    begin: ({ alpha }) => alpha.control.stopNode('m3'),
    isScraped: `graphdb_up == 0 and on (job) ${twoLists} and on (job) graphdb_service_status_code == 27`,
  },
  'alpha refuses the credentials': {
    begin: ({ alpha }) => alpha.control.injectFault('status_401'),
    isScraped: `${withoutStatus('alpha')} unless on (job) graphdb_license_expiration_timestamp_seconds{cluster_name="alpha"}`,
  },
  'alpha has no statuses of services': {
    begin: ({ alpha }) => alpha.control.injectFault('status_404', { path: /current-service-status/ }),
    isScraped: withoutStatus('alpha'),
  },
  'a node of alpha has no process list': {
    begin: ({ alpha }) => alpha.control.injectFault('status_404', { node: 'm2', path: /showprocesslist/ }),
    isScraped: twoLists,
  },
  'a cluster was not polled yet': {
    begin: ({ addCluster }) => addCluster(),
    isScraped: 'graphwarden_cluster_nodes{cluster_name="new"}',
  },
  'the daemon of all clusters is down': { begin: ({ stopDaemon }) => stopDaemon(), isScraped: 'up == 0' },
  'the daemon of alpha is down': { isSplit: true, begin: ({ stopDaemon }) => stopDaemon(), isScraped: 'up == 0' },
};

/** The daemons of an outage. Their clusters are healthy until it begins. */
export interface OutageDaemons {
  readonly name: string;
  /** Hosts and ports. */
  readonly addresses: readonly string[];
  /** Query that has a result for the job of the outage when Prometheus has scraped its effect. */
  readonly isScraped: string;
  begin(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the daemons and clusters of all outages. */
export function openOutages(): Promise<readonly OutageDaemons[]> {
  return Promise.all(Object.entries(outages).map(([name, outage]) => openOutage(name, outage)));
}

/** Handler of a node that does not answer. */
const silence = (): Promise<never> => new Promise(() => {});

async function openOutage(name: string, { begin, isScraped, isSplit = false }: Outage): Promise<OutageDaemons> {
  const network = memoryNetwork(systemPorts.openPool);
  const ports = { listen: network.listen, clock: systemClock };
  const alpha = await startSimulator({ nodes: 3 }, ports);
  const beta = await startSimulator({ nodes: 1 }, ports);
  const silent = await startSimulator(
    { nodes: 1 },
    { ...ports, listen: (options) => network.listen({ ...options, handler: silence }) },
  );
  // A query on each list, so that its count of overdue queries is there.
  alpha.control.startQuery({ node: 'm1', graph: 'fraud', query: 'scan', runsFor: 3_600_000, timeout: 3_600_000 });
  const sections = [clusterOf('alpha', alpha), clusterOf('beta', beta)];
  const start = (clusters: readonly Section[]): Promise<InProcessDaemon> =>
    startInProcessDaemon(settingsOf(clusters, quick), { openPool: network.openPool });
  const first = await start(isSplit ? sections.slice(0, 1) : sections);
  const second = isSplit ? [await start(sections.slice(1))] : [];
  const running = new Set([first, ...second]);
  const stop = async (daemon: InProcessDaemon): Promise<void> => {
    if (running.delete(daemon)) await daemon.stop();
  };
  const addCluster = (): Promise<void> =>
    first.app.reconfigure(configOf(settingsOf([...sections, clusterOf('new', silent)], patient)));
  return {
    name,
    addresses: [first, ...second].map(({ host }) => host),
    isScraped,
    begin: async () => void (await begin({ alpha, beta, stopDaemon: () => stop(first), addCluster })),
    stop: async () => {
      await Promise.all([...running].map(stop));
      await Promise.all([alpha, beta, silent].map((simulator) => simulator.close()));
    },
  };
}

function clusterOf(name: string, { nodes }: Simulator): Section {
  // The GSQL server requires a user, and accepts any.
  return { name, nodes: nodesByName(nodes), read_auth: { basic: { username: 'monitor', password: 'simulated' } } };
}

/** Seconds between two polls, long enough for an answer on a busy machine. */
export const pollInterval = 4;

const quick = { interval: `${pollInterval}s`, timeout: `${pollInterval}s` };
/** No poll ends by its timeout during the test. */
const patient = { interval: '1m', timeout: '1m' };

/** Collectors whose data the panels about the present state show. */
const polled = ['health', 'services', 'queries', 'delayed_queries', 'license'];

/** Alerts fire only after the test: until then, the data alone must show the outage. */
function settingsOf(clusters: readonly Section[], timing: typeof quick): Section {
  const settings = collectors
    .filter(({ defaults }) => defaults.enabled)
    .map(({ name }) => [name, polled.includes(name) ? timing : { enabled: false }]);
  const policies = clusters.map(({ name }) => ({
    name: `policy_${String(name)}`,
    clusters: [name],
    when: { age: '> 1h' },
  }));
  return {
    clusters,
    collectors: Object.fromEntries(settings),
    guard: { policies },
  };
}

function configOf(settings: Section): Parameters<InProcessDaemon['app']['reconfigure']>[0] {
  const loaded = loadConfig(stringify({ state_dir: '/nowhere', ...settings }), 'test.yml', {});
  if (!loaded.ok) throw new Error('the configuration is wrong');
  return loaded.value;
}

async function stopNodes({ nodes, control }: Simulator): Promise<void> {
  await Promise.all(nodes.map(({ name }) => control.stopNode(name)));
}
