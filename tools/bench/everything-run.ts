import { setTimeout as pause } from 'node:timers/promises';
import { collectors } from '../../src/collect/all.ts';
import type { Candidate } from './candidate.ts';
import { startGraphwarden } from './candidates.ts';
import { startSimulators } from './nodes-run.ts';
import { cpuMillis, residentMebibytes } from './process-cost.ts';
import { closeScrapers, scrape, sumOf, textOf } from './scrape.ts';
import { table } from './table.ts';

/** Cost of a daemon with the default collectors, or with all of them, on clusters of the same size. */
export interface EverythingResult {
  readonly graphs: number;
  readonly minutes: number;
  readonly collectors: 'default' | 'all';
  /** CPU time by wall time: 1 is one core. */
  readonly cpuShare: number;
  /** MiB at the end. */
  readonly memory: number;
  /** Calls per second and node. */
  readonly calls: number;
  readonly failures: number;
}

const nodes = 3;
/** Further vertex types of each graph: together with its two types, 20 graphs have 500. */
const extraTypes = 23;
/** Scrape interval. */
const everyMs = 15_000;

/** Settings that enable all collectors except the consistency checks, which run once a week. */
const everyCollector = Object.fromEntries(
  collectors.filter(({ defaults }) => defaults.schedule === undefined).map(({ name }) => [name, { enabled: true }]),
);

/** Measures two daemons at the same time, each with its own simulated cluster, from their start. */
export async function runEverything(graphs: number, minutes: number): Promise<readonly EverythingResult[]> {
  const fleet = { clusters: 2, nodes, instances: 0, defaultIntervals: true, graphs, extraTypes };
  const simulated = await startSimulators(fleet);
  const started: (readonly [EverythingResult['collectors'], Candidate])[] = [];
  try {
    for (const [at, kind] of (['default', 'all'] as const).entries()) {
      const cluster = {
        name: 'bench',
        nodes: (simulated.clusters[at] ?? []).map((url, place) => ({ name: `m${place + 1}`, url })),
        read_auth: { basic: { username: 'monitor', password: 'simulated' } },
        statements: { load: 'load.1' },
      };
      const daemon = await startGraphwarden({
        clusters: [cluster],
        collectors: kind === 'all' ? everyCollector : {},
      });
      daemon.pauseProbe?.();
      started.push([kind, daemon]);
    }
    return await Promise.all(started.map(([kind, daemon]) => measure(daemon, { graphs, minutes, collectors: kind })));
  } finally {
    closeScrapers();
    for (const [, daemon] of started) await daemon.stop();
    await simulated.stop();
  }
}

async function measure(
  { url, pid }: Candidate,
  run: Pick<EverythingResult, 'graphs' | 'minutes' | 'collectors'>,
): Promise<EverythingResult> {
  const page = async (): Promise<string> => textOf(await scrape(url, 'gzip'));
  // Excludes the first round, in which all collectors poll at the same time.
  await pause(everyMs);
  const [before, cpu, from] = [await page(), cpuMillis(pid), performance.now()];
  let last = before;
  while (performance.now() - from < run.minutes * 60_000) {
    await pause(everyMs);
    last = await page();
  }
  const spent = performance.now() - from;
  const grown = (name: string): number => sumOf(last, name) - sumOf(before, name);
  return {
    ...run,
    minutes: spent / 60_000,
    cpuShare: (cpuMillis(pid) - cpu) / spent,
    memory: residentMebibytes(pid),
    calls: grown('graphwarden_call_duration_seconds_count') / (spent / 1000) / nodes,
    failures: grown('graphwarden_collector_failures_total'),
  };
}

/** Returns the results as a table. */
export function everythingTable(results: readonly EverythingResult[]): string {
  return table(
    ['graphs', 'collectors', 'minutes', 'CPU share of one core', 'RSS MiB', 'calls a second and node', 'failed polls'],
    results.map(({ graphs, collectors: kind, minutes, cpuShare, memory, calls, failures }) => [
      String(graphs),
      kind,
      minutes.toFixed(1),
      `${(cpuShare * 100).toFixed(2)} %`,
      memory.toFixed(0),
      calls.toFixed(2),
      String(failures),
    ]),
  );
}
