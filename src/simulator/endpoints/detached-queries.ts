import type { Endpoint, EndpointCall } from '../call.ts';
import { restppError, restppResults } from '../replies.ts';
import type { SimulatedQuery } from '../world/query.ts';
import { elapsed, processEntry } from './process-lists.ts';

/** `GET /restpp/query_status?requestid=…|all`: queries started with `GSQL-ASYNC`, on this node. */
export const queryStatus: Endpoint = (call) => {
  const asked = call.query.getAll('requestid');
  const known = detachedQueriesOf(call);
  const all = asked.length === 0 || asked.includes('all');
  const found = all
    ? known.filter(({ state }) => state === 'running')
    : known.filter(({ requestId }) => asked.includes(requestId));
  const unknown = all ? [] : asked.filter((id) => !known.some(({ requestId }) => requestId === id));
  return restppResults(
    found.map((query) => ({
      ...processEntry(query, call),
      elapsedTime: elapsed(query, call.world.now),
      // A delayed query is, in the words of the server, running.
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
