import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { type Candidate, forkWithProbe } from './candidate.ts';
import { startGraphwarden } from './candidates.ts';
import { cpuMillis, peakMebibytes, residentMebibytes } from './process-cost.ts';
import { scrape, textOf } from './scrape.ts';

/** What watching so many nodes costs, every collector every 15 s, and a scrape as often. */
export interface NodesResult {
  readonly nodes: number;
  readonly minutes: number;
  /** CPU time by wall time: 1 is one core. */
  readonly cpuShare: number;
  /** Collectors on nodes that are read, and the most of them that were late by half an interval at any scrape. */
  readonly collectors: number;
  readonly late: number;
  readonly skipped: number;
  /** MiB; the first is taken when the first round is over, the second at half time. */
  readonly memory: { readonly first: number; readonly half: number; readonly last: number; readonly peak: number };
  readonly longestGap: number | undefined;
  /** Series of the page at the end: all, and those about graphwarden and its requests. */
  readonly series: { readonly all: number; readonly own: number };
}

const urlsMessage = z.object({ urls: z.array(z.string()) });
const everyMs = 15_000;
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

/** Watches a simulated cluster of `nodes` nodes for `minutes`; `instances` is the number of service instances of each node. */
export async function runNodes(nodes: number, minutes: number, instances: number): Promise<NodesResult> {
  const simulated = forkWithProbe(join(import.meta.dirname, 'simulated.ts'), [String(nodes), String(instances)]);
  const [message] = await once(simulated.child, 'message');
  const { urls } = urlsMessage.parse(message);
  const graphwarden = await startGraphwarden({
    clusters: [{ name: 'bench', nodes: urls.map((url, at) => ({ name: `m${at + 1}`, url })) }],
    collectors: Object.fromEntries(intervals.map((name) => [name, { interval: `${everyMs}ms`, timeout: '5s' }])),
  });
  try {
    return await runFor(graphwarden, nodes, minutes);
  } finally {
    await graphwarden.stop();
    await simulated.stop();
  }
}

async function runFor(contender: Candidate, nodes: number, minutes: number): Promise<NodesResult> {
  await pause(everyMs);
  await contender.longestGap?.();
  const before = textOf(await scrape(contender.url, 'gzip'));
  const cpuBefore = cpuMillis(contender.pid);
  const from = performance.now();
  const first = residentMebibytes(contender.pid);
  let half: number | undefined;
  let last = before;
  let late = 0;
  while (performance.now() - from < minutes * 60_000) {
    await pause(everyMs);
    last = textOf(await scrape(contender.url, 'gzip'));
    late = Math.max(late, lateIn(last));
    if (performance.now() - from >= minutes * 30_000) half ??= residentMebibytes(contender.pid);
  }
  const spent = performance.now() - from;
  const end = residentMebibytes(contender.pid);
  return {
    nodes,
    minutes: spent / 60_000,
    cpuShare: (cpuMillis(contender.pid) - cpuBefore) / spent,
    collectors: valuesOf(last, lastSuccess).length,
    late,
    skipped: sumOf(last, 'graphwarden_collector_skipped_total') - sumOf(before, 'graphwarden_collector_skipped_total'),
    memory: { first, half: half ?? end, last: end, peak: peakMebibytes(contender.pid) },
    longestGap: await contender.longestGap?.(),
    series: seriesIn(last),
  };
}

function seriesIn(text: string): NodesResult['series'] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return { all: lines.length, own: lines.filter((line) => /^(?:graphwarden|process|nodejs)_/.test(line)).length };
}

function lateIn(text: string): number {
  const oldest = (Date.now() - 1.5 * everyMs) / 1000;
  return valuesOf(text, lastSuccess).filter((at) => at < oldest).length;
}

function sumOf(text: string, name: string): number {
  return valuesOf(text, name).reduce((sum, value) => sum + value, 0);
}

function valuesOf(text: string, name: string): readonly number[] {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`));
  return lines.map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
}
