import { Board } from '../collect/board.ts';
import type { Reading } from '../collect/runner.ts';
import { ShownMemory } from '../collect/withheld.ts';
import type { Page } from '../expose/page.ts';
import { failure } from '../kernel/failure.ts';
import type { IncomingRequest, OutgoingReply } from '../kernel/listener.ts';
import { err } from '../kernel/result.ts';
import type { Millis } from '../kernel/time.ts';
import { contentOf, feedOf } from './content.ts';
import { exposition } from './metrics-route.ts';
import { type Outcome, probeOutcome } from './probe-outcome.ts';
import { type Target, targetOf } from './probe-target.ts';
import { problem } from './reply.ts';
import type { Route } from './routes.ts';
import type { Site } from './site.ts';

/** The page of a probe, and what stands behind it. */
interface Probed {
  readonly page: Page;
  readonly outcome: string;
}

const usualTimeout: Millis = 10_000;
/** What is left for the answer's way back to the scraper. */
const margin: Millis = 500;
const shortest: Millis = 100;

/** `/probe`: reads now, for those who want to collect when they scrape. Its readings feed nothing else. */
export function probeRoute(site: Site): Route {
  const underWay = new Map<string, Promise<Probed>>();
  return {
    method: 'GET',
    path: '/probe',
    about: 'Reads a configured cluster or node now, and shows what it read.',
    parameters: [
      { name: 'target', about: 'CLUSTER or CLUSTER/NODE.', schema: { type: 'string' }, required: true },
      {
        name: 'collector',
        about: 'The collectors to run: a list with commas, or repeated.',
        schema: { type: 'array', items: { type: 'string' } },
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
    const { page, outcome } = await together(target.value, timeout);
    return exposition(page, request, async () => outcome);
  }

  /** Equal probes share one page: the earlier one's deadline is the sooner. */
  function together(target: Target, timeout: Millis): Promise<Probed> {
    const places = target.places.map(({ planned, node }) => [planned.collector.name, node]);
    const key = JSON.stringify([target.watch.settings.name, places, timeout]);
    const shared = underWay.get(key);
    if (shared !== undefined) return shared;
    const probed = probe(site, target, timeout).finally(() => underWay.delete(key));
    underWay.set(key, probed);
    return probed;
  }
}

/** What is left of the scraper's patience. */
export function timeoutOf(header: string | undefined): Millis {
  const given = Number(header) * 1000;
  const timeout = Number.isFinite(given) && given > 0 ? given : usualTimeout;
  return Math.max(shortest, timeout - margin);
}

async function probe(site: Site, target: Target, timeout: Millis): Promise<Probed> {
  const { clock } = site.ports;
  const started = clock.now().mono;
  const page = site.parts.createPage(site.config().limits);
  const board = await readAll(site, target, timeout);
  const outcomes = await show(page, board, target);
  return { page, outcome: probeOutcome(outcomes, clock.now().mono - started) };
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
      const read = watch.probe({ collector, settings: { ...settings, timeout: longest } }, node);
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

async function show(page: Page, board: Board, { watch, places }: Target): Promise<readonly Outcome[]> {
  const beside = places.map(({ planned }) => planned);
  const outcomes: Outcome[] = [];
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
