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

/** What one contender did in a run. Times are ms, memory is MiB; undefined where it does not apply. */
export interface PageResult extends Omit<PageRun, 'cycles' | 'cycleMs'> {
  readonly contender: string;
  readonly plain: Latency;
  readonly gzip: Latency;
  readonly cpuPerPoll: number | undefined;
  readonly peakMemory: number;
  readonly longestGap: number | undefined;
  /** Seconds between the upstream's answer and the scrape that showed it, the median. */
  readonly age: number;
  /** Pages that differed from the one before, of those that were compared. */
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

/** Runs all contenders on one upstream: scrapes them in turn in each cycle, then measures the cost of each. */
export async function runPage(run: PageRun): Promise<readonly PageResult[]> {
  const upstream = await forkServer('upstream.ts', [String(run.series), run.mix]);
  const contenders = await startAll(run, upstream.port);
  try {
    const seen = await scrapeInTurn(contenders, run);
    const gaps = await gapsOf(contenders);
    const polls = await costOfPolls(contenders, upstream.port, run);
    const results: PageResult[] = [];
    for (const contender of contenders) {
      const measured = { run, seen: seen.get(contender), polls: polls.get(contender), gap: gaps.get(contender) };
      results.push(await resultOf(contender, measured));
    }
    return results;
  } finally {
    closeScrapers();
    for (const contender of contenders) await contender.stop();
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

async function scrapeInTurn(contenders: readonly Candidate[], run: PageRun): Promise<Map<Candidate, ScrapeResults>> {
  const seen = new Map(
    contenders.map((one): [Candidate, ScrapeResults] => [one, { scrapes: [], ages: [], answers: [] }]),
  );
  await pause(2 * run.cycleMs);
  for (const contender of contenders) await contender.longestGap?.();
  const from = performance.now();
  // The scrapes drift through the whole interval of the polls, so that some of them meet a poll.
  const periodMs = run.cycleMs * (1 + 1 / run.cycles);
  for (let cycle = 0; cycle < run.cycles; cycle += 1) {
    const encoding: Encoding = cycle % 2 === 0 ? 'identity' : 'gzip';
    for (const [contender, { scrapes, ages, answers }] of seen) {
      const one = await scrape(contender.url, encoding);
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

/** CPU of a poll, and what polling costs for each ms of wall time: undefined where there is no polling. */
interface PollCost {
  readonly perPoll: number | undefined;
  readonly perMs: number;
}

async function costOfPolls(
  contenders: readonly Candidate[],
  port: number,
  run: PageRun,
): Promise<Map<Candidate, PollCost>> {
  const from = performance.now();
  const answersBefore = await answersOf(port);
  const before = contenders.map(({ pid }) => cpuMillis(pid));
  await pause(Math.min(run.cycles, 10) * run.cycleMs);
  const answers = await answersOf(port);
  const costs = contenders.map((contender, at): [Candidate, PollCost] => {
    const used = cpuMillis(contender.pid) - (before[at] ?? 0);
    const polls = (answers[contender.agent ?? ''] ?? 0) - (answersBefore[contender.agent ?? ''] ?? 0);
    const perPoll = contender.agent === undefined ? undefined : used / polls;
    return [contender, { perPoll, perMs: used / (performance.now() - from) }];
  });
  return new Map(costs);
}

/** The longest gap while pages were scraped; from then on the probes are still. */
async function gapsOf(contenders: readonly Candidate[]): Promise<Map<Candidate, number | undefined>> {
  const gaps = new Map<Candidate, number | undefined>();
  for (const contender of contenders) {
    gaps.set(contender, await contender.longestGap?.());
    contender.pauseProbe?.();
  }
  return gaps;
}

interface Measured {
  readonly run: PageRun;
  readonly seen: ScrapeResults | undefined;
  readonly polls: PollCost | undefined;
  readonly gap: number | undefined;
}

async function resultOf(contender: Candidate, measured: Measured): Promise<PageResult> {
  const { scrapes, ages, answers } = measured.seen ?? { scrapes: [], ages: [], answers: [] };
  const perMs = measured.polls?.perMs ?? 0;
  return {
    contender: contender.name,
    series: measured.run.series,
    mix: measured.run.mix,
    plain: { ...latency(scrapes, 'identity'), cpu: await costOfScrape(contender, 'identity', perMs) },
    gzip: { ...latency(scrapes, 'gzip'), cpu: await costOfScrape(contender, 'gzip', perMs) },
    cpuPerPoll: measured.polls?.perPoll,
    peakMemory: peakMebibytes(contender.pid),
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

/** CPU of the serving process for one scrape: that of ten in a row, less what polling would have used meanwhile. */
async function costOfScrape(contender: Candidate, encoding: Encoding, perMs: number): Promise<number> {
  const count = 10;
  const from = performance.now();
  const before = cpuMillis(contender.pid);
  for (let at = 0; at < count; at += 1) await scrape(contender.url, encoding);
  const polling = perMs * (performance.now() - from);
  return Math.max(0, cpuMillis(contender.pid) - before - polling) / count;
}
