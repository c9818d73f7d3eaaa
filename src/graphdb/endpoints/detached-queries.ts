import { z } from 'zod';
import { failure } from '../../kernel/failure.ts';
import { err, ok } from '../../kernel/result.ts';
import { type DetachedOutcome, type DetachedQueries, detachedOutcomes, type RunningQuery } from '../../model/query.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';
import { isGraphName } from '../query-identity.ts';
import { parserOf } from '../reply-schemas.ts';
import { fetchList } from './list.ts';
import { parseRunningQuery } from './process-lists.ts';

/** Maximum number of ids in one request: the server accepts URLs of 8 kB. */
const maxIds = 100;
/** Maximum number of ids of a graph whose outcome is still to be requested. */
const maxPending = 1000;

const state = parserOf(z.object({ requestid: z.string().min(1).max(200), status: z.string() }));
const invalidName = failure('unsupported', 'the name of the graph is invalid');

/** Query with the word of the server for its state. */
interface DetachedEntry {
  readonly id: string;
  readonly status: string;
  readonly query: RunningQuery;
}

interface TrackedQueries {
  /** Ids of queries that were running at the latest request, and of those that have ended since. */
  ids: readonly string[];
  readonly ended: Record<DetachedOutcome, number>;
}

/** Requests the queries of a graph in detached mode; it remembers which of them ran. */
export type FetchDetachedQueries = (caller: Caller, graph: string, signal: AbortSignal) => Answer<DetachedQueries>;

/**
 * Creates the call `GET /restpp/query_status` of one node. The server lists the running queries of a graph. It states the
 * outcome of a query only in a request with the id of the query, which is sent when the query is no longer listed.
 */
export function createDetachedQueryFetcher(): FetchDetachedQueries {
  const graphs = new Map<string, TrackedQueries>();
  return async (caller, graph, signal) => {
    if (!isGraphName(graph)) return err(caller.withContext('queryStatus', invalidName));
    const tracked = graphs.get(graph) ?? { ids: [], ended: { success: 0, timeout: 0, aborted: 0, unknown: 0 } };
    graphs.set(graph, tracked);
    const listed = await fetchStates(caller, graph, ['all'], signal);
    if (!listed.ok) return listed;
    const running = listed.value.filter(({ status }) => status === 'running');
    const present = new Set(running.map(({ id }) => id));
    const gone = tracked.ids.filter((id) => !present.has(id));
    tracked.ids = [...gone, ...present].slice(0, maxPending);
    const counted = await countEnded(caller, graph, { tracked, ids: gone.slice(0, maxIds) }, signal);
    if (!counted.ok) return counted;
    return ok({ graph, running: running.map(({ query }) => query), ended: { ...tracked.ended } });
  };
}

interface EndedQueries {
  readonly tracked: TrackedQueries;
  readonly ids: readonly string[];
}

async function countEnded(
  caller: Caller,
  graph: string,
  { tracked, ids }: EndedQueries,
  signal: AbortSignal,
): Answer<true> {
  if (ids.length === 0) return ok(true);
  const answer = await fetchStates(caller, graph, ids, signal);
  if (!answer.ok) return answer;
  const states = new Map(answer.value.map(({ id, status }) => [id, status]));
  for (const id of ids) {
    const status = states.get(id);
    if (status !== 'running') tracked.ended[detachedOutcomes.find((outcome) => outcome === status) ?? 'unknown'] += 1;
  }
  tracked.ids = tracked.ids.filter((id) => states.get(id) === 'running' || !ids.includes(id));
  return ok(true);
}

function fetchStates(
  caller: Caller,
  graph: string,
  ids: readonly string[],
  signal: AbortSignal,
): Answer<readonly DetachedEntry[]> {
  const parameters = ids.map((value) => ({ name: 'requestid', value }));
  const input = { query: { graph_name: graph }, parameters };
  const { wall } = caller.clock.now();
  const entry = (value: unknown) => parseEntry(value, wall);
  return fetchList(caller, { name: 'queryStatus', input, member: 'results', entry }, signal);
}

function parseEntry(value: unknown, now: number): DetachedEntry | undefined {
  const read = state(value);
  const query = parseRunningQuery(value, now);
  return read && query && { id: read.requestid, status: read.status, query };
}
