import { z } from 'zod';
import { failure } from '../kernel/failure.ts';
import { err, map, ok } from '../kernel/result.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import type { Caller } from './caller.ts';
import { readEntries } from './endpoints/list.ts';
import type { Answer } from './graph-db.ts';
import { isGraphName } from './graph-name.ts';
import { entry, list, text } from './shapes.ts';
import { withDeadline } from './waiting.ts';

/** The graphs of a cluster, shared by its nodes. */
export interface GraphNames {
  names(caller: Caller, signal: AbortSignal): Answer<readonly string[]>;
  /** One of them was not there: they are asked for again soon. */
  doubt(): void;
}

interface Known {
  readonly names: readonly string[];
  /** Monotonic: when they were last asked for. */
  readonly askedAt: number;
  /** Monotonic: not asked again before. */
  readonly freshUntil: number;
}

const freshFor: Millis = 300_000;
const retryAfter: Millis = 30_000;
const refreshTimeout: Millis = 5000;
/** How long a caller waits for what another node was asked: a hung node delays nobody. */
const patience: Millis = 500;
/** After this the GSQL server is taken for hung, and the data plane is asked. */
const gsqlTimeout: Millis = 1500;

/** A configured list is the answer; `auto` asks the server, and in the background every five minutes again. */
export function createGraphNames(configured: 'auto' | readonly string[], clock: Clock): GraphNames {
  if (configured !== 'auto') return { names: () => Promise.resolve(ok(configured)), doubt: () => undefined };
  let known: Known | undefined;
  let running: Promise<unknown> | undefined;

  async function ask(caller: Caller, signal: AbortSignal): Answer<readonly string[]> {
    const found = await discover(caller, signal);
    const { mono } = clock.now();
    if (found.ok) known = { names: found.value, askedAt: mono, freshUntil: mono + freshFor };
    else if (known !== undefined) known = { ...known, askedAt: mono, freshUntil: mono + retryAfter };
    return found;
  }

  function start<T>(answer: Promise<T>): Promise<T> {
    const mine = answer.finally(() => {
      if (running === mine) running = undefined;
    });
    running = mine;
    return mine;
  }

  async function firstNames(caller: Caller, signal: AbortSignal): Answer<readonly string[]> {
    if (running !== undefined) await patiently(running, clock, signal);
    return known === undefined ? await start(ask(caller, signal)) : ok(known.names);
  }

  return {
    async names(caller, signal) {
      if (known === undefined) return await firstNames(caller, signal);
      if (running === undefined && clock.now().mono >= known.freshUntil) {
        void start(withDeadline(clock, refreshTimeout, (deadline) => ask(caller, deadline)));
      }
      return ok(known.names);
    },
    doubt() {
      if (known === undefined) return;
      known = { ...known, freshUntil: Math.min(known.freshUntil, known.askedAt + retryAfter) };
    },
  };
}

async function patiently(running: Promise<unknown>, clock: Clock, signal: AbortSignal): Promise<void> {
  const enough = new AbortController();
  await Promise.race([running, clock.sleep(patience, AbortSignal.any([signal, enough.signal]))]);
  enough.abort();
}

/** The GSQL server knows the graphs best but wants credentials of its own; the data plane lists queries by graph. */
async function discover(caller: Caller, signal: AbortSignal): Answer<readonly string[]> {
  const listed = await withDeadline(caller.clock, gsqlTimeout, (deadline) =>
    fromSchema(caller, AbortSignal.any([signal, deadline])),
  );
  if (listed.ok) return listed;
  const derived = await fromEndpoints(caller, signal);
  return derived.ok || listed.error.reason === 'unsupported' ? derived : listed;
}

const summary = z.object({ graphs: list });
const graph = entry(z.object({ graphName: text }));

/** Far more than a server has. Some collectors make a call for each of them. */
const mostGraphs = 1000;

async function fromSchema(caller: Caller, signal: AbortSignal): Answer<readonly string[]> {
  const json = await caller.json('schemaGraphs', {}, signal);
  if (!json.ok) return json;
  const read = summary.safeParse(json.value);
  if (!read.success) return err(caller.about('schemaGraphs', failure('body', 'the answer has no list of graphs')));
  const nameIn = (item: unknown): string | undefined => graph(item)?.graphName;
  return map(
    await readEntries(caller, { name: 'schemaGraphs', entries: read.data.graphs, entry: nameIn }, signal),
    tidy,
  );
}

async function fromEndpoints(caller: Caller, signal: AbortSignal): Answer<readonly string[]> {
  const json = await caller.json('endpoints', { query: { dynamic: 'true' } }, signal);
  if (!json.ok) return json;
  return ok(tidy(Object.keys(json.value).map((key) => /^[A-Z]+ (?:\/restpp)?\/query\/([^/]+)\//.exec(key)?.[1] ?? '')));
}

function tidy(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter(isGraphName))].slice(0, mostGraphs).toSorted();
}
