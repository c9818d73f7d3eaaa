import type { EndpointReport } from '../../src/api/queries.ts';

/** Durations of the requests of a query that ended in the last minute, on all nodes of a cluster; in seconds. */
export interface QueryDurations {
  readonly cluster: string;
  readonly graph: string;
  readonly query: string;
  readonly completed: number;
  readonly timeouts: number;
  /** Quantiles of the node with the longest; null if they are not known. */
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p99: number | null;
  readonly max: number | null;
}

/** Returns the installed queries with requests in the last minute, those with the longest duration first. */
export function queryDurations(endpoints: readonly EndpointReport[]): readonly QueryDurations[] {
  const queries = endpoints.flatMap((endpoint) => {
    const [, query] = /^\/query\/[^/]+\/([^/]+)$/.exec(endpoint.path) ?? [];
    return query === undefined || endpoint.completed + endpoint.timeouts === 0 ? [] : [{ ...endpoint, query }];
  });
  const groups = Map.groupBy(queries, ({ cluster, graph, query }) => JSON.stringify([cluster, graph, query]));
  return [...groups.values()]
    .map((own) => ({
      cluster: own[0]?.cluster ?? '',
      graph: own[0]?.graph ?? '',
      query: own[0]?.query ?? '',
      completed: sum(own.map(({ completed }) => completed)),
      timeouts: sum(own.map(({ timeouts }) => timeouts)),
      p50: longest(own.map(({ p50Seconds, maxSeconds }) => atMost(p50Seconds, maxSeconds))),
      p90: longest(own.map(({ p90Seconds, maxSeconds }) => atMost(p90Seconds, maxSeconds))),
      p99: longest(own.map(({ p99Seconds, maxSeconds }) => atMost(p99Seconds, maxSeconds))),
      max: longest(own.map(({ maxSeconds }) => maxSeconds)),
    }))
    .toSorted((one, other) => (other.max ?? 0) - (one.max ?? 0) || one.query.localeCompare(other.query));
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

/** Limits a quantile to the maximum, because it is the upper bound of its bucket. */
function atMost(quantile: number | null, max: number | null): number | null {
  return quantile === null ? null : Math.min(quantile, max ?? quantile);
}

function longest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}
