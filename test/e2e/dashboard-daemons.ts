import { randomUUID } from 'node:crypto';
import type { OutgoingReply, RequestHandler } from '../../src/kernel/listener.ts';
import { zeroPeriod } from '../../src/metric/first-use.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemFiles } from '../../src/runtime/files.ts';
import { listen } from '../../src/runtime/listener.ts';
import { systemPorts } from '../../src/runtime/system-ports.ts';
import { openMetricExports } from '../../src/runtime/telemetry/open-metric-exports.ts';
import { openSpanExports } from '../../src/runtime/telemetry/open-span-exports.ts';
import { json } from '../../src/simulator/replies.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import type { ScenarioName } from '../../src/simulator/world/scenarios.ts';
import { startInProcessDaemon } from '../support/in-process-daemon.ts';
import { recordingLogger } from '../support/logger.ts';
import { memoryNetwork } from '../support/memory-network.ts';
import { startDemo } from '../support/program.ts';
import { startSimulatedReceivers } from '../support/simulated-receivers.ts';
import { faultySettings, incidentSettings } from './dashboard-settings.ts';
import { fastClock, laggingClock } from './fast-clock.ts';

/** A daemon that a test's Prometheus scrapes. */
export interface DashboardDaemon {
  /** Host and port. */
  readonly address: string;
  /** The simulated clusters by name; empty if they are in another process. */
  readonly clusters: ReadonlyMap<string, Pick<Simulator, 'truth'>>;
  stop(): Promise<void>;
}

/** A daemon to which things happen. */
export interface FaultyDaemon extends DashboardDaemon {
  /** Lets everything go wrong that can. */
  injectFaults(): Promise<void>;
  /** Lets a minute pass at once: until then, new series of counters are 0. */
  skipZeroPeriod(): void;
}

/** The GSQL server requires a user, and accepts any. */
const anyUser = { basic: { username: 'monitor', password: 'simulated' } };

/** The demo as a stranger starts it, on an ordinary day. */
export async function openHealthyDaemon(): Promise<DashboardDaemon> {
  const { url, child } = await startDemo('--scenario', 'calm', '--receivers');
  return { address: new URL(url).host, clusters: new Map(), stop: async () => void (await child.stop()) };
}

/**
 * A daemon over two clusters. One suffers from whatever {@link FaultyDaemon.injectFaults} brings; in the other time flies, so
 * that a disk fills within seconds, and with the faults it lists a query that its server does not end.
 */
export async function openFaultyDaemon(): Promise<FaultyDaemon> {
  const network = memoryNetwork(systemPorts.openPool);
  const clock = laggingClock(zeroPeriod);
  const auth = { kind: 'secret', secret } as const;
  const broken = await startSimulator({ nodes: 3, version: '4.3.0', auth }, { listen: network.listen, clock });
  // Prometheus sees the increase of a counter only if it has seen the value before.
  let isSpoilt = false;
  const spoilable = (handler: RequestHandler): RequestHandler => {
    return async (request) => (isSpoilt && request.path.includes('showprocesslist') ? endlessList() : handler(request));
  };
  const filling = await startSimulator(
    { nodes: 1, scenario: 'disk_full' },
    { listen: (options) => network.listen({ ...options, handler: spoilable(options.handler) }), clock: fastClock(30) },
  );
  const receivers = await startSimulatedReceivers(receiverOptions, { listen, clock: systemClock });
  const settings = faultySettings({
    broken: { name: 'broken', nodes: placesOf(broken), read_auth: { secret }, abort_auth: { secret } },
    filling: { name: 'filling', nodes: placesOf(filling), read_auth: anyUser, abort_auth: anyUser },
    receivers: receivers.all,
  });
  const exportPorts = { clock: systemClock, files: systemFiles, ...logAndBuild };
  const spans = await openSpanExports({ url: nowhere }, exportPorts);
  const metrics = await openMetricExports({ url: nowhere, interval: 1000 }, exportPorts);
  const running = await startInProcessDaemon(settings, {
    clock,
    openPool: network.openPool,
    spanExports: spans,
    metricExports: metrics,
    cron: (_expression, run) => {
      const timer = setInterval(run, 2000);
      return { stop: () => clearInterval(timer), next: () => undefined };
    },
  });
  return {
    address: running.host,
    clusters: new Map([
      ['broken', broken],
      ['filling', filling],
    ]),
    injectFaults: () => {
      isSpoilt = true;
      return spoil(broken);
    },
    skipZeroPeriod: () => clock.catchUp(),
    stop: async () => {
      await running.stop();
      await Promise.all([spans.close(0), metrics.close(0)]);
      await Promise.all([broken.close(), filling.close(), receivers.close()]);
    },
  };
}

/** A cluster with incidents that begin and end by themselves, and how many times as fast as in a demo. */
interface Incidents {
  readonly scenario: ScenarioName;
  readonly nodes: number;
  readonly speed: number;
}

const incidents: Readonly<Record<string, Incidents>> = {
  runaways: { scenario: 'runaway_queries', nodes: 2, speed: 4 },
  storm: { scenario: 'queue_storm', nodes: 2, speed: 4 },
  rejected: { scenario: 'rejected_storm', nodes: 2, speed: 4 },
  flapping: { scenario: 'flapping', nodes: 2, speed: 4 },
  outage: { scenario: 'node_outage', nodes: 3, speed: 4 },
  // The informant measures disks every five minutes.
  full: { scenario: 'disk_full', nodes: 2, speed: 20 },
  cleared: { scenario: 'cleared_store', nodes: 1, speed: 4 },
  schema: { scenario: 'schema_change', nodes: 2, speed: 4 },
  loading: { scenario: 'bad_load', nodes: 1, speed: 4 },
  intruder: { scenario: 'new_superuser', nodes: 1, speed: 4 },
  bad: { scenario: 'bad_server', nodes: 1, speed: 6 },
};

/** Scenarios of the simulator that the daemons show. */
export const shownScenarios: readonly ScenarioName[] = [
  'calm',
  ...Object.values(incidents).map(({ scenario }) => scenario),
];

/** A daemon over one cluster for each of {@link incidents}. */
export async function openIncidentsDaemon(): Promise<DashboardDaemon> {
  const network = memoryNetwork(systemPorts.openPool);
  const started = Object.entries(incidents).map(async ([name, { scenario, nodes, speed }]) => {
    // Sockets are needed for wrong answers only.
    const ports = { listen: scenario === 'bad_server' ? listen : network.listen, clock: fastClock(speed) };
    return [name, await startSimulator({ nodes, scenario }, ports)] as const;
  });
  const clusters = new Map(await Promise.all(started));
  const common = { read_auth: anyUser, statements: { bulk_load: 'load.2' } };
  const named = [...clusters].map(([name, simulator]) => ({ name, nodes: placesOf(simulator), ...common }));
  const running = await startInProcessDaemon(incidentSettings(named), { openPool: network.openPool });
  return {
    address: running.host,
    clusters,
    stop: async () => {
      await running.stop();
      await Promise.all([...clusters.values()].map((simulator) => simulator.close()));
    },
  };
}

/** Address without a listener. */
const nowhere = 'http://127.0.0.1:9/v1/traces';
const logAndBuild = { log: recordingLogger(), build: { version: '0.0.0' } };
const secret = 'a-secret-of-the-scene';

const receiverOptions: Parameters<typeof startSimulatedReceivers>[0] = [
  { name: 'hook', kind: 'webhook' },
  { name: 'away', kind: 'webhook', behavior: { kind: 'refuse', status: 503 } },
  { name: 'strict', kind: 'webhook', behavior: { kind: 'refuse', status: 400 } },
];

function placesOf({ nodes }: Simulator): readonly { readonly [key: string]: string | undefined }[] {
  return nodes.map(({ name, url, instance }) => ({ name, url, instance }));
}

/** A process list with one query that was granted 16 s and runs for minutes, and one that no other list has. */
function endlessList(): OutgoingReply {
  const began = Date.now() - 300_000;
  const results = ['endless_scan', `passing_${randomUUID().slice(0, 8)}`].map((query, at) => ({
    requestid: `${65_536 + at}.RESTPP_1_1.${began}.N`,
    startTime: serverLocalTime(began),
    expirationTime: serverLocalTime(began + 16_000),
    url: `/query/fraud/${query}?depth=3`,
    elapsedTime: 300_000,
  }));
  return json({ error: false, message: '', results });
}

/** As the server writes moments, without a zone. */
function serverLocalTime(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

async function spoil({ control }: Simulator): Promise<void> {
  const order = { node: 'm1', graph: 'fraud', query: 'endless_scan', runsFor: 3_600_000, timeout: 3_600_000 };
  for (const outlivesAborts of [true, false, false, false]) control.startQuery({ ...order, outlivesAborts });
  for (const replica of ['1', '2', '3']) control.setService('GPE', '1', replica, 'Down');
  control.setUnsynced('data_consistency', 'GPE_1_1', 3);
  await control.injectFault('truncated_json', { node: 'm2', path: /showprocesslist/ });
  await control.injectFault('status_429', { node: 'm2', path: /statistics/ });
  await control.injectFault('conflicting_families', { path: /informant\/metrics/ });
  // Whichever of the two is the source at that moment, it fails to be one.
  const refusals = await Promise.all(
    ['m1', 'm2'].map((node) => control.injectFault('status_500', { node, path: /current-service-status/ })),
  );
  // A poll that times out ends after the next one was due.
  const hanging = await control.injectFault('hang_before_headers', { path: /scim/ });
  await toggleService(control, 6);
  await Promise.all([...refusals, hanging].map((end) => end()));
  await control.stopNode('m3');
}

/** Service that changes its status every second. */
async function toggleService(control: Simulator['control'], times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    control.setService('GSE', '1', '1', time % 2 === 0 ? 'Down' : 'Online');
    await systemClock.sleep(1000);
  }
}
