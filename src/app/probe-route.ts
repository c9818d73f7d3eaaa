import { Board } from '../collect/board.ts';
import type { Reading } from '../collect/runner.ts';
import { ShownMemory } from '../collect/withheld.ts';
import type { Page } from '../expose/page.ts';
import { failure } from '../kernel/failure.ts';
import type { IncomingRequest, OutgoingReply } from '../kernel/listener.ts';
import { err } from '../kernel/result.ts';
import { inSeconds, type Millis } from '../kernel/time.ts';
import { gauge, sample } from '../metric/metric.ts';
import { contentOf, feedOf } from './content.ts';
import { exposition } from './metrics-route.ts';
import { type Target, targetOf } from './probe-target.ts';
import { problem } from './reply.ts';
import type { Route } from './routes.ts';
import type { Site } from './site.ts';

const source = 'measured by us';
const probeSuccess = gauge({ name: 'probe_success', help: 'Whether every reading of the probe was good.', source });
const probeDuration = gauge({ name: 'probe_duration_seconds', help: 'How long the probe took.', source });
const probeCollectorSuccess = gauge({
  name: 'probe_collector_success',
  help: 'Whether the reading of one collector was good; node is empty for a fact of the whole cluster.',
  labels: ['collector', 'node'],
  source,
});

const usualTimeout: Millis = 10_000;
/** What is left for the answer's way back to the scraper. */
const margin: Millis = 500;
const shortest: Millis = 100;

/** `/probe`: reads now, for those who want to collect when they scrape. Its readings feed nothing else. */
export function probeRoute(site: Site): Route {
  const underWay = new Map<string, Promise<Page>>();
  return {
    method: 'GET',
    path: '/probe',
    about: 'Reads a configured cluster or node now, and shows what it read.',
    parameters: [
      { name: 'target', about: 'CLUSTER or CLUSTER/NODE.', schema: { type: 'string' }, required: true },
      {
        name: 'collector',
        about: 'The collectors to run: a list with commas, or repeated.',
        schema: { type: 'string' },
      },
    ],
    gives: { type: 'text/plain' },
    problems: { 400: 'The target or a collector is not a configured one.' },
    handle,
  };

  async function handle(request: IncomingRequest): Promise<OutgoingReply> {
    const target = targetOf(request.query, site);
    if (!target.ok) return problem(400, target.error);
    const timeout = timeoutOf(request.headers['x-prometheus-scrape-timeout-seconds']);
    return exposition(await together(target.value, timeout), request, async () => '');
  }

  /** Equal probes share one page: the earlier one's deadline is the sooner. */
  function together(target: Target, timeout: Millis): Promise<Page> {
    const places = target.places.map(({ planned, node }) => [planned.collector.name, node]);
    const key = JSON.stringify([target.watch.settings.name, places, timeout]);
    const shared = underWay.get(key);
    if (shared !== undefined) return shared;
    const page = probe(site, target, timeout).finally(() => underWay.delete(key));
    underWay.set(key, page);
    return page;
  }
}

/** What is left of the scraper's patience. */
export function timeoutOf(header: string | undefined): Millis {
  const given = Number(header) * 1000;
  const timeout = Number.isFinite(given) && given > 0 ? given : usualTimeout;
  return Math.max(shortest, timeout - margin);
}

async function probe(site: Site, target: Target, timeout: Millis): Promise<Page> {
  const { clock } = site.ports;
  const started = clock.now().mono;
  const page = site.parts.createPage(site.config().limits);
  const board = await readAll(site, target, timeout);
  const outcomes = await show(page, board, target);
  const tookSeconds = inSeconds(clock.now().mono - started);
  const samples = [
    sample(probeSuccess, {}, outcomes.every(({ good }) => good) && outcomes.length > 0 ? 1 : 0),
    sample(probeDuration, {}, tookSeconds),
    ...outcomes.map(({ collector, node, good }) => sample(probeCollectorSuccess, { collector, node }, good ? 1 : 0)),
  ];
  await page.put('probe', { labels: {}, samples });
  return page;
}

async function readAll({ ports: { clock } }: Site, { watch, places }: Target, timeout: Millis): Promise<Board> {
  const started = clock.now();
  const board = new Board();
  const over = new AbortController();
  const deadline = clock.sleep(timeout, over.signal).then(() => undefined);
  await Promise.all(
    places.map(async ({ planned, node }) => {
      const { settings, collector } = planned;
      // A check may take half an hour: unlike the others it must not go on when nobody waits for it.
      const longest = settings.cron === undefined ? settings.timeout : Math.min(settings.timeout, timeout);
      const read = watch.read({ collector, settings: { ...settings, timeout: longest } }, node);
      const reading = (await Promise.race([read, deadline])) ?? unfinished();
      board.note({ cluster: watch.settings.name, collector: collector.name, node }, reading, Infinity);
    }),
  );
  over.abort();
  return board;

  function unfinished(): Reading {
    const error = failure('timeout', 'no reading before the probe had to answer');
    return { result: err(error), source: '', started, ended: clock.now() };
  }
}

async function show(page: Page, board: Board, { watch, places }: Target) {
  const beside = places.map(({ planned }) => planned);
  const outcomes = [];
  for (const { planned, node } of places) {
    const feed = feedOf(watch.settings, planned, node, beside);
    const content = contentOf(feed, new ShownMemory(), board);
    const { collector } = feed;
    const isShown = content === undefined || (await put(page, JSON.stringify([collector, node]), content));
    outcomes.push({ collector, node, good: board.isFresh(feed) && isShown });
  }
  return outcomes;
}

async function put(page: Page, name: string, content: NonNullable<ReturnType<typeof contentOf>>): Promise<boolean> {
  try {
    await page.put(name, content);
    return true;
  } catch {
    page.remove(name);
    return false;
  }
}
