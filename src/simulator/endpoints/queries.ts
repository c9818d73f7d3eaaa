import type { Millis } from '../../kernel/time.ts';
import type { Endpoint, EndpointCall } from '../call.ts';
import { type Reply, restppError, restppResults, unknownEndpoint } from '../replies.ts';
import { localTime } from '../timestamps.ts';
import { defaultTimeout, installedQueries, installedQuery, type SimulatedQuery } from '../world/query.ts';
import { unknownGraph } from './database.ts';
import { monitoringResults } from './monitoring-queries.ts';

/** Interval at which a client polls for a result. */
const resultPollInterval: Millis = 100;

/**
 * `GET|POST /restpp/query/{graph}/{name}`: runs for `runs_for` (ms), by default for half a second. Supports the headers
 * `GSQL-TIMEOUT` and `GSQL-ASYNC`.
 */
export async function runQuery(call: EndpointCall): Promise<Reply> {
  const { world, node, path, query, headers } = call;
  const { graph = '', name = '' } = path;
  const printed = monitoringResults(name, graph, call);
  if (printed !== undefined) return printed;
  if (!installedQueries.includes(name)) return unknownGraph(world, graph) ?? unknownEndpoint(`/query/${graph}/${name}`);
  const timeout = millis(headers['gsql-timeout']) ?? defaultTimeout;
  const detached = headers['gsql-async'] === 'true';
  const runsFor = millis(query.get('runs_for')) ?? 500;
  const spec = installedQuery({ graph, query: name, parameters: query.toString(), runsFor, timeout, detached });
  const accepted = unknownGraph(world, graph) ?? node.load.start(spec, world.now);
  if (accepted === undefined) return restppError(422, 'REST-14000', 'The workload queue is full.');
  if ('status' in accepted) return accepted;
  return detached ? restppResults([], '', { request_id: accepted.requestId }) : result(accepted.requestId, call);
}

/** Parses a positive duration; undefined for anything else. */
function millis(text: string | null | undefined): Millis | undefined {
  const length = Number(text ?? 0);
  return length > 0 && Number.isFinite(length) ? length : undefined;
}

async function result(requestId: string, { node, clock, advanceClock, disconnected }: EndpointCall): Promise<Reply> {
  for (;;) {
    const query = node.load.find(requestId);
    const reply = query === undefined ? lostReply : replyForState(query);
    if (reply !== undefined || disconnected.aborted) return reply ?? lostReply;
    await clock.sleep(resultPollInterval, disconnected);
    advanceClock();
  }
}

const lostReply = restppError(500, 'REST-12001', 'No running engine.');

function replyForState({ state, name, timeout, requestId }: SimulatedQuery): Reply | undefined {
  if (state === 'success') return restppResults([{ simulated: true, query: name }]);
  if (state === 'aborted') return restppError(500, 'REST-12002', `The query ${requestId} was aborted.`);
  if (state !== 'timeout') return undefined;
  const limit = `(${Math.round(timeout / 1000)} seconds)`;
  const text = `The query didn't finish because it exceeded the query timeout threshold ${limit}. request id (${requestId})`;
  return restppError(408, 'REST-3002', text);
}

/** Running query in the format of the lists; times are in local time without a zone. */
export interface ProcessEntry {
  readonly requestid: string;
  readonly startTime: string;
  readonly expirationTime: string;
  readonly url: string;
}

/** `GET /restpp/showprocesslist/{graph}`: this node only, without `elapsedTime`. */
export const processList: Endpoint = (call) => {
  const graph = call.path.graph ?? '';
  const listed = call.node.load.running.filter((query) => query.graph === graph);
  return unknownGraph(call.world, graph) ?? restppResults(listed.map((query) => processEntry(query, call)));
};

/** `GET /restpp/showprocesslistall`: this node only, all graphs. */
export const processListAll: Endpoint = (call) =>
  restppResults(
    call.node.load.running.map((query) => ({
      ...processEntry(query, call),
      elapsedTime: elapsed(query, call.world.now),
    })),
  );

/** `GET /restpp/showdelayedlistall`: this node only. The partial id is the arrival time and not unique. */
export const delayedListAll: Endpoint = ({ node, world }) =>
  restppResults(
    node.load.delayed.map(({ requestId, arrivedAt, url }) => ({
      requestidPartial: requestId.split('.')[2] ?? '',
      startTime: localTime(arrivedAt + world.clockOffset(node.host)),
      url,
      elapsedTime: Math.round(world.now - arrivedAt),
    })),
  );

/** Returns an entry of a process list. */
export function processEntry(
  query: SimulatedQuery,
  { node, world }: Pick<EndpointCall, 'node' | 'world'>,
): ProcessEntry {
  const start = (query.startedAt ?? query.arrivedAt) + world.clockOffset(node.host);
  return {
    requestid: query.requestId,
    startTime: localTime(start),
    expirationTime: localTime(start + query.timeout),
    url: query.url,
  };
}

/** Returns the time for which a query has run, in ms. */
export function elapsed({ startedAt, arrivedAt, endedAt }: SimulatedQuery, now: number): number {
  return Math.round((endedAt ?? now) - (startedAt ?? arrivedAt));
}

/** `GET /restpp/query_status?requestid=…|all[&graph_name=…]`: queries started with `GSQL-ASYNC`, on this node. */
export const queryStatus: Endpoint = (call) => {
  const requested = call.query.getAll('requestid');
  const graph = call.query.get('graph_name');
  const known = detachedQueriesOf(call).filter((query) => graph === null || query.graph === graph);
  const all = requested.length === 0 || requested.includes('all');
  const found = all
    ? known.filter(({ state }) => state === 'running')
    : known.filter(({ requestId }) => requested.includes(requestId));
  const unknown = all ? [] : requested.filter((id) => !known.some(({ requestId }) => requestId === id));
  return restppResults(
    found.map((query) => ({
      ...processEntry(query, call),
      elapsedTime: elapsed(query, call.world.now),
      // The server reports a delayed query as running.
      status: query.state === 'delayed' ? 'running' : query.state,
    })),
    '',
    unknown.length === 0 ? {} : { unknown_requestid: unknown },
  );
};

/** `GET /restpp/query_result?requestid=…`: an error while the query still runs; success has no code. */
export const queryResult: Endpoint = (call) => {
  const id = call.query.get('requestid') ?? '';
  const query = detachedQueriesOf(call).find(({ requestId }) => requestId === id);
  if (query?.state !== 'success') {
    return restppError(400, 'REST-30001', `Unable to retrieve result for query ${id}`);
  }
  return restppResults([{ simulated: true, query: query.name }], '', { code: undefined });
};

function detachedQueriesOf({ node }: EndpointCall): readonly SimulatedQuery[] {
  const { running, delayed } = node.load;
  return [...running, ...delayed, ...node.load.endedSince(0)].filter((query) => query.detached);
}

/**
 * `GET /restpp/abortquery/{graph}?requestid=…&url=…`: a GET with an effect. Without arguments, or with `all`, it ends all
 * running queries of the graph on this node; delayed queries are not affected.
 */
export const abortQuery: Endpoint = ({ world, node, path, query, recordAbort }) => {
  const graph = path.graph ?? '';
  const refused = unknownGraph(world, graph);
  if (refused !== undefined) return refused;
  const chosen = selectQueries(query.getAll('requestid'), query.getAll('url'));
  const aborted = node.load.abort((one) => one.graph === graph && chosen(one), world.now);
  for (const { requestId, url } of aborted) recordAbort(requestId, url);
  return restppResults([{ aborted_queries: aborted.map(({ requestId, url }) => ({ requestid: requestId, url })) }]);
};

function selectQueries(ids: readonly string[], urls: readonly string[]): (query: SimulatedQuery) => boolean {
  if (ids.includes('all') || (ids.length === 0 && urls.length === 0)) return () => true;
  return ({ requestId, url }) => ids.includes(requestId) || urls.some((wildcard) => matchesWildcard(wildcard, url));
}

/** Returns whether a URL matches. Only the documented form `/query/fraud/.*` is a wildcard; other texts are literal. */
function matchesWildcard(wildcard: string, url: string): boolean {
  const base = wildcard.endsWith('.*') ? wildcard.slice(0, -2) : undefined;
  return base === undefined ? url.split('?')[0] === wildcard : url.startsWith(base);
}
