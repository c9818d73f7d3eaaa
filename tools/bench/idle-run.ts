import { setTimeout as pause } from 'node:timers/promises';
import { type Candidate, forkServer, forkWithProbe, withFolder } from './candidate.ts';
import { startGraphwarden } from './candidates.ts';
import { startSimulators } from './nodes-run.ts';
import { cpuMillis, peakMebibytes, residentMebibytes } from './process-cost.ts';
import { closeScrapers, scrape } from './scrape.ts';
import { answersOf, collectorsOff, upstreamCluster } from './upstream-cluster.ts';

/** Cost of a process with little work. Memory is in MiB. */
export interface IdleResult {
  readonly name: string;
  /** CPU time in ms per second. */
  readonly cpu: number;
  /** CPU time in ms per poll; undefined for a process that does not poll. */
  readonly cpuPerPoll: number | undefined;
  readonly memory: number;
  /** Peak memory while it is scraped without pauses; undefined for a process that is not scraped. */
  readonly peak: number | undefined;
}

/** Time until the code of the first polls is compiled, and the garbage of the start is collected. */
const settleMs = 60_000;
const series = 1000;

/** Measures an idle daemon, one that polls every second, a sidecar, and a process that is almost empty. */
export async function runIdle(seconds: number): Promise<readonly IdleResult[]> {
  const upstream = await forkServer('upstream.ts', [String(series), 'passthrough']);
  const results: IdleResult[] = [];
  try {
    for (const [name, interval] of [
      ['daemon, 1,000 series, no polls', '1h'],
      ['daemon, 1,000 series, a poll each second', '1s'],
    ] as const) {
      const metrics = { interval, timeout: '1s', passthrough: true };
      const clusters = [upstreamCluster(upstream.port)];
      const started = await startGraphwarden({ clusters, collectors: { ...collectorsOff, metrics } });
      results.push(
        await measure(name, started, seconds, async () => (await answersOf(upstream.port)).graphwarden ?? 0),
      );
    }
    results.push(await runSidecar(seconds), await runFloor(seconds));
  } finally {
    closeScrapers();
    await upstream.stop();
  }
  return results;
}

async function measure(
  name: string,
  candidate: Candidate,
  seconds: number,
  answers: () => Promise<number>,
): Promise<IdleResult> {
  try {
    candidate.pauseProbe?.();
    await pause(settleMs);
    const [pollsBefore, before, from] = [await answers(), cpuMillis(candidate.pid), performance.now()];
    await pause(seconds * 1000);
    const used = cpuMillis(candidate.pid) - before;
    const cpu = (used / (performance.now() - from)) * 1000;
    const polls = (await answers()) - pollsBefore;
    const memory = residentMebibytes(candidate.pid);
    const until = performance.now() + seconds * 1000;
    while (performance.now() < until) await scrape(candidate.url, 'gzip');
    const peak = peakMebibytes(candidate.pid);
    return { name, cpu, cpuPerPoll: polls === 0 ? undefined : used / polls, memory, peak };
  } finally {
    await candidate.stop();
  }
}

/** Measures a sidecar with its default intervals and one simulated node. */
async function runSidecar(seconds: number): Promise<IdleResult> {
  const simulated = await startSimulators({ clusters: 1, nodes: 1, instances: 0, defaultIntervals: true });
  try {
    const [url = ''] = simulated.clusters.flat();
    const clusters = [{ name: 'bench', nodes: [{ name: 'm1', url }] }];
    const started = await startGraphwarden({ scope: 'node', clusters, collectors: {} });
    return await measure('sidecar, default intervals', started, seconds, async () => 0);
  } finally {
    await simulated.stop();
  }
}

/** Measures the minimum: a program on Node with a listener and a database in another thread. */
async function runFloor(seconds: number): Promise<IdleResult> {
  const floor = await withFolder(async (folder) =>
    forkWithProbe(new URL('floor.mjs', import.meta.url).pathname, [folder]),
  );
  try {
    floor.pauseProbe();
    await pause(settleMs);
    const [before, from] = [cpuMillis(floor.pid), performance.now()];
    await pause(seconds * 1000);
    const cpu = ((cpuMillis(floor.pid) - before) / (performance.now() - from)) * 1000;
    return {
      name: 'Node: timer, listener, SQLite',
      cpu,
      cpuPerPoll: undefined,
      memory: residentMebibytes(floor.pid),
      peak: undefined,
    };
  } finally {
    await floor.stop();
  }
}
