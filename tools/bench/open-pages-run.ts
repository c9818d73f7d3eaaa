import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { type ForkedProcess, forkServer } from './candidate.ts';
import { startGraphwarden } from './candidates.ts';
import { closeScrapers, scrape } from './scrape.ts';

/** Latency of `/metrics` without and with open status pages. */
export interface OpenPagesResult {
  readonly pages: number;
  /** Responses per second to all pages. */
  readonly responsesPerSecond: number;
  /** Time of each scrape without pages, from the request to the last byte, in ms. */
  readonly without: readonly number[];
  /** Time of each scrape with open pages. */
  readonly withPages: readonly number[];
}

/** Duration of each half of a round, one without and one with pages, in seconds. */
const roundSeconds = 10;
/** Time between two scrapes in ms, which is not a divisor of the intervals of pages and polls. */
const scrapeInterval = 83;

const answerSchema = z.object({ responses: z.number() });

/** Scrapes a daemon that monitors three calm nodes with default intervals, alternately without and with open pages. */
export async function runOpenPages(pages: number, rounds: number): Promise<OpenPagesResult> {
  const simulator = await startSimulator({ nodes: 3 }, { listen, clock: systemClock });
  const nodes = simulator.nodes.map(({ name, url }) => ({ name, url }));
  const graphwarden = await startGraphwarden({
    clusters: [{ name: 'bench', nodes, graphs: ['fraud'] }],
    collectors: {},
  });
  graphwarden.pauseProbe?.();
  const clients = await forkServer('open-pages-process.ts', [new URL(graphwarden.url).origin]);
  clients.pauseProbe();
  const [without, withPages]: [number[], number[]] = [[], []];
  let responses = 0;
  try {
    for (let round = 0; round < rounds; round += 1) {
      await setPages(clients, 0);
      without.push(...(await scrapes(graphwarden.url)));
      const before = await setPages(clients, pages);
      withPages.push(...(await scrapes(graphwarden.url)));
      responses += (await setPages(clients, pages)) - before;
    }
  } finally {
    closeScrapers();
    await clients.stop();
    await graphwarden.stop();
    await simulator.close();
  }
  return { pages, responsesPerSecond: responses / (rounds * roundSeconds), without, withPages };
}

/** Opens or closes pages, and returns the number of responses that all pages have got so far. */
async function setPages({ child }: ForkedProcess, pages: number): Promise<number> {
  const answer = once(child, 'message');
  child.send({ pages });
  return answerSchema.parse((await answer)[0]).responses;
}

async function scrapes(url: string): Promise<readonly number[]> {
  const latencies: number[] = [];
  const end = performance.now() + roundSeconds * 1000;
  while (performance.now() < end) {
    const { millis } = await scrape(url, latencies.length % 2 === 0 ? 'identity' : 'gzip');
    latencies.push(millis);
    await pause(scrapeInterval);
  }
  return latencies;
}
