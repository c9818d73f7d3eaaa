import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { type CollectorReport, collectorSchema } from '../../src/api/clusters.ts';
import { pageSchema } from '../../src/api/fields.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { startDaemon } from '../support/daemon.ts';
import { readExposition } from '../support/exposition.ts';
import { send } from '../support/http.ts';
import { startTcpRelay, type TcpRelay } from '../support/tcp-relay.ts';

type Settings = Readonly<Record<string, unknown>>;

const collectorList = pageSchema(collectorSchema);

/** Long enough for an answer on a busy machine, and too short for a connection to be given up meanwhile. */
const often = { interval: '3s', timeout: '3s', stale_after: '1m' };
/** Process lists may take a twentieth of the time: on a busy machine they need more of it. */
const seldom = { interval: '4s', timeout: '4s', stale_after: '1m' };
const collectors = {
  health: often,
  services: often,
  statistics: often,
  workload_queues: often,
  metrics: often,
  queries: seldom,
  delayed_queries: seldom,
};
/** One call of each of them, the nodes that receive it, and how often. */
const polls: readonly (readonly [path: string, collector: string, nodes: readonly string[], interval: number])[] = [
  ['/api/ping', 'health', ['m1', 'm2'], 3000],
  ['/restpp/statistics/fraud', 'statistics', ['m1', 'm2'], 3000],
  ['/restpp/showprocesslistall', 'queries', ['m1', 'm2'], 4000],
  ['/restpp/showdelayedlistall', 'delayed_queries', ['m1', 'm2'], 4000],
  ['/informant/current-service-status', 'services', [''], 3000],
  ['/restpp/workload-manager/queuestatus', 'workload_queues', [''], 3000],
  ['/informant/metrics', 'metrics', [''], 3000],
];
/** What a busy machine may be late by; a lost poll is a whole interval. */
const slack = 2800;

/** Families that no reload may remove from the page. */
const always = [
  'graphdb_service_status',
  'graphdb_host_cpu_usage_ratio',
  'graphdb_network_bytes_total',
  'graphdb_queries_running',
  'graphwarden_collector_success',
  'graphwarden_cluster_nodes',
];

/** Files that must be refused, each for another reason. */
const badFiles: readonly string[] = [
  'clusters: [',
  '',
  'clusters: []\n',
  'nonsense: true\n',
  'clusters: [{ name: c, nodes: [{ name: m1, url: "ftp://nowhere" }] }]\n',
  'clusters: [{ name: c, nodes: [{ name: m1, url: "http://[::1]" }] }]\ncollectors: { health: { interval: 1s, timeout: 2s } }\n',
];

/** Files whose changes touch neither the nodes m1 and m2 of the cluster nor the timing of what is in {@link polls}. */
function goodFiles([m1, m2, m3]: readonly Settings[]): readonly string[] {
  const cluster = { name: 'c', nodes: [m1, m2] };
  const base = { listen: '127.0.0.1:0', clusters: [cluster], collectors };
  const changes: readonly Settings[] = [
    {},
    { clusters: [{ ...cluster, labels: { env: 'test' } }] },
    { clusters: [{ ...cluster, nodes: [m1, m2, m3] }] },
    { clusters: [{ ...cluster, nodes: [m2, m1] }] },
    { clusters: [{ name: 'before', nodes: [m3] }, cluster] },
    { limits: { series_per_page: 10_000 } },
    { collectors: { ...collectors, license: { interval: '2h' } } },
    { collectors: { ...collectors, categories: { enabled: false } } },
    { collectors: { ...collectors, metrics: { ...often, passthrough: false } } },
  ];
  return changes.map((change) => stringify({ ...base, ...change }));
}

it('a daemon that is reloaded fifty times fails no scrape, loses no poll and keeps its sockets', async () => {
  const { simulator, relays } = await relayedCluster();
  const good = goodFiles(relays.map(({ url }, at) => ({ name: `m${at + 1}`, url })));
  const daemon = await startDaemon(good[0] ?? '');
  const scrapes = scrapeOn(daemon.url);
  const statuses: number[] = [];
  for (let round = 1; round <= 25; round += 1) {
    statuses.push(await daemon.reload(badFiles[round % badFiles.length] ?? ''));
    statuses.push(await daemon.reload(good[round % good.length] ?? ''));
    await pause(260);
  }
  await pause(3000 + slack);

  const { pages, errors } = await scrapes.stop();
  expect(statuses).toEqual(Array.from({ length: 25 }, () => [422, 200]).flat());
  expect(errors).toEqual([]);
  expect(pages).toBeGreaterThan(50);
  const unchanged = relays.slice(0, 2).map((relay) => relay.accepted());
  const { text } = await send(`${daemon.url}/metrics`);
  // What is given up half way takes its connection with it.
  const most = 4 + failures(text);
  expect(Math.max(...unchanged), 'connections ever made to a node that stays').toBeLessThanOrEqual(most);
  expect(Math.min(...unchanged)).toBeGreaterThan(0);
  const { items } = collectorList.parse(JSON.parse((await send(`${daemon.url}/api/v1/collectors?limit=1000`)).text));
  expect(latePolls(simulator, items)).toEqual([]);
}, 400_000);

interface RelayedCluster {
  readonly simulator: Simulator;
  readonly relays: readonly TcpRelay[];
}

async function relayedCluster(): Promise<RelayedCluster> {
  const simulator = await startSimulator({ nodes: 3 }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  return { simulator, relays: await Promise.all(simulator.nodes.map(({ port }) => startTcpRelay(port))) };
}

interface Scrapes {
  stop(): Promise<{ readonly pages: number; readonly errors: readonly string[] }>;
}

/** Four scrapers that never rest, each page read strictly. */
function scrapeOn(url: string): Scrapes {
  const stopped = new AbortController();
  const outcomes: string[] = [];
  const scraper = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      outcomes.push(await scrape(url).catch(String));
      await pause(400);
    }
  };
  const ended = Promise.all([scraper(), scraper(), scraper(), scraper()]);
  return {
    stop: async () => {
      stopped.abort();
      await ended;
      const count = outcomes.filter((outcome) => outcome === whole).length;
      return { pages: count, errors: outcomes.filter((outcome) => outcome !== whole && outcome !== excused) };
    },
  };
}

const whole = 'whole';
/** Whether a poll failed, as on a busy machine, and removed its series. */
const excused = 'excused';

/** Rejects where the page is not whole: what stays must be on it at any moment of a reload. */
async function scrape(url: string): Promise<string> {
  const { status, text } = await send(`${url}/metrics`);
  if (status !== 200) throw new Error(`status ${status}`);
  const families = readExposition(text, 'text');
  const success = families.get('graphwarden_collector_success')?.samples ?? [];
  if (success.some(({ labels, value }) => labels.cluster_name === 'c' && value === 0)) return excused;
  const up = families.get('graphdb_up')?.samples.filter(({ labels }) => labels.cluster_name === 'c') ?? [];
  const nodes = up.map(({ labels }) => labels.node);
  for (const node of ['m1', 'm2']) if (!nodes.includes(node)) throw new Error(`nothing of ${node}`);
  for (const name of always) if (!families.has(name)) throw new Error(`no ${name}`);
  return whole;
}

/** Returns the polls that came later than the interval and some slack without a counted reason. */
function latePolls(simulator: Simulator, reports: readonly CollectorReport[]): readonly string[] {
  const calls = simulator.calls().filter(({ node }) => node !== 'm3');
  return polls.flatMap(([path, collector, nodes, interval]) =>
    nodes.flatMap((node) => {
      const ours = calls.filter((call) => call.path === path && (node === '' || call.node === node));
      const times = ours.map(({ at }) => at);
      expect(times.length, `polls of ${path}`).toBeGreaterThan(2);
      const gaps = times.slice(1).map((at, before) => at - (times[before] ?? at));
      const late = gaps.filter((gap) => gap > interval + slack);
      return late.slice(skippedPolls(reports, collector, node)).map((gap) => `${node} ${path}: ${gap} ms`);
    }),
  );
}

/** Returns the number of failed polls so far: a busy machine has some. */
function failures(page: string): number {
  const samples = readExposition(page, 'text').get('graphwarden_collector_failures_total')?.samples ?? [];
  return samples.reduce((sum, { value }) => sum + value, 0);
}

/** Returns the number of skipped polls so far: a busy machine has several. Their metric follows a minute later. */
function skippedPolls(reports: readonly CollectorReport[], collector: string, node: string): number {
  const found = reports.filter((one) => one.cluster === 'c' && one.collector === collector && one.node === node);
  return found.flatMap(({ skipped }) => Object.values(skipped)).reduce((sum, count) => sum + count, 0);
}
