import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { seededRandom } from '../../src/simulator/seeded-random.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../../test/support/child.ts';
import { send } from '../../test/support/http.ts';
import { type Candidate, forkServer } from './candidate.ts';
import { startGraphwarden } from './candidates.ts';
import { cpuMillis } from './process-cost.ts';

/**
 * Loads during a run: 200 clients that read the API, 64 clients of `/probe`, 1,000 clients that scrape each second, a node
 * with hostile replies, or 5,000 service instances of another cluster that change at the same time every five seconds.
 */
export const guardLoads = ['api', 'probe', 'scrapes', 'evil', 'changes'] as const;
export type GuardLoad = (typeof guardLoads)[number];
/** Load of a daemon: `none`, or `calm` if only another daemon on the same machine has a load. */
type AnyLoad = GuardLoad | 'none' | 'calm';

/** Reaction times of the guard, from the log of the simulated servers only. */
export interface GuardResult {
  /**
   * Queries: `steady` are observed often before they match, three per minute and node; `swarm` are many at once on one node;
   * `early` match before they are confirmed.
   */
  readonly kind: 'steady' | 'swarm' | 'early';
  readonly load: AnyLoad;
  /** Number of queries that had to be aborted. */
  readonly expected: number;
  /** Time from the earliest abort time by the policy to the arrival of each abort, in ms. */
  readonly reactions: readonly number[];
  /** Process lists per minute and node; {@link regularLists} if there is nothing to abort. */
  readonly lists: number;
  /** Aborts that graphwarden decided but did not send. */
  readonly unsent: number;
  /** CPU time of graphwarden in ms per second. */
  readonly cpu: number;
  /** Responses to the load by status, or by kind of hostile reply. */
  readonly responses: Readonly<Record<string, number>>;
}

/** Returns the name of a run in the report. */
export function guardRunName(kind: GuardResult['kind'], load: AnyLoad): string {
  if (load === 'none') return kind;
  return load === 'calm' ? `${kind}, without load at the same time` : `${kind}, under ${load}`;
}

const every = 5000;
/** Process lists per minute and node that are polled in any case. */
export const regularLists = 60_000 / every;
const nodes = 20;
const grace = 2000;
const ages = { steady: 12_000, swarm: 12_000, early: 1000 } as const;
/** Minimum time between two observations, less the tolerance of a tenth. */
const confirmedAfter = 4500;
const startInterval = 20_000;
const runsFor = 600_000;
const atOnce = 20;
const relaxedLimits = { max: 1000, within: '1h' };
const responsesMessage = z.object({ responses: z.record(z.string(), z.number()) });
const idle = ['metrics', 'categories', 'services', 'statistics', 'delayed_queries', 'workload_queues', 'license'];

interface Started {
  readonly node: string;
  readonly id: string;
  readonly at: number;
}

/** Aborts about `aborts` queries that start one by one, then many at once, then queries that match before they are confirmed. */
export async function runGuard(aborts: number): Promise<readonly GuardResult[]> {
  const simulator = await startSimulator({ nodes }, { listen, clock: systemClock });
  const graphwarden = await startGraphwarden(settingsOf(simulator));
  try {
    // Ten lists are enough to estimate the clocks of the nodes.
    await pause(2 * every);
    const rounds = Math.ceil(aborts / nodes);
    return [
      await measure('steady', simulator, graphwarden, () => startSteadily(simulator, 'steady', rounds)),
      await measure('swarm', simulator, graphwarden, () => startAtOnce(simulator)),
      await measure('early', simulator, graphwarden, () => startSteadily(simulator, 'early', 1)),
    ];
  } finally {
    await graphwarden.stop();
    await simulator.close();
  }
}

/**
 * Aborts about `aborts` queries that start one by one while graphwarden is under `load`, and as many at the same time on
 * another cluster with its own daemon, which shows the effect of the busy machine.
 */
export async function runGuardUnder(load: GuardLoad, aborts: number): Promise<readonly GuardResult[]> {
  return Promise.all([runGuardWith(load, aborts), runGuardWith('calm', aborts)]);
}

async function runGuardWith(load: GuardLoad | 'calm', aborts: number): Promise<GuardResult> {
  const simulator = await startSimulator({ nodes }, { listen, clock: systemClock });
  const server = isServer(load) ? await forkServer('guard-load-process.ts', [load]) : undefined;
  const graphwarden = await startGraphwarden(settingsOf(simulator, server && { load, port: server.port }));
  const clients = isServer(load) || load === 'calm' ? undefined : await startClients(load, graphwarden.url);
  server?.pauseProbe();
  graphwarden.pauseProbe?.();
  try {
    await pause(2 * every);
    const rounds = Math.ceil(aborts / nodes);
    const result = await measure('steady', simulator, graphwarden, () => startSteadily(simulator, 'steady', rounds));
    const process = server ?? clients;
    return { ...result, load, responses: process === undefined ? {} : await responsesOf(process) };
  } finally {
    await clients?.stop();
    await graphwarden.stop();
    await server?.stop();
    await simulator.close();
  }
}

async function startClients(load: string, page: string): ReturnType<typeof forkServer> {
  const clients = await forkServer('guard-load-process.ts', [load, new URL(page).origin]);
  clients.pauseProbe();
  return clients;
}

async function responsesOf({ child }: Awaited<ReturnType<typeof forkServer>>): Promise<Record<string, number>> {
  const answer = once(child, 'message');
  child.send('responses');
  return responsesMessage.parse((await answer)[0]).responses;
}

/** Loads that graphwarden polls; the others are clients of graphwarden. */
function isServer(load: AnyLoad): boolean {
  return load === 'evil' || load === 'changes';
}

function settingsOf(simulator: Simulator, server?: { readonly load: AnyLoad; readonly port: number }) {
  const interval = { interval: `${every}ms`, timeout: `${every}ms` };
  const policies = Object.entries(ages).map(([name, age]) => ({
    name,
    mode: 'enforce',
    clusters: ['bench'],
    when: { query: `${name}_*`, age: `> ${age}ms` },
    grace: `${grace}ms`,
    cooldown: '0s',
    victims: { max: 100 },
  }));
  return {
    clusters: [
      {
        name: 'bench',
        nodes: [
          ...simulator.nodes.map(({ name, url, instance }) => ({ name, url, instance })),
          ...(server?.load === 'evil' ? [{ name: 'evil', url: `http://127.0.0.1:${server.port}` }] : []),
        ],
        graphs: ['fraud'],
      },
      ...(server?.load === 'changes'
        ? [{ name: 'changes', nodes: [{ name: 'm1', url: `http://127.0.0.1:${server.port}` }] }]
        : []),
    ],
    collectors: {
      queries: interval,
      ...disabledCollectors(idle),
      ...(server?.load === 'changes' ? { services: interval } : {}),
    },
    guard: {
      mode: 'enforce',
      budgets: { per_node: relaxedLimits, per_cluster: relaxedLimits },
      breakers: { same_query: { aborts: 1000, within: '1h' } },
      policies,
    },
  };
}

function disabledCollectors(names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, { enabled: false }]));
}

/** Starts one query per node in each round, each at another time. */
async function startSteadily(simulator: Simulator, kind: GuardResult['kind'], rounds: number): Promise<Started[]> {
  const random = seededRandom(4711);
  const begin = Date.now();
  const times = Array.from({ length: rounds }, (_, round) =>
    simulator.nodes.map(({ name }) => ({
      node: name,
      at: begin + round * startInterval + Math.floor(random.next() * startInterval),
    })),
  ).flat();
  const started: Started[] = [];
  for (const { node, at } of times.toSorted((one, other) => one.at - other.at)) {
    await pause(Math.max(0, at - Date.now()));
    started.push(start(simulator, node, `${kind}_${started.length}`));
  }
  return started;
}

async function startAtOnce(simulator: Simulator): Promise<Started[]> {
  const node = simulator.nodes[0]?.name ?? '';
  return Array.from({ length: atOnce }, (_, index) => start(simulator, node, `swarm_${index}`));
}

function start({ control }: Simulator, node: string, query: string): Started {
  const order = { node, graph: 'fraud', query, parameters: '', runsFor, timeout: runsFor };
  const begun = control.startQuery(order);
  if (begun?.startedAt === undefined) throw new Error('the query had to wait');
  return { node, id: begun.requestId, at: begun.startedAt };
}

async function measure(
  kind: GuardResult['kind'],
  simulator: Simulator,
  { url, pid }: Candidate,
  begin: () => Promise<readonly Started[]>,
): Promise<GuardResult> {
  const from = Date.now();
  const cpuBefore = cpuMillis(pid);
  const started = await begin();
  const arrivals = (): readonly (number | undefined)[] => started.map(({ node, id }) => abortOf(simulator, node, id));
  await eventually('all are aborted', async () => arrivals().every((at) => at !== undefined), 60_000).catch(
    () => false,
  );
  const minutes = (Date.now() - from) / 60_000;
  const cpu = (cpuMillis(pid) - cpuBefore) / minutes / 60;
  const lists = listsOf(simulator).filter(({ at }) => at >= from).length / nodes / minutes;
  const reactions = arrivals().flatMap((at, index) => {
    const query = started[index];
    return at === undefined || query === undefined ? [] : [at - earliestOf(kind, query, simulator)];
  });
  const unsent = await unsentOn(url);
  return { kind, load: 'none', expected: started.length, reactions, lists, unsent, cpu, responses: {} };
}

async function unsentOn(page: string): Promise<number> {
  const { text } = await send(page);
  const samples = text.matchAll(
    /^graphwarden_guard_outcomes_total\{[^}]*outcome="(?:withdrawn|not_sent)"[^}]*\} (\d+)/gm,
  );
  return [...samples].reduce((sum, [, value]) => sum + Number(value), 0);
}

function abortOf(simulator: Simulator, node: string, id: string): number | undefined {
  return simulator.aborts().find((one) => one.node === node && one.requestId === id)?.at;
}

/** Returns the earliest abort time of a query: after it matches and a list has confirmed it, plus the grace period. */
function earliestOf(kind: GuardResult['kind'], { node, at }: Started, simulator: Simulator): number {
  const lists = listsOf(simulator).filter((list) => list.node === node && list.at > at);
  const first = lists[0]?.at ?? Number.NaN;
  const confirmed = lists.find((list) => list.at >= first + confirmedAfter)?.at ?? Number.NaN;
  return Math.max(at + ages[kind], confirmed) + grace;
}

function listsOf(simulator: Simulator) {
  return simulator.calls().filter(({ path }) => path.endsWith('/showprocesslistall'));
}
