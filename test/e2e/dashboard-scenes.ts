import { systemClock } from '../../src/runtime/clock.ts';
import { systemFiles } from '../../src/runtime/files.ts';
import { listen } from '../../src/runtime/listener.ts';
import { memoryStore } from '../../src/runtime/store/memory-store.ts';
import { openSpanExports } from '../../src/runtime/tracing/open-span-exports.ts';
import { startReceivers } from '../../src/simulator/receivers/receivers.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { recordingLogger } from '../support/logger.ts';
import { startDemo } from '../support/program.ts';
import { startWarden } from '../support/warden.ts';
import { faultySettings } from './dashboard-settings.ts';
import { fastClock } from './fast-clock.ts';
import { openProxy } from './node-proxy.ts';

/** A daemon that a test's Prometheus scrapes. */
export interface Scene {
  /** Host and port. */
  readonly address: string;
  stop(): Promise<void>;
}

/** A daemon to which things happen. */
export interface FaultyScene extends Scene {
  /** Lets everything go wrong that can. */
  spoil(): Promise<void>;
}

/** The demo as a stranger starts it, on an ordinary day. */
export async function openCalm(): Promise<Scene> {
  const { url, child } = await startDemo('--scenario', 'calm', '--receivers');
  return { address: new URL(url).host, stop: async () => void (await child.stop()) };
}

/**
 * A daemon over two clusters. One suffers from whatever {@link FaultyScene.spoil} brings; in the other time flies, so
 * that a disk fills within seconds, and it lists a query that its server does not end.
 */
export async function openFaulty(): Promise<FaultyScene> {
  const ports = { listen, clock: systemClock };
  const broken = await startSimulator({ nodes: 3, version: '4.3.0', auth: { kind: 'secret', secret } }, ports);
  const filling = await startSimulator({ nodes: 1, scenario: 'disk_full' }, { listen, clock: fastClock(30) });
  const receivers = await startReceivers(cast, ports);
  const proxy = await openProxy((path) =>
    path.includes('showprocesslist') ? { says: endless() } : { to: filling.nodes[0]?.url ?? '' },
  );
  const settings = faultySettings({
    broken: { name: 'broken', nodes: placesOf(broken), read_auth: { secret }, abort_auth: { secret } },
    filling: { name: 'filling', nodes: placesOf(filling).map((place) => ({ ...place, url: proxy.url })) },
    receivers: receivers.all,
  });
  const spans = await openSpanExports({ url: nowhere }, { clock: systemClock, files: systemFiles, ...told });
  const warden = await startWarden(settings, {
    store: memoryStore(),
    spanExports: spans,
    cron: (_expression, run) => {
      const timer = setInterval(run, 2000);
      return { stop: () => clearInterval(timer) };
    },
  });
  return {
    address: warden.host,
    spoil: () => spoil(broken),
    stop: async () => {
      await warden.stop();
      await spans.close(0);
      await Promise.all([broken.close(), filling.close(), receivers.close(), proxy.close()]);
    },
  };
}

/** Nobody listens there. */
const nowhere = 'http://127.0.0.1:9/v1/traces';
const told = { log: recordingLogger(), build: { version: '0.0.0' } };
const secret = 'a-secret-of-the-scene';

const cast: Parameters<typeof startReceivers>[0] = [
  { name: 'hook', kind: 'webhook' },
  { name: 'away', kind: 'webhook', manner: { kind: 'refuse', status: 503 } },
  { name: 'strict', kind: 'webhook', manner: { kind: 'refuse', status: 400 } },
];

function placesOf({ nodes }: Simulator): readonly { readonly [key: string]: string | undefined }[] {
  return nodes.map(({ name, url, instance }) => ({ name, url, instance }));
}

/** A process list with one query that was granted 16 s and runs for minutes. */
function endless(): unknown {
  const began = Date.now() - 300_000;
  const results = [
    {
      requestid: `65536.RESTPP_1_1.${began}.N`,
      startTime: local(began),
      expirationTime: local(began + 16_000),
      url: '/query/fraud/ring_scan?depth=3',
      elapsedTime: 300_000,
    },
  ];
  return { error: false, message: '', results };
}

/** As the server writes moments, without a zone. */
function local(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

async function spoil({ control }: Simulator): Promise<void> {
  const order = { node: 'm1', graph: 'fraud', query: 'ring_scan', runsFor: 3_600_000, timeout: 3_600_000 };
  for (const outlivesAborts of [true, false, false, false]) control.startQuery({ ...order, outlivesAborts });
  for (const replica of ['1', '2', '3']) control.setService('GPE', '1', replica, 'Down');
  control.setUnsynced('data_consistency', 'GPE_1_1', 3);
  await control.inject('truncated_json', { node: 'm2', path: /showprocesslist/ });
  await control.inject('status_429', { node: 'm2', path: /statistics/ });
  await control.inject('conflicting_families', { path: /informant\/metrics/ });
  // Whichever of the two is the source at that moment, it fails to be one.
  const refusals = await Promise.all(
    ['m1', 'm2'].map((node) => control.inject('status_500', { node, path: /current-service-status/ })),
  );
  await toggle(control, 8);
  await Promise.all(refusals.map((end) => end()));
  await control.stopNode('m3');
}

/** A service that comes and goes, once a second. */
async function toggle(control: Simulator['control'], times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    control.setService('GSE', '1', '1', time % 2 === 0 ? 'Down' : 'Online');
    await systemClock.sleep(1000);
  }
}
