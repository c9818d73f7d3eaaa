import { setTimeout as pause } from 'node:timers/promises';
import { type Candidate, forkServer } from './candidate.ts';
import { startFederation, startGraphwarden, startNginx, startPromClient, startRawNode } from './candidates.ts';
import { cpuMillis, peakMebibytes } from './process-cost.ts';
import { quantile } from './quantile.ts';
import { closeScrapers, type Encoding, firstValue, type Scrape, scrape, textOf } from './scrape.ts';
import { answersOf, collectorsOff, upstreamCluster } from './upstream-cluster.ts';
import type { Mix } from './upstream-page.ts';

/** Size and duration of a run. A cycle is the time between two polls, and between two scrapes, in ms. */
export interface PageRun {
  readonly series: number;
  readonly mix: Mix;
  readonly cycles: number;
  readonly cycleMs: number;
}

/** Measurements of one candidate in a run. Times are in ms, memory in MiB; undefined if not applicable. */
export interface PageResult extends Omit<PageRun, 'cycles' | 'cycleMs'> {
  readonly candidate: string;
  readonly plain: Latency;
  readonly gzip: Latency;
  readonly cpuPerPoll: number | undefined;
  readonly peakMemory: number;
  readonly longestGap: number | undefined;
  /** Median time from the response of the upstream to the scrape that contains it, in seconds. */
  readonly age: number;
  /** Number of pages that differed from the previous one, of all that were compared, such as `12/39`. */
  readonly changed: string;
}

/** Latency of one kind of scrape and its CPU in the serving process. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
  readonly cpu: number;
  readonly bytes: number;
}

interface ScrapeResults {
  readonly scrapes: Scrape[];
  readonly ages: number[];
  readonly answers: number[];
}

/** Runs all candidates with one upstream: scrapes them in turn in each cycle, then measures the cost of each. */
export async function runPage(run: PageRun): Promise<readonly PageResult[]> {
  const upstream = await forkServer('upstream.ts', [String(run.series), run.mix]);
  const candidates = await startAll(run, upstream.port);
  try {
    const seen = await scrapeInTurn(candidates, run);
    const gaps = await gapsOf(candidates);
    const polls = await costOfPolls(candidates, upstream.port, run);
    const results: PageResult[] = [];
    for (const candidate of candidates) {
      const measured = { run, seen: seen.get(candidate), polls: polls.get(candidate), gap: gaps.get(candidate) };
      results.push(await resultOf(candidate, measured));
    }
    return results;
  } finally {
    closeScrapers();
    for (const candidate of candidates) await candidate.stop();
    await upstream.stop();
  }
}

async function startAll(run: PageRun, port: number): Promise<readonly Candidate[]> {
  const every = `${run.cycleMs}ms`;
  const graphwarden = await startGraphwarden({
    clusters: [upstreamCluster(port)],
    collectors: { ...collectorsOff, metrics: { interval: every, timeout: every, passthrough: true } },
  });
  const federation = await startFederation(port, every);
  const promClient = await startPromClient(run.series, run.cycleMs);
  const raw = await startRawNode(port, run.cycleMs);
  const nginx = await startNginx((await scrape(graphwarden.url, 'identity')).bytes);
  return [graphwarden, federation, promClient, raw, nginx];
}

async function scrapeInTurn(candidates: readonly Candidate[], run: PageRun): Promise<Map<Candidate, ScrapeResults>> {
  const seen = new Map(
    candidates.map((one): [Candidate, ScrapeResults] => [one, { scrapes: [], ages: [], answers: [] }]),
  );
  await pause(2 * run.cycleMs);
  for (const candidate of candidates) await candidate.longestGap?.();
  const from = performance.now();
  // The scrapes shift through the interval of the polls, so that some of them coincide with a poll.
  const periodMs = run.cycleMs * (1 + 1 / run.cycles);
  for (let cycle = 0; cycle < run.cycles; cycle += 1) {
    const encoding: Encoding = cycle % 2 === 0 ? 'identity' : 'gzip';
    for (const [candidate, { scrapes, ages, answers }] of seen) {
      const one = await scrape(candidate.url, encoding);
      const now = Date.now() / 1000;
      scrapes.push(one);
      const text = textOf(one);
      ages.push(now - firstValue(text, 'svc_served_seconds'));
      answers.push(firstValue(text, 'svc_served_answers'));
    }
    await pause(Math.max(0, from + (cycle + 1) * periodMs - performance.now()));
  }
  return seen;
}

/** CPU time of a poll, undefined without polls, and CPU time without scrapes per ms of wall time. */
interface PollCost {
  readonly perPoll: number | undefined;
  readonly perMs: number;
}

async function costOfPolls(
  candidates: readonly Candidate[],
  port: number,
  run: PageRun,
): Promise<Map<Candidate, PollCost>> {
  const from = performance.now();
  const answersBefore = await answersOf(port);
  const before = candidates.map(({ pid }) => cpuMillis(pid));
  await pause(Math.min(run.cycles, 10) * run.cycleMs);
  const answers = await answersOf(port);
  const costs = candidates.map((candidate, at): [Candidate, PollCost] => {
    const used = cpuMillis(candidate.pid) - (before[at] ?? 0);
    const polls = (answers[candidate.agent ?? ''] ?? 0) - (answersBefore[candidate.agent ?? ''] ?? 0);
    const perPoll = candidate.agent === undefined ? undefined : used / polls;
    return [candidate, { perPoll, perMs: used / (performance.now() - from) }];
  });
  return new Map(costs);
}

/** Returns the longest gap while pages were scraped, and pauses the probes. */
async function gapsOf(candidates: readonly Candidate[]): Promise<Map<Candidate, number | undefined>> {
  const gaps = new Map<Candidate, number | undefined>();
  for (const candidate of candidates) {
    gaps.set(candidate, await candidate.longestGap?.());
    candidate.pauseProbe?.();
  }
  return gaps;
}

interface Measured {
  readonly run: PageRun;
  readonly seen: ScrapeResults | undefined;
  readonly polls: PollCost | undefined;
  readonly gap: number | undefined;
}

async function resultOf(candidate: Candidate, measured: Measured): Promise<PageResult> {
  const { scrapes, ages, answers } = measured.seen ?? { scrapes: [], ages: [], answers: [] };
  const perMs = measured.polls?.perMs ?? 0;
  return {
    candidate: candidate.name,
    series: measured.run.series,
    mix: measured.run.mix,
    plain: { ...latency(scrapes, 'identity'), cpu: await costOfScrape(candidate, 'identity', perMs) },
    gzip: { ...latency(scrapes, 'gzip'), cpu: await costOfScrape(candidate, 'gzip', perMs) },
    cpuPerPoll: measured.polls?.perPoll,
    peakMemory: peakMebibytes(candidate.pid),
    longestGap: measured.gap,
    age: quantile(ages, 0.5),
    changed: `${answers.filter((one, at) => at > 0 && one !== answers[at - 1]).length}/${answers.length - 1}`,
  };
}

function latency(scrapes: readonly Scrape[], encoding: Encoding): Omit<Latency, 'cpu'> {
  const own = scrapes.filter((one) => one.encoding === encoding);
  const millis = own.map((one) => one.millis);
  const bytes = quantile(
    own.map((one) => one.bytes.length),
    0.5,
  );
  return { p50: quantile(millis, 0.5), p99: quantile(millis, 0.99), most: Math.max(...millis), bytes };
}

/** Returns the CPU time of a scrape in the serving process: the average of ten, without the CPU time of polls meanwhile. */
async function costOfScrape(candidate: Candidate, encoding: Encoding, perMs: number): Promise<number> {
  const count = 10;
  const from = performance.now();
  const before = cpuMillis(candidate.pid);
  for (let at = 0; at < count; at += 1) await scrape(candidate.url, encoding);
  const polling = perMs * (performance.now() - from);
  return Math.max(0, cpuMillis(candidate.pid) - before - polling) / count;
}
