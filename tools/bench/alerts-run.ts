import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { rules } from '../../src/alert/rules/all.ts';
import { rulesSection } from '../../src/alert/rules-section.ts';
import { createApp } from '../../src/app/create-app.ts';
import { AlertEngine } from '../../src/app/incidents/alert-engine.ts';
import { IncidentProcessor } from '../../src/app/incidents/incident-processor.ts';
import { loadConfig } from '../../src/config/load.ts';
import { formatProblems } from '../../src/config/problems.ts';
import { ok } from '../../src/kernel/result.ts';
import type { Store } from '../../src/kernel/store.ts';
import type { SampleFact, Situation } from '../../src/model/situation.ts';
import type { PartitionView, ReplicaView } from '../../src/model/transition.ts';
import { createDeliverer } from '../../src/notify/create-deliverer.ts';
import type { Notifier } from '../../src/notify/notifier.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemFiles } from '../../src/runtime/files.ts';
import { listen } from '../../src/runtime/listener.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { openStore } from '../../src/runtime/store/thread-store.ts';
import { digest, systemPorts } from '../../src/runtime/system-ports.ts';
import { workerThread } from '../../src/runtime/worker-thread.ts';
import { trackerSection } from '../../src/track/settings.ts';
import { recordingLogger } from '../../test/support/logger.ts';

/** Cost for the event loop of many alerts that start at the same time. Durations are in ms. */
export interface AlertsResult {
  readonly alerts: number;
  /** `separate`: each is an incident; `one cause`: all are effects of one. */
  readonly kind: 'separate' | 'one cause';
  readonly longestStall: number;
  /** Longest CPU time of the main thread between two turns of a timer: the longest stall on an idle machine. */
  readonly stallCpu: number;
  /** Longest response time of `/-/healthy` of the daemon, which runs in the same process. */
  readonly healthy: number;
  /** Longest evaluation while the alerts start, and the highest CPU time of one: on an idle machine these are equal. */
  readonly longestStep: number;
  readonly longestCpu: number;
  /** Time from the first evaluation until all alerts fire. */
  readonly begunAfter: number;
  /** Median duration of the evaluations after that. */
  readonly laterStep: number;
  readonly notifications: number;
}

/** Script of the thread of the state database. */
const entry = new URL('../../src/main.ts', import.meta.url);

const receivers = ['oncall', 'chat', 'hook'];
const laterSteps = 10;

/** Lets `count` alerts start at the same time, in a process that has been evaluating rules for a while. */
export async function runAlerts(count: number, kind: AlertsResult['kind']): Promise<AlertsResult> {
  const folder = await mkdtemp(join(tmpdir(), 'graphwarden-bench-'));
  const open = openStore((role) => workerThread(entry, role));
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
  const openNotifier = () => countingNotifier((sent) => (notifications += sent));
  const log = recordingLogger();
  const ports = { clock: systemClock, random: { next: () => Math.random() }, store, log, openNotifier };
  const alerts = alertsSettings();
  const deliverer = createDeliverer(alerts, ports);
  const engine = new AlertEngine({ log, store, digest, rules, deliverer });
  const wrong = kind === 'separate' ? overdueQueries(count) : stoppedInstances(count);
  const calm = kind === 'separate' ? overdueQueries(0) : stoppedInstances(0);
  let situation = calm;
  const self = () => ({ receivers: deliverer.views(systemClock.now()), stateDurable: true, stateProblem: '' });
  const given = { clock: systemClock, log, store, alerts: engine, situation: () => situation };
  const incidents = new IncidentProcessor({ ...given, self, publish: ignore });
  await incidents.configure({ alerts, clusters: ['prod'], tracker: trackerSection.parse({}) });
  const steps = recordSteps(engine);
  const evaluate = async (): Promise<void> => {
    incidents.tick(systemClock.now());
    await pause(50);
  };
  for (let step = 0; step < 20; step += 1) await evaluate();
  const probe = await startProbe();
  steps.length = 0;
  situation = wrong;
  const from = performance.now();
  const isFiring = () => engine.alerts().filter(({ phase }) => phase === 'firing').length >= count;
  while (!isFiring()) await evaluate();
  const begunAfter = performance.now() - from;
  const first = steps.splice(0);
  for (let step = 0; step < laterSteps; step += 1) await evaluate();
  const probed = await probe.stop();
  await deliverer.stop(AbortSignal.abort());
  const later = steps.map(({ wall }) => wall).toSorted((one, other) => one - other);
  const [longestStep, longestCpu] = [
    Math.max(...first.map(({ wall }) => wall)),
    Math.max(...first.map(({ cpu }) => cpu)),
  ];
  const laterStep = later[Math.floor(later.length / 2)] ?? 0;
  return { alerts: count, kind, ...probed, longestStep, longestCpu, begunAfter, laterStep, notifications };
}

/** Returns a notifier that accepts all requests, and calls `onAlerts` with the number of alerts of each. */
function countingNotifier(onAlerts: (alerts: number) => void): Notifier {
  return {
    traits: { maxBatch: 20, minInterval: 100, acceptsDigests: true, isLevelTriggered: false },
    async send(request) {
      onAlerts(request.kind === 'alerts' ? request.alerts.length : 0);
      await pause(1);
      return { kind: 'accepted' };
    },
    recipient: async () => 'bench',
    close: () => Promise.resolve(),
  };
}

function alertsSettings() {
  const immediate = Object.fromEntries(rules.map(({ name }) => [name, { for: '0s' }]));
  const route = { matchers: [], receivers, groupBy: ['alertname'], groupWait: 0, repeatInterval: 0, continues: false };
  return {
    receivers: receivers.map((name) => ({ name, heartbeat: false, kind: 'webhook', options: {}, secrets: {} })),
    routes: [{ ...route, groupInterval: 300_000 }],
    rules: rulesSection(rules).parse(immediate),
    maintenance: [],
    templates: {},
  };
}

function ignore(): void {
  // The run has no subscribers of events.
}

interface StepCost {
  readonly wall: number;
  readonly cpu: number;
}

/** Records the time and the CPU time of each evaluation of a cluster, in ms. */
function recordSteps(engine: AlertEngine): StepCost[] {
  const steps: StepCost[] = [];
  const step = engine.step.bind(engine);
  engine.step = (input, now) => {
    const [from, before] = [performance.now(), process.threadCpuUsage()];
    const result = step(input, now);
    const { user, system } = process.threadCpuUsage(before);
    if (input.kind === 'situation') steps.push({ wall: performance.now() - from, cpu: (user + system) / 1000 });
    return result;
  };
  return steps;
}

/** Measures the event loop with a timer, and requests to the daemon's handler from the time at which they were due. */
async function startProbe() {
  const config = loadConfig(
    'clusters: [{ name: prod, nodes: [{ name: m1, url: "http://127.0.0.1:9" }] }]',
    'bench.yml',
    {},
  );
  if (!config.ok) throw new Error(formatProblems(config.error));
  const { handler } = createApp(config.value, {
    clock: systemClock,
    ...systemPorts,
    log: recordingLogger(),
    files: systemFiles,
    store: memoryStore(),
    tail: () => Promise.resolve(''),
    reload: () => Promise.resolve(ok([])),
    build: { version: '0.0.0', commit: 'bench' },
  });
  const listening = await listen({ host: '127.0.0.1', port: 0, handler });
  const { port } = listening;
  let [longestStall, stallCpu, healthy, last] = [0, 0, 0, performance.now()];
  let lastCpu = process.threadCpuUsage();
  const timer = setInterval(() => {
    const now = performance.now();
    const { user, system } = process.threadCpuUsage(lastCpu);
    lastCpu = process.threadCpuUsage();
    longestStall = Math.max(longestStall, now - last - 5);
    stallCpu = Math.max(stallCpu, (user + system) / 1000);
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
      await listening.close(0);
      return { longestStall, stallCpu, healthy };
    },
  };
}

/** Returns a situation with `count` queries that run for too long, each with another name. */
function overdueQueries(count: number): Situation {
  const facts = Array.from({ length: count }, (_, at): SampleFact => {
    return { labels: { node: 'm1', graph: 'fraud', query: `query_${at}` }, value: 100 };
  });
  return situationWith({ samples: (family) => (family === 'graphdb_queries_overdue' ? facts : []) });
}

/** Returns a situation with a service of two replicas in each partition, of which `down` instances are down. */
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
    dropped: [],
    slope: () => undefined,
    recentMaximum: () => undefined,
    recentMinimum: () => undefined,
    samples: () => [],
    isFresh: () => true,
    ...more,
  };
}
