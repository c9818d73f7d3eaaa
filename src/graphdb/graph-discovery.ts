import { z } from 'zod';
import { waitAtMost, withDeadline } from '../kernel/deadline.ts';
import { errorName, failure } from '../kernel/failure.ts';
import { err, mapResult, ok } from '../kernel/result.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import type { Caller } from './caller.ts';
import { parseEntries } from './endpoints/list.ts';
import type { Answer } from './graph-db.ts';
import { isGraphName } from './query-identity.ts';
import { parserOf, rawList, textOrEmpty } from './reply-schemas.ts';

/** Graphs of a cluster, shared by its nodes. */
export interface GraphDiscovery {
  names(caller: Caller, signal: AbortSignal): Answer<readonly string[]>;
  /** Marks the graphs as outdated after one was missing: they are requested again soon. */
  invalidate(): void;
}

interface KnownGraphs extends GraphList {
  /** Monotonic time of the last request. */
  readonly requestedAt: number;
  /** Monotonic time of the next request. */
  readonly freshUntil: number;
}

interface GraphList {
  readonly names: readonly string[];
  /** Whether the list is from the GSQL server; the data plane lists only graphs with installed queries. */
  readonly isComplete: boolean;
}

const freshFor: Millis = 300_000;
const retryAfter: Millis = 30_000;
const refreshTimeout: Millis = 5000;
/** Maximum time for which a caller waits for a request through another node, so that a hung node does not delay it. */
const sharedWait: Millis = 500;
/** Timeout of the GSQL server, after which the request goes to the data plane. */
const gsqlTimeout: Millis = 1500;

/** Returns a configured list as it is; `auto` requests it from the server, and every five minutes in the background. */
export function createGraphDiscovery(configured: 'auto' | readonly string[], clock: Clock): GraphDiscovery {
  if (configured !== 'auto') return { names: () => Promise.resolve(ok(configured)), invalidate: () => undefined };
  let known: KnownGraphs | undefined;
  let running: Promise<unknown> | undefined;

  async function fetchNames(caller: Caller, signal: AbortSignal): Answer<readonly string[]> {
    const found = await discoverGraphs(caller, signal).catch((error: unknown) =>
      err(failure('body', `processing the list of graphs failed: ${errorName(error)}`)),
    );
    const { mono } = clock.now();
    // The shorter list of the data plane must not look as if graphs were dropped.
    const isKept = known !== undefined && (!found.ok || (known.isComplete && !found.value.isComplete));
    if (isKept && known !== undefined) known = { ...known, requestedAt: mono, freshUntil: mono + retryAfter };
    else if (found.ok) known = { ...found.value, requestedAt: mono, freshUntil: mono + freshFor };
    return found.ok ? ok(known?.names ?? found.value.names) : found;
  }

  function start<T>(answer: Promise<T>): Promise<T> {
    const current = answer.finally(() => {
      if (running === current) running = undefined;
    });
    running = current;
    return current;
  }

  async function firstNames(caller: Caller, signal: AbortSignal): Answer<readonly string[]> {
    if (running !== undefined) await waitAtMost(clock, sharedWait, running, signal);
    return known === undefined ? await start(fetchNames(caller, signal)) : ok(known.names);
  }

  return {
    async names(caller, signal) {
      if (known === undefined) return await firstNames(caller, signal);
      if (running === undefined && clock.now().mono >= known.freshUntil) {
        void start(withDeadline(clock, refreshTimeout, (deadline) => fetchNames(caller, deadline)));
      }
      return ok(known.names);
    },
    invalidate() {
      if (known === undefined) return;
      known = { ...known, freshUntil: Math.min(known.freshUntil, known.requestedAt + retryAfter) };
    },
  };
}

/** The GSQL server has the complete list but needs credentials; the data plane lists queries by graph. */
async function discoverGraphs(caller: Caller, signal: AbortSignal): Answer<GraphList> {
  const listed = await withDeadline(caller.clock, gsqlTimeout, (deadline) => fromSchema(caller, deadline), signal);
  if (listed.ok) return ok({ names: listed.value, isComplete: true });
  const derived = await fromEndpoints(caller, signal);
  if (derived.ok) return ok({ names: derived.value, isComplete: false });
  return listed.error.reason === 'unsupported' ? derived : listed;
}

const schemaReply = z.object({ graphs: rawList });
const graph = parserOf(z.object({ graphName: textOrEmpty }));

async function fromSchema(caller: Caller, signal: AbortSignal): Answer<readonly string[]> {
  const json = await caller.json('schemaGraphs', {}, signal);
  if (!json.ok) return json;
  const read = schemaReply.safeParse(json.value);
  if (!read.success)
    return err(caller.withContext('schemaGraphs', failure('body', 'the response contains no list of graphs')));
  const nameIn = (item: unknown): string | undefined => graph(item)?.graphName;
  return mapResult(
    await parseEntries(caller, { name: 'schemaGraphs', entries: read.data.graphs, entry: nameIn }, signal),
    normalizeNames,
  );
}

async function fromEndpoints(caller: Caller, signal: AbortSignal): Answer<readonly string[]> {
  const json = await caller.json('endpoints', { query: { dynamic: 'true' } }, signal);
  if (!json.ok) return json;
  return ok(
    normalizeNames(
      Object.keys(json.value).map((key) => /^[A-Z]+ (?:\/restpp)?\/query\/([^/]+)\//.exec(key)?.[1] ?? ''),
    ),
  );
}

/** The limits of a reply bound the number of graphs; collectors that send a request for each have limits of their own. */
function normalizeNames(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter(isGraphName))].toSorted();
}
