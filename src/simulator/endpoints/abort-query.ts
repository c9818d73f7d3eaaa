import type { Endpoint } from '../call.ts';
import { restppResults } from '../replies.ts';
import type { SimulatedQuery } from '../world/query.ts';
import { unknownGraph } from './unknown-graph.ts';

/**
 * `GET /restpp/abortquery/{graph}?requestid=…&url=…`: a GET that destroys. With neither argument, or with `all`,
 * it ends every running query of the graph on this node; delayed ones are out of its reach.
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

/** `/query/fraud/.*` is all that the wildcard is documented to do; anything else is taken literally. */
function matchesWildcard(wildcard: string, url: string): boolean {
  const base = wildcard.endsWith('.*') ? wildcard.slice(0, -2) : undefined;
  return base === undefined ? url.split('?')[0] === wildcard : url.startsWith(base);
}
