import { type Instant, type Millis, toSeconds } from '../kernel/time.ts';
import { type Metric, type Sample, sample } from '../metric/metric.ts';
import type { RunningQuery } from '../model/query.ts';
import { getOrCreate } from './keyed-rows.ts';

/** The two families of a list of queries. */
export interface PerGraphMetrics {
  readonly count: Metric<'graph'>;
  readonly oldest: Metric<'graph'>;
}

/** Graph of one listed query, and its age; undefined if it is unknown. */
export interface QueryAge {
  readonly graph: string;
  readonly age: Millis | undefined;
}

/** Maximum number of graphs that have series although no query runs. */
const maxIdleGraphs = 1000;

/**
 * Yields count and oldest age of the known graphs (0 without queries) and of every other graph in the list; no age for a
 * graph whose queries have none.
 */
export function* perGraphSamples(
  { count, oldest }: PerGraphMetrics,
  graphs: readonly string[],
  queries: Iterable<QueryAge>,
): Generator<Sample> {
  const seen = new Map(graphs.slice(0, maxIdleGraphs).map((graph) => [graph, idleGraph()]));
  for (const { graph, age } of queries) {
    const known = getOrCreate(seen, graph, idleGraph);
    known.queries += 1;
    // At least 0: an age is negative if clocks differ.
    if (age !== undefined) known.age = Math.max(known.age ?? 0, age);
  }
  for (const [graph, known] of seen) yield sample(count, { graph }, known.queries);
  for (const [graph, { queries: listed, age }] of seen) {
    if (listed === 0 || age !== undefined) yield sample(oldest, { graph }, toSeconds(age ?? 0));
  }
}

function idleGraph(): { queries: number; age: Millis | undefined } {
  return { queries: 0, age: undefined };
}

/**
 * Returns whether a query exceeds its granted timeout or `limit`; false if its age is unknown, or its timeout without a limit.
 * Unless the server measures the age, the query must be listed for longer as well: the time in its id includes its time in
 * the queue, and belongs to another clock.
 */
export function isOverdue(query: RunningQuery, at: Instant, limit = Number.POSITIVE_INFINITY): boolean {
  const { elapsed, listedFor, grantedTimeout = Number.POSITIVE_INFINITY } = query;
  const most = Math.min(grantedTimeout, limit);
  const age = queryAge(query, at);
  if (age === undefined || age <= most) return false;
  return elapsed !== undefined || listedFor === undefined || listedFor > most;
}

/** Returns the age of a query; negative if the node's clock is ahead. */
export function queryAge({ elapsed, arrivedAt }: RunningQuery, at: Instant): Millis | undefined {
  return elapsed ?? (arrivedAt === undefined ? undefined : at.wall - arrivedAt);
}
