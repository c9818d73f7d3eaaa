import type { AppDependencies, ClusterClient, NodeClient } from '../../src/app/ports/app-dependencies.ts';
import type { AppPorts } from '../../src/app/ports/app-ports.ts';
import type { Collector, PollOutcome } from '../../src/collect/collector.ts';
import type { Config } from '../../src/config/config.ts';
import { createMetricsPage } from '../../src/expose/create-metrics-page.ts';
import type { CallListener } from '../../src/graphdb/completed-call.ts';
import type { GraphDb } from '../../src/graphdb/graph-db.ts';
import { guardSection } from '../../src/guard/guard-section.ts';
import { failure } from '../../src/kernel/failure.ts';
import type { IncomingRequest, OutgoingReply, RequestHandler } from '../../src/kernel/listener.ts';
import { err, ok } from '../../src/kernel/result.ts';
import type { Random } from '../../src/kernel/system.ts';
import type { ClusterSettings, CollectorSettings, NodeSettings } from '../../src/model/settings.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { digest } from '../../src/runtime/system-ports.ts';
import { trackerSection } from '../../src/track/settings.ts';
import { FakeClock } from '../support/clock.ts';
import { completedCall } from '../support/completed-call.ts';
import { recordingLogger } from '../support/logger.ts';
import { openAccess } from '../support/open-access.ts';
import { fakeCollectors } from './fake-collectors.ts';
import { FakeCron } from './fake-cron.ts';
import { FakeDeliverer } from './fake-deliverer.ts';

/** Behavior of a fake node on a request: reply immediately or late, hang until an abort, or hang forever. */
export type FakeBehavior = PollOutcome<number> | 'hangs' | 'ignores its abort' | 'throws' | 'takes 2 s';

/** A cluster whose nodes do what a test says. */
export class FakeClusters {
  /** `health@m1`, in the order of the polls. */
  readonly polled: string[] = [];
  /** `open prod`, `open prod/m1`, `close prod/m1`, in order. */
  readonly connections: string[] = [];
  /** `m1` and the trace of its poll, in the order of the polls. */
  readonly traced: string[] = [];
  readonly #behaviours = new Map<string, FakeBehavior>();
  readonly #observers = new WeakMap<GraphDb, CallListener>();
  tokenExpiresAt: number | undefined;
  tokenRequests: ReturnType<NodeClient['tokenRequests']>;
  readonly #clock: FakeClock;

  constructor(clock = new FakeClock()) {
    this.#clock = clock;
  }

  /** From now on `collector` gets this from `node`. */
  set(collectorName: string, node: string, behaviour: FakeBehavior): void {
    this.#behaviours.set(`${collectorName}@${node}`, behaviour);
  }

  /** Number of polls of `node` by `collector`. */
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

  /** Answers a collector, with a request that its observer sees. */
  async read(name: string, db: GraphDb, signal: AbortSignal): Promise<PollOutcome<number>> {
    const started = this.#clock.now();
    const outcome = await this.#answer(name, db, signal);
    const call = { ...completedCall, node: db.node, started, ended: this.#clock.now() };
    if (name === 'lists') this.#observers.get(db)?.({ ...call, name: 'processListAll' });
    return outcome;
  }

  async #answer(name: string, { node }: GraphDb, signal: AbortSignal): Promise<PollOutcome<number>> {
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
      observedBy: ({ cycle, onCall }) => {
        if (cycle !== undefined) this.traced.push(`${name} ${cycle.traceId}`);
        const db = fakeDatabase(cluster, name);
        this.#observers.set(db, onCall);
        return db;
      },
      abort: () => Promise.reject(new Error('nothing here is aborted')),
      sockets: () => 1,
      tokenExpiresAt: () => this.tokenExpiresAt,
      tokenRequests: () => this.tokenRequests,
      lacksAbortCredentials: () => false,
      close: async () => void this.connections.push(`close ${cluster}/${name}`),
    };
  }
}

/** A database of which only the names are used: the fake collectors poll the {@link FakeClusters} instead. */
function fakeDatabase(cluster: string, node: string): GraphDb {
  return { cluster, node, graphs: async () => ok<readonly string[]>([]) } as Partial<GraphDb> as GraphDb;
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
    custom: [],
    probes: [],
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

/** Random source with a fixed value. */
export function fixedRandom(value: number): Random {
  return { next: () => value };
}

/** Everything that an application under test is made of. */
export function testbed(more: Partial<AppPorts> = {}) {
  const clock = new FakeClock();
  const log = recordingLogger();
  const fakeClusters = new FakeClusters(clock);
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
    collectors: fakeCollectors(fakeClusters),
    openCluster: fakeClusters.openCluster,
    createPage: (limits) => createMetricsPage(limits, clock),
    rules: [],
    createDeliverer: () => deliverer,
  };
  return { clock, log, fakeClusters, cron, ports, parts, deliverer };
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
