import type { Millis } from '../../kernel/time.ts';
import type { EndpointCall } from '../call.ts';
import { type Reply, restppError, restppResults, unknownEndpoint } from '../replies.ts';
import type { SimulatedQuery } from '../world/query.ts';
import { defaultTimeout, installedQueries, installedQuery } from '../world/query-catalog.ts';
import { unknownGraph } from './unknown-graph.ts';

/** How often a client that waits for a result looks whether it is there. */
const resultPollInterval = 100;

/**
 * `GET|POST /restpp/query/{graph}/{name}`: runs for half a second unless the parameter `runs_for` (ms) says
 * otherwise; `GSQL-TIMEOUT` and `GSQL-ASYNC` are honoured.
 */
export async function runQuery(call: EndpointCall): Promise<Reply> {
  const { world, node, path, query, headers } = call;
  const { graph = '', name = '' } = path;
  if (!installedQueries.includes(name)) return unknownGraph(world, graph) ?? unknownEndpoint(`/query/${graph}/${name}`);
  const timeout = millis(headers['gsql-timeout']) ?? defaultTimeout;
  const detached = headers['gsql-async'] === 'true';
  const runsFor = millis(query.get('runs_for')) ?? 500;
  const order = installedQuery({ graph, query: name, parameters: query.toString(), runsFor, timeout, detached });
  const accepted = unknownGraph(world, graph) ?? node.load.start(order, world.now);
  if (accepted === undefined) return restppError(422, 'REST-14000', 'The workload queue is full.');
  if ('status' in accepted) return accepted;
  return detached ? restppResults([], '', { request_id: accepted.requestId }) : result(accepted.requestId, call);
}

/** A length above 0; undefined for anything else, which would have no place in time. */
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
