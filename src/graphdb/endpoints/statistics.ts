import { z } from 'zod';
import type { EndpointStatistics } from '../../model/query.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';
import { amount, entry } from '../shapes.ts';
import { readEntries } from './list.ts';

const window = { seconds: '60', segments: '100' };

const record = entry(
  z.object({
    CompletedRequests: amount,
    TimeoutRequests: amount,
    QPS: amount,
    AverageLatency: amount,
    MinLatency: amount,
    MaxLatency: amount,
    LatencyPercentile: z
      .array(amount)
      .nullish()
      .transform((value) => value ?? []),
  }),
);

/** `GET /restpp/statistics/{graph}` over 60 seconds in 100 percentiles: a bare object keyed `METHOD /path`, latencies in ms. */
export async function readStatistics(
  caller: Caller,
  graph: string,
  signal: AbortSignal,
): Answer<readonly EndpointStatistics[]> {
  const json = await caller.json('statistics', { segments: { graph }, query: window }, signal);
  if (!json.ok) return json;
  const entries = Object.entries(json.value);
  const inGraph = ([key, value]: readonly [string, unknown]): EndpointStatistics | undefined =>
    statisticsOf(graph, key, value);
  return await readEntries(caller, { name: 'statistics', entries, entry: inGraph }, signal);
}

/** Members of an envelope, which have no blank in their key, are no endpoints. */
function statisticsOf(graph: string, key: string, value: unknown): EndpointStatistics | undefined {
  const [, method, path] = /^([A-Z]+) (\/\S*)$/.exec(key) ?? [];
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
