import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { isOwnFamily } from '../../src/metric/metric.ts';
import { type Candidate, type ForkedProcess, forkWithProbe } from './candidate.ts';
import { startGraphwarden } from './candidates.ts';
import { cpuMillis, peakMebibytes, residentMebibytes } from './process-cost.ts';
import { scrape, seriesOf, sumOf, textOf } from './scrape.ts';

/** Monitored clusters. */
export interface Fleet {
  readonly clusters: number;
  /** Nodes of each cluster. */
  readonly nodes: number;
  /** Minimum number of service instances of each node. */
  readonly instances: number;
  /** Whether each collector has its default interval; otherwise all poll every 15 s. */
  readonly defaultIntervals: boolean;
  /** Graphs of each cluster, and further vertex types of each graph; those of the simulator if absent. */
  readonly graphs?: number;
  readonly extraTypes?: number;
}

/** Cost of monitoring a fleet, with a scrape every 15 s. */
export interface NodesResult extends Fleet {
  readonly minutes: number;
  /** CPU time by wall time: 1 is one core. */
  readonly cpuShare: number;
  /** Number of polled collectors of all nodes, and the maximum number of those whose last success was older than 1.5 intervals. */
  readonly collectors: number;
  readonly late: number;
  readonly skipped: number;
  /** Memory in MiB: after the first round of polls, at half time, at the end, and the peak. */
  readonly memory: { readonly first: number; readonly half: number; readonly last: number; readonly peak: number };
  readonly longestGap: number | undefined;
  /** Series of the page at the end: all, and those about graphwarden and its requests. */
  readonly series: { readonly all: number; readonly own: number };
}

const clustersMessage = z.object({ clusters: z.array(z.array(z.string())) });
/** Clusters of one simulator process: a process for each of them would need more memory than the machine has. */
const clustersPerProcess = 10;
const everyMs = 15_000;
const configuredInterval = 'graphwarden_collector_configured_interval_seconds';
const lastSuccess = 'graphwarden_collector_last_success_timestamp_seconds';
const intervals = [
  'health',
  'metrics',
  'categories',
  'services',
  'statistics',
  'queries',
  'delayed_queries',
  'workload_queues',
  'license',
];

/** Collectors that all poll every 15 s. */
export const slowCollectors = Object.fromEntries(
  intervals.map((name) => [name, { interval: `${everyMs}ms`, timeout: '5s' }]),
);

/** Monitors a simulated fleet for `minutes`. */
export async function runNodes(fleet: Fleet, minutes: number): Promise<NodesResult> {
  const simulated = await startSimulators(fleet);
  const graphwarden = await startGraphwarden({
    clusters: simulated.clusters.map((urls, at) => {
      return { name: `bench${at + 1}`, nodes: urls.map((url, place) => ({ name: `m${place + 1}`, url })) };
    }),
    collectors: fleet.defaultIntervals ? {} : slowCollectors,
  });
  try {
    return { ...fleet, ...(await runFor(graphwarden, minutes)) };
  } finally {
    await graphwarden.stop();
    await simulated.stop();
  }
}

/** Starts the simulators of a fleet, one process after the other. */
export async function startSimulators({ clusters, nodes, instances, graphs = 2, extraTypes = 0 }: Fleet) {
  const urls: (readonly string[])[] = [];
  const processes: ForkedProcess[] = [];
  while (urls.length < clusters) {
    const size = Math.min(clustersPerProcess, clusters - urls.length);
    const simulated = forkWithProbe(
      join(import.meta.dirname, 'simulated.ts'),
      [nodes, instances, size, graphs, extraTypes].map(String),
    );
    processes.push(simulated);
    const [message] = await once(simulated.child, 'message');
    urls.push(...clustersMessage.parse(message).clusters);
  }
  return { clusters: urls, processes, stop: () => Promise.all(processes.map((one) => one.stop())) };
}

/** Measures gaps during two scrapes, and then the CPU for `minutes` without the gap probe, which would add to it. */
async function runFor(candidate: Candidate, minutes: number): Promise<Omit<NodesResult, keyof Fleet>> {
  await pause(everyMs);
  await candidate.longestGap?.();
  const first = residentMebibytes(candidate.pid);
  await scrapeAfterPause(candidate);
  const before = await scrapeAfterPause(candidate);
  const longestGap = await candidate.longestGap?.();
  candidate.pauseProbe?.();
  let last = before;
  const cpuBefore = cpuMillis(candidate.pid);
  const from = performance.now();
  let half: number | undefined;
  let late = 0;
  while (performance.now() - from < minutes * 60_000) {
    last = await scrapeAfterPause(candidate);
    late = Math.max(late, lateIn(last));
    if (performance.now() - from >= minutes * 30_000) half ??= residentMebibytes(candidate.pid);
  }
  const spent = performance.now() - from;
  const end = residentMebibytes(candidate.pid);
  return {
    minutes: spent / 60_000,
    cpuShare: (cpuMillis(candidate.pid) - cpuBefore) / spent,
    collectors: valuesOf(last, lastSuccess).length,
    late,
    skipped: sumOf(last, 'graphwarden_collector_skipped_total') - sumOf(before, 'graphwarden_collector_skipped_total'),
    memory: { first, half: half ?? end, last: end, peak: peakMebibytes(candidate.pid) },
    longestGap,
    series: seriesIn(last),
  };
}

async function scrapeAfterPause({ url }: Candidate): Promise<string> {
  await pause(everyMs);
  return textOf(await scrape(url, 'gzip'));
}

function seriesIn(text: string): NodesResult['series'] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return { all: lines.length, own: lines.filter(isOwnFamily).length };
}

function lateIn(text: string): number {
  const intervalOf = new Map(seriesOf(text, configuredInterval));
  const now = Date.now() / 1000;
  return seriesOf(text, lastSuccess).filter(([labels, at]) => now - at > 1.5 * (intervalOf.get(labels) ?? Infinity))
    .length;
}

function valuesOf(text: string, name: string): readonly number[] {
  return seriesOf(text, name).map(([, value]) => value);
}

/** Fit of the CPU share of one core over the number of nodes. */
export interface LinearFit {
  readonly perNode: number;
  readonly base: number;
  /** Coefficient of determination: 1 is a straight line. */
  readonly r2: number;
}

/** Returns the least-squares line through runs of one cluster; undefined for fewer than three. */
export function fitNodes(results: readonly NodesResult[]): LinearFit | undefined {
  const points = results.filter(({ clusters }) => clusters === 1).map(({ nodes: x, cpuShare: y }) => ({ x, y }));
  if (points.length < 3) return undefined;
  const mean = (of: (point: { readonly x: number; readonly y: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  const covariance = mean((point) => (point.x - x) * (point.y - y));
  const [spreadX, spreadY] = [mean((point) => (point.x - x) ** 2), mean((point) => (point.y - y) ** 2)];
  const perNode = covariance / spreadX;
  return { perNode, base: y - perNode * x, r2: covariance ** 2 / (spreadX * spreadY) };
}
