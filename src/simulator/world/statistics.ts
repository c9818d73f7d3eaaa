import type { Millis } from '../../kernel/time.ts';
import type { SimulatedQuery } from './query.ts';

/** Statistics of one endpoint in a window, with the names and units (ms) of the server. */
export interface EndpointRecord {
  readonly CompletedRequests: number;
  readonly QPS: number;
  readonly TimeoutRequests: number;
  readonly AverageLatency: Millis;
  readonly MaxLatency: Millis;
  readonly MinLatency: Millis;
  /** Element i is an upper bound of the percentile (i + 1) × 100 / segments. */
  readonly LatencyPercentile: readonly Millis[];
}

/** Length of a statistics window, and the number of segments of its latencies. */
export interface StatisticsWindow {
  readonly seconds: number;
  readonly segments: number;
}

/** Summarizes ended queries by endpoint. */
export function summarizeEndpoints(
  ended: readonly SimulatedQuery[],
  window: StatisticsWindow,
): Readonly<Record<string, EndpointRecord>> {
  const groups = Object.entries(Object.groupBy(ended, ({ endpoint }) => endpoint));
  return Object.fromEntries(
    groups
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([endpoint, queries = []]) => [endpoint, endpointRecord(queries, window)]),
  );
}

function endpointRecord(queries: readonly SimulatedQuery[], { seconds, segments }: StatisticsWindow): EndpointRecord {
  const completed = queries.filter(({ state }) => state === 'success');
  const latencies = completed.map(latencyOf).toSorted((a, b) => a - b);
  const total = latencies.reduce((sum, length) => sum + length, 0);
  return {
    CompletedRequests: latencies.length,
    QPS: Math.round((latencies.length / seconds) * 100) / 100,
    TimeoutRequests: queries.filter(({ state }) => state === 'timeout').length,
    AverageLatency: latencies.length === 0 ? 0 : Math.round(total / latencies.length),
    MaxLatency: latencies.at(-1) ?? 0,
    MinLatency: latencies[0] ?? 0,
    LatencyPercentile: Array.from({ length: segments }, (_, index) => percentile(latencies, (index + 1) / segments)),
  };
}

function percentile(sorted: readonly Millis[], share: number): Millis {
  const rank = Math.max(0, Math.ceil(sorted.length * share) - 1);
  return bucketBound(sorted[rank] ?? 0);
}

/** Returns the bound of the bucket of a latency. Real servers report upper bounds, which can exceed the maximum. */
function bucketBound(length: Millis): Millis {
  const step = [10, 50, 100, 500].find((size) => length <= size * 10) ?? 1_000;
  return Math.ceil(length / step) * step;
}

function latencyOf({ arrivedAt, endedAt = arrivedAt }: SimulatedQuery): Millis {
  return Math.round(endedAt - arrivedAt);
}
