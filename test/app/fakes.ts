import type { AppDependencies, ClusterClient, NodeClient } from '../../src/app/ports/app-dependencies.ts';
import type { AppPorts } from '../../src/app/ports/app-ports.ts';
import { type Collector, collector, type PollOutcome } from '../../src/collect/collector.ts';
import type { Config } from '../../src/config/config.ts';
import { createMetricsPage } from '../../src/expose/create-metrics-page.ts';
import type { GraphDb } from '../../src/graphdb/graph-db.ts';
import { guardSection } from '../../src/guard/guard-section.ts';
import { failure } from '../../src/kernel/failure.ts';
import type { IncomingRequest, OutgoingReply, RequestHandler } from '../../src/kernel/listener.ts';
import { err, ok } from '../../src/kernel/result.ts';
import type { Random } from '../../src/kernel/system.ts';
import { counter, gauge, sample } from '../../src/metric/metric.ts';
import type { ClusterSettings, CollectorSettings, NodeSettings } from '../../src/model/settings.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { digest } from '../../src/runtime/system-ports.ts';
import { trackerSection } from '../../src/track/settings.ts';
import { FakeClock } from '../support/clock.ts';
import { recordingLogger } from '../support/logger.ts';
import { openAccess } from '../support/open-access.ts';
import { FakeCron } from './fake-cron.ts';
import { FakeDeliverer } from './fake-deliverer.ts';

/** What a fake node does when a collector asks: answer, at once or late, hang until aborted, or for ever. */
export type FakeBehavior = PollOutcome<number> | 'hangs' | 'ignores its abort' | 'throws' | 'takes 2 s';

const up = gauge({ name: 'graphdb_up', help: 'Up.', source: 'test' });
const load = gauge({ name: 'graphdb_load', help: 'Load.', source: 'test' });
const bytes = counter({ name: 'graphdb_bytes_total', help: 'Bytes.', source: 'test' });
const listed = gauge({ name: 'graphdb_listed', help: 'Listed.', source: 'test' });
const collected = gauge({ name: 'graphdb_collected', help: 'Collected.', source: 'test' });
const verdictLabels = ['check', 'graph', 'partition', 'engine'] as const;
const passed = gauge({
  name: 'graphdb_check_passed',
  help: 'Passed.',
  labels: verdictLabels,
  source: 'test',
  keep: true,
});
const lastRun = gauge({
  name: 'graphdb_check_last_run_timestamp_seconds',
  help: 'Last run.',
  labels: verdictLabels,
  source: 'test',
  keep: true,
});
const verdict = { check: 'data_consistency', graph: '', partition: '', engine: '' };

/** A cluster whose nodes do what a test says. */
export class FakeClusters {
  /** `health@m1`, in the order of the asking. */
  readonly polled: string[] = [];
  /** `open prod`, `open prod/m1`, `close prod/m1`, in order. */
  readonly connections: string[] = [];
  /** `m1` and the trace in which it is asked, in the order of the asking. */
  readonly traced: string[] = [];
  readonly #behaviours = new Map<string, FakeBehavior>();
  tokenExpiresAt: number | undefined;
  readonly #clock: FakeClock;

  constructor(clock = new FakeClock()) {
    this.#clock = clock;
  }

  /** From now on `collector` gets this from `node`. */
  set(collectorName: string, node: string, behaviour: FakeBehavior): void {
    this.#behaviours.set(`${collectorName}@${node}`, behaviour);
  }

  /** How often `collector` has asked `node`. */
  count(question: string): number {
    return this.polled.filter((one) => one === question).length;
  }

  readonly openCluster: AppDependencies['openCluster'] = (settings): ClusterClient => {
    this.connections.push(`open ${settings.name}`);
    return {
      node: (node) => this.#openNode(settings.name, node),
      close: async () => void this.connections.push(`close ${settings.name}`),
    };
  };

  async read(name: string, { node }: GraphDb, signal: AbortSignal): Promise<PollOutcome<number>> {
    this.polled.push(`${name}@${node}`);
    const behaviour = this.#behaviours.get(`${name}@${node}`) ?? ok(1);
    if (behaviour === 'throws') throw new Error('a bug in the collector');
    if (behaviour === 'ignores its abort') return new Promise(() => undefined);
    if (behaviour === 'takes 2 s') {
      await this.#clock.sleep(2000);
      return ok(1);
    }
    if (behaviour !== 'hangs') return behaviour;
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    return err(failure('timeout', 'the node hung'));
  }

  #openNode(cluster: string, { name }: NodeSettings): NodeClient {
    this.connections.push(`open ${cluster}/${name}`);
    return {
      db: fakeDatabase(cluster, name),
      observedBy: ({ cycle }) => {
        this.traced.push(`${name} ${cycle.traceId}`);
        return fakeDatabase(cluster, name);
      },
      abort: () => Promise.reject(new Error('nothing here is aborted')),
      sockets: () => 1,
      tokenExpiresAt: () => this.tokenExpiresAt,
      close: async () => void this.connections.push(`close ${cluster}/${name}`),
    };
  }
}

/** A database of which only the names are used: the fake collectors ask the {@link FakeClusters} instead. */
function fakeDatabase(cluster: string, node: string): GraphDb {
  return { cluster, node, graphs: async () => ok<readonly string[]>([]) } as Partial<GraphDb> as GraphDb;
}

/** Five collectors, one of each kind: liveness, cluster-wide, yielding, dear, and by calendar. */
export function fakeCollectors(world: FakeClusters): readonly Collector[] {
  const common = { about: 'A test.', privilege: '', calls: [] };
  const reader = (name: string) => ({ name, poll: world.read.bind(world, name) });
  return [
    collector<number>({
      ...common,
      ...reader('health'),
      scope: 'node',
      metrics: [up],
      defaults: { enabled: true, interval: 5000, timeout: 3000 },
      samples: () => [sample(up, {}, 1)],
      failureSamples: () => [sample(up, {}, 0)],
    }),
    collector<number>({
      ...common,
      ...reader('load'),
      scope: 'cluster',
      metrics: [load, bytes],
      defaults: { enabled: true, interval: 10_000, timeout: 2000 },
      samples: (facts) => [sample(load, {}, facts), sample(bytes, {}, facts)],
    }),
    collector<number>({
      ...common,
      ...reader('backup'),
      scope: 'cluster',
      metrics: [load, bytes, collected],
      fallbackFor: 'load',
      defaults: { enabled: true, interval: 20_000, timeout: 2000 },
      samples: (facts) => [sample(load, {}, facts + 100), sample(collected, {}, facts)],
    }),
    collector<number>({
      ...common,
      ...reader('lists'),
      calls: ['processListAll'],
      scope: 'node',
      metrics: [listed],
      defaults: { enabled: true, interval: 5000, timeout: 3000 },
      samples: (facts) => [sample(listed, {}, facts)],
    }),
    collector<number>({
      ...common,
      ...reader('check'),
      scope: 'cluster',
      metrics: [passed, lastRun],
      defaults: { enabled: false, interval: 604_800_000, timeout: 1_800_000, schedule: '0 3 * * SUN' },
      samples: (facts, at) => [sample(passed, verdict, facts), sample(lastRun, verdict, at.wall / 1000)],
    }),
  ];
}

/** The settings of a cluster of nodes m1, m2 …, or of the named ones. */
export function clusterOf(
  name: string,
  nodes: readonly string[],
  more: Partial<ClusterSettings> = {},
): ClusterSettings {
  return {
    name,
    labels: {},
    nodes: nodes.map((node) => ({ name: node, url: `http://${node}.test:14240` })),
    readAuth: { kind: 'none' },
    abortAuth: { kind: 'none' },
    informantAuth: { kind: 'none' },
    graphs: 'auto',
    serverVersion: 'auto',
    metricPrefix: 'auto',
    ...more,
  };
}

/** The settings that a collector declares for itself. */
export function settingsOf({ defaults }: Collector, more: Partial<CollectorSettings> = {}): CollectorSettings {
  return { ...defaults, staleAfter: 3 * defaults.interval, passthrough: true, ...more };
}

/** A whole configuration over the fake collectors. */
export function configOf(clusters: readonly ClusterSettings[], more: Partial<Config> = {}): Config {
  const collectors = Object.fromEntries(fakeCollectors(new FakeClusters()).map((one) => [one.name, settingsOf(one)]));
  return {
    listen: { host: '127.0.0.1', port: 0 },
    ...openAccess,
    stateDir: 'state',
    unreadyOnRejectedConfig: false,
    scope: 'all',
    log: { level: 'info', format: 'json' },
    clusters,
    limits: {
      seriesPerFamily: 1000,
      seriesPerCollector: 1000,
      seriesPerPage: 10_000,
      labelValueBytes: 256,
      instanceNumber: 1000,
      body: 1_000_000,
    },
    state: { retention: { transitions: 1e10, audit: 1e10, notifications: 1e10, size: 1e9 } },
    alerts: { receivers: [], routes: [], rules: {}, maintenance: [], templates: {} },
    guard: guardSection.parse({}),
    telemetry: { traces: { queries: true, incidents: true, cycles: true }, metrics: {} },
    tracker: trackerSection.parse({}),
    ...more,
    collectors: { ...collectors, ...more.collectors },
  };
}

/** A chance that gives the same every time. */
export function fixedRandom(value: number): Random {
  return { next: () => value };
}

/** Everything that an application under test is made of. */
export function testbed(more: Partial<AppPorts> = {}) {
  const clock = new FakeClock();
  const log = recordingLogger();
  const world = new FakeClusters(clock);
  const cron = new FakeCron();
  const ports: AppPorts = {
    clock,
    log,
    random: fixedRandom(0.5),
    cron: cron.schedule,
    openPool: () => unexpected('a pool'),
    sendMail: () => unexpected('a mail'),
    digest,
    files: {
      readText: () => unexpected('a file'),
      stamp: () => unexpected('a file'),
      presence: async () => 'absent',
    },
    dns: { srv: () => unexpected('a look-up'), addresses: () => unexpected('a look-up') },
    tail: async () => 'process_test 1\n',
    reload: () => unexpected('a reload'),
    build: { version: '1.2.3', commit: 'abcdef0' },
    hostname: 'host',
    readStatusPage: async () => undefined,
    store: memoryStore(),
    ...more,
  };
  const deliverer = new FakeDeliverer();
  const parts: AppDependencies = {
    collectors: fakeCollectors(world),
    openCluster: world.openCluster,
    createPage: (limits) => createMetricsPage(limits, clock),
    rules: [],
    createDeliverer: () => deliverer,
  };
  return { clock, log, world, cron, ports, parts, deliverer };
}

/** Sends a request as the local operator; with a user or an address, it arrives over TCP. */
export function sendRequest(handler: RequestHandler, target: string, more: Partial<IncomingRequest> = {}) {
  const { pathname, searchParams } = new URL(target, 'http://localhost');
  const request: IncomingRequest = {
    method: 'GET',
    path: decodeURIComponent(pathname),
    query: searchParams,
    headers: {},
    remoteAddress: '127.0.0.1',
    disconnected: new AbortController().signal,
    text: async () => '',
    ...(more.remoteAddress !== undefined || more.user !== undefined ? {} : { operator: 'local' }),
    ...more,
  };
  return handler(request).then(readReply);
}

/** A reply with its body read. */
export interface TestReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Reads a reply as a client would, to its end. */
export function readReply({ status, headers = {}, body = '', onSent }: OutgoingReply): TestReply {
  onSent?.();
  const pieces = typeof body === 'string' || body instanceof Uint8Array ? [Buffer.from(body)] : body;
  if (!Array.isArray(pieces)) throw new Error('a stream was not expected');
  return { status, headers, body: Buffer.concat(pieces).toString() };
}

function unexpected(what: string): never {
  throw new Error(`${what} was not expected`);
}
