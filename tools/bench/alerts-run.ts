import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { rules } from '../../src/alert/rules/all.ts';
import { rulesSection } from '../../src/alert/rules-section.ts';
import { AlertEngine } from '../../src/app/incidents/alert-engine.ts';
import type { Store } from '../../src/kernel/store.ts';
import type { SampleFact, Situation } from '../../src/model/situation.ts';
import type { PartitionView, ReplicaView } from '../../src/model/transition.ts';
import { createDeliverer } from '../../src/notify/create-deliverer.ts';
import type { Notifier } from '../../src/notify/notifier.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { openStore } from '../../src/runtime/store/thread-store.ts';
import { digest } from '../../src/runtime/system-ports.ts';
import { workerThread } from '../../src/runtime/worker-thread.ts';
import { recordingLogger } from '../../test/support/logger.ts';

/** What many alerts that start at once cost the event loop. Durations are in ms. */
export interface AlertsResult {
  readonly alerts: number;
  /** `separate`: each is an incident; `one cause`: all are effects of one. */
  readonly kind: 'separate' | 'one cause';
  readonly longestStall: number;
  /** Longest response time of `/-/healthy` in the same process. */
  readonly healthy: number;
  /** Longest evaluation, in which all alerts start, and the median of those after it. */
  readonly firstStep: number;
  readonly laterStep: number;
  /** CPU time of the main thread for the first evaluation: on an idle machine no less than `firstStep`. */
  readonly firstCpu: number;
  readonly notifications: number;
}

/** Starts the thread of the state database. */
const entry = new URL('../../src/main.ts', import.meta.url);

const receivers = ['oncall', 'chat', 'hook'];
const steps = 10;

/** Lets so many alerts start at once, in a process that has been evaluating rules for a while. */
export async function runAlerts(count: number, kind: AlertsResult['kind']): Promise<AlertsResult> {
  const folder = await mkdtemp(join(tmpdir(), 'graphwarden-bench-'));
  const open = openStore(() => workerThread(entry, 'state'));
  const opened = await open({
    folder,
    retention: { transitions: 1e12, audit: 1e12, notifications: 1e12, size: 1e9 },
  });
  if (!opened.ok) throw new Error(opened.error.message);
  const result = await measure(opened.value, count, kind);
  await opened.value.close();
  await rm(folder, { recursive: true });
  return result;
}

async function measure(store: Store, count: number, kind: AlertsResult['kind']): Promise<AlertsResult> {
  let notifications = 0;
  const notifier = (): Notifier => ({
    traits: { maxBatch: 20, minInterval: 100, acceptsDigests: true, isLevelTriggered: false },
    async send(request) {
      notifications += request.kind === 'alerts' ? request.alerts.length : 0;
      await pause(1);
      return { kind: 'accepted' };
    },
    close: () => Promise.resolve(),
  });
  const log = recordingLogger();
  const ports = { clock: systemClock, random: { next: () => Math.random() }, store, log, openNotifier: notifier };
  const configured = receivers.map((name) => ({ name, heartbeat: false, kind: 'webhook', options: {}, secrets: {} }));
  const deliverer = createDeliverer({ receivers: configured }, ports);
  const engine = new AlertEngine({ log, store, digest, rules, deliverer });
  const immediate = Object.fromEntries(rules.map(({ name }) => [name, { for: '0s' }]));
  const route = { matchers: [], receivers, groupBy: ['alertname'], groupWait: 0, repeatInterval: 0, goesOn: false };
  const alerts = {
    receivers: configured,
    routes: [{ ...route, groupInterval: 300_000 }],
    rules: rulesSection(rules).parse(immediate),
    maintenance: [],
    templates: {},
  };
  await engine.configure({ alerts, clusters: ['prod'] }, systemClock.now());
  const situation = kind === 'separate' ? overdueQueries(count) : stoppedInstances(count);
  const calm = kind === 'separate' ? overdueQueries(0) : stoppedInstances(0);
  for (let step = 0; step < 20; step += 1) await evaluate(engine, store, calm);
  const probe = await startProbe();
  const times: number[] = [];
  let firstCpu = 0;
  for (let step = 0; step < steps; step += 1) {
    const before = process.threadCpuUsage();
    times.push(await evaluate(engine, store, situation));
    const { user, system } = process.threadCpuUsage(before);
    if (step === 0) firstCpu = (user + system) / 1000;
    await pause(200);
  }
  const { longestStall, healthy } = await probe.stop();
  await deliverer.stop(AbortSignal.abort());
  const [firstStep = 0, ...later] = times;
  const laterStep = later.toSorted((one, other) => one - other)[Math.floor(later.length / 2)] ?? 0;
  return { alerts: count, kind, longestStall, healthy, firstStep, laterStep, firstCpu, notifications };
}

async function evaluate(engine: AlertEngine, store: Store, situation: Situation): Promise<number> {
  const from = performance.now();
  const step = engine.step({ kind: 'situation', situation }, systemClock.now());
  const took = performance.now() - from;
  await store.commit(step.changes);
  step.release();
  return took;
}

/** Measures the event loop with a timer, and requests to a server in this process from the time at which they were due. */
async function startProbe() {
  const server = createServer((_, response) => response.end('healthy')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  let [longestStall, healthy, last] = [0, 0, performance.now()];
  const timer = setInterval(() => {
    const now = performance.now();
    longestStall = Math.max(longestStall, now - last - 5);
    last = now;
    const due = now;
    get({ port, path: '/-/healthy' }, (response) => {
      response.resume();
      response.on('end', () => (healthy = Math.max(healthy, performance.now() - due)));
    });
  }, 5);
  return {
    async stop() {
      clearInterval(timer);
      await pause(100);
      server.close();
      server.closeAllConnections();
      return { longestStall, healthy };
    },
  };
}

/** Queries that run for too long, each of another name. */
function overdueQueries(count: number): Situation {
  const facts = Array.from({ length: count }, (_, at): SampleFact => {
    return { labels: { node: 'm1', graph: 'fraud', query: `query_${at}` }, value: 100 };
  });
  return situationWith({ samples: (family) => (family === 'graphdb_queries_overdue' ? facts : []) });
}

/** A service of two replicas in each partition, of which so many instances are down. */
function stoppedInstances(down: number): Situation {
  const count = 5000;
  const since = Date.now() - 60_000;
  const replicas = Array.from({ length: count }, (_, at): ReplicaView => {
    const status = at < down ? 'Down' : 'Online';
    const id = {
      cluster: 'prod',
      service: 'GPE',
      partition: String(Math.floor(at / 2) + 1),
      replica: String((at % 2) + 1),
    };
    const times = { observedSince: since, confirmedSince: since };
    return {
      ...id,
      ...times,
      observed: status,
      confirmed: status,
      flapping: false,
      process: 'Running',
      disputed: false,
    };
  });
  const partitions = Array.from({ length: count / 2 }, (_, at): PartitionView => {
    return { cluster: 'prod', service: 'GPE', partition: String(at + 1), replicas: 2, online: at * 2 < down ? 0 : 2 };
  });
  return situationWith({ replicas, partitions });
}

function situationWith(more: Partial<Situation>): Situation {
  const view = { reason: '', message: '', fresh: true, interval: 5000, dueSince: 0, lastSuccess: Date.now() } as const;
  return {
    cluster: 'prod',
    labels: {},
    nodes: ['m1', 'm2'],
    collectors: ['services', 'queries'].map((collector) => ({ ...view, collector, node: '' })),
    replicas: [],
    partitions: [],
    tokens: [],
    guard: undefined,
    slope: () => undefined,
    samples: () => [],
    isFresh: () => true,
    ...more,
  };
}
