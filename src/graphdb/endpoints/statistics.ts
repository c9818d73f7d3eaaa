import { z } from 'zod';
import type { EndpointStatistics } from '../../model/query.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';
import { numberOrZero, parserOf } from '../reply-schemas.ts';
import { parseEntries } from './list.ts';

const window = { seconds: '60', segments: '100' };

const record = parserOf(
  z.object({
    CompletedRequests: numberOrZero,
    TimeoutRequests: numberOrZero,
    QPS: numberOrZero,
    AverageLatency: numberOrZero,
    MinLatency: numberOrZero,
    MaxLatency: numberOrZero,
    LatencyPercentile: z
      .array(numberOrZero)
      .nullish()
      .transform((value) => value ?? []),
  }),
);

/** `GET /restpp/statistics/{graph}` over 60 seconds in 100 percentiles: a bare object keyed `METHOD /path`, latencies in ms. */
export async function fetchStatistics(
  caller: Caller,
  graph: string,
  signal: AbortSignal,
): Answer<readonly EndpointStatistics[]> {
  const json = await caller.json('statistics', { segments: { graph }, query: window }, signal);
  if (!json.ok) return json;
  const entries = Object.entries(json.value);
  const inGraph = ([key, value]: readonly [string, unknown]): EndpointStatistics | undefined =>
    parseStatistics(graph, key, value);
  return await parseEntries(caller, { name: 'statistics', entries, entry: inGraph }, signal);
}

/** Parses the statistics of one endpoint. Members without a blank in their key belong to the envelope. */
function parseStatistics(graph: string, key: string, value: unknown): EndpointStatistics | undefined {
  const [, method, path] = /^([A-Z]+) (\/.*)$/.exec(key) ?? [];
  const read = record(value);
  if (method === undefined || path === undefined || read === undefined) return undefined;
  return {
    graph,
    method,
    path,
    completed: read.CompletedRequests,
    timeouts: read.TimeoutRequests,
    perSecond: read.QPS,
    average: read.AverageLatency,
    minimum: read.MinLatency,
    maximum: read.MaxLatency,
    percentiles: read.LatencyPercentile,
  };
}
