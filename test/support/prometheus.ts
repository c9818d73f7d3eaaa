import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import { eventually, startChild } from './child.ts';
import { freePort } from './free-port.ts';
import { readJson, send } from './http.ts';
import { requireTool } from './tools.ts';

/** Scrape job, with the keys of the configuration of Prometheus. */
export interface ScrapeConfig {
  readonly job_name: string;
  readonly static_configs: readonly { readonly targets: readonly string[] }[];
  readonly [key: string]: unknown;
}

/** One element of an instant vector. */
export interface VectorSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Exemplar in the format of the Prometheus API. */
export interface StoredExemplar {
  readonly series: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** Seconds since the epoch. */
  readonly timestamp: number;
}

/** Real Prometheus on a loopback port. */
export interface Prometheus {
  readonly url: string;
  readonly pid: number;
  /** Runs an instant query whose result is a vector. */
  query(expression: string): Promise<readonly VectorSample[]>;
  /** Returns the exemplars of the series that an expression selects. Prometheus stores them only with a feature flag. */
  exemplars(expression: string): Promise<readonly StoredExemplar[]>;
  /** Returns the health of each target: `up`, `down` with the last error, or `unknown` before the first scrape. */
  targets(): Promise<readonly TargetHealth[]>;
  /** Waits until each target was scraped well after the call. */
  scraped(): Promise<void>;
  stop(): Promise<void>;
}

/** State of a target in Prometheus. */
export interface TargetHealth {
  readonly scrapeUrl: string;
  readonly health: string;
  readonly lastError: string;
  readonly lastScrape: string;
}

const vector = z.object({
  data: z.object({
    resultType: z.literal('vector'),
    result: z.array(z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) })),
  }),
});

const texts = z.record(z.string(), z.string());
const exemplarList = z.object({
  data: z.array(
    z.object({
      seriesLabels: texts,
      exemplars: z.array(z.object({ labels: texts, value: z.string(), timestamp: z.number() })),
    }),
  ),
});

const targetList = z.object({
  data: z.object({
    activeTargets: z.array(
      z.object({ scrapeUrl: z.string(), health: z.string(), lastError: z.string(), lastScrape: z.string() }),
    ),
  }),
});

/** Starts Debian's Prometheus with these jobs in a temporary folder, and waits until it is ready. */
export async function startPrometheus(
  jobs: readonly ScrapeConfig[],
  interval = '1s',
  flags: readonly string[] = [],
): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'graphwarden-prometheus-'));
  const config = { global: { scrape_interval: interval, scrape_timeout: interval }, scrape_configs: jobs };
  await writeFile(join(folder, 'prometheus.yml'), stringify(config));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = startChild(requireTool('prometheus'), [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=warn',
    ...flags,
  ]);
  const stop = async (): Promise<void> => {
    await child.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await eventually('Prometheus is ready', async () => (await send(`${url}/-/ready`)).status === 200);
  } catch (error) {
    await stop();
    throw new Error(`Prometheus did not start: ${child.stderr()}`, { cause: error });
  }
  return { url, pid: child.pid, ...prometheusApi(url), stop };
}

function prometheusApi(url: string): Pick<Prometheus, 'query' | 'exemplars' | 'targets' | 'scraped'> {
  const targets = async (): Promise<readonly TargetHealth[]> =>
    targetList.parse(await readJson(`${url}/api/v1/targets`)).data.activeTargets;
  return {
    targets,
    query: async (expression) => {
      const answer = vector.parse(await readJson(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`));
      return answer.data.result.map(({ metric, value }) => ({ labels: metric, value: numberOf(value[1]) }));
    },
    exemplars: async (expression) => {
      const range = `start=0&end=${Math.ceil(Date.now() / 1000) + 60}`;
      const path = `/api/v1/query_exemplars?query=${encodeURIComponent(expression)}&${range}`;
      return exemplarList
        .parse(await readJson(url + path))
        .data.flatMap(({ seriesLabels: series, exemplars }) =>
          exemplars.map(({ labels, value, timestamp }) => ({ series, labels, value: numberOf(value), timestamp })),
        );
    },
    scraped: async () => {
      const from = Date.now();
      const scraped = new Set<string>();
      await eventually('every target was scraped', async () => {
        const all = await targets();
        // The targets need not be scraped at the same time: on a busy machine, some scrapes exceed their timeout.
        for (const { health, lastScrape, scrapeUrl } of all)
          if (health === 'up' && Date.parse(lastScrape) >= from) scraped.add(scrapeUrl);
        return all.length > 0 && all.every(({ scrapeUrl }) => scraped.has(scrapeUrl));
      });
    },
  };
}

function numberOf(text: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  return text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text);
}
