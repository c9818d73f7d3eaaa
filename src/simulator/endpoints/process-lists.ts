import type { Endpoint, EndpointCall } from '../call.ts';
import { restppResults } from '../replies.ts';
import { localTime } from '../timestamps.ts';
import type { SimulatedQuery } from '../world/query.ts';
import { unknownGraph } from './unknown-graph.ts';

/** A running query as the lists show it; moments are in local time without a zone. */
export interface ProcessEntry {
  readonly requestid: string;
  readonly startTime: string;
  readonly expirationTime: string;
  readonly url: string;
}

/** `GET /restpp/showprocesslist/{graph}`: this node alone, and without `elapsedTime`. */
export const processList: Endpoint = (call) => {
  const graph = call.path.graph ?? '';
  const mine = call.node.load.running.filter((query) => query.graph === graph);
  return unknownGraph(call.world, graph) ?? restppResults(mine.map((query) => processEntry(query, call)));
};

/** `GET /restpp/showprocesslistall`: this node alone, all graphs. */
export const processListAll: Endpoint = (call) =>
  restppResults(
    call.node.load.running.map((query) => ({
      ...processEntry(query, call),
      elapsedTime: elapsed(query, call.world.now),
    })),
  );

/** `GET /restpp/showdelayedlistall`: this node alone; the partial id is the moment of arrival and may repeat. */
export const delayedListAll: Endpoint = ({ node, world }) =>
  restppResults(
    node.load.delayed.map(({ requestId, arrivedAt, url }) => ({
      requestidPartial: requestId.split('.')[2] ?? '',
      startTime: localTime(arrivedAt + world.clockOffset(node.host)),
      url,
      elapsedTime: Math.round(world.now - arrivedAt),
    })),
  );

/** One entry of a process list. */
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

/** How long a query has run, or ran, in ms. */
export function elapsed({ startedAt, arrivedAt, endedAt }: SimulatedQuery, now: number): number {
  return Math.round((endedAt ?? now) - (startedAt ?? arrivedAt));
}
