import { type QueryAgeListeners, QueryAges } from '../../../src/app/page/query-ages.ts';
import type { CollectorFeed } from '../../../src/app/poll/collector-feed.ts';
import { queries } from '../../../src/collect/queries.ts';
import type { Failure } from '../../../src/kernel/failure.ts';
import { ok, type Result } from '../../../src/kernel/result.ts';
import type { Sample } from '../../../src/metric/metric.ts';
import { FakeClock } from '../../support/clock.ts';

export const clock = new FakeClock();
export const pace = { interval: 5000, lifetime: 15_000 };

export function feedOf(node = 'm1', definition = queries, cluster = 'prod'): CollectorFeed {
  return { cluster, collector: definition.name, node, definition, labels: {}, passthrough: false };
}

export function pollResultOf(result: Result<unknown, Failure>) {
  const now = clock.now();
  return { result, source: 'm1', started: now, ended: now };
}

/** A good list of queries: id, seconds, graph. */
export function listOf(...listed: readonly (readonly [id: string, age: number | undefined, graph?: string])[]) {
  const rows = listed.map(([requestId, age, graph = 'fraud']) => ({
    requestId,
    graph,
    query: 'ring_scan',
    kind: 'installed',
    ...(age === undefined ? {} : { elapsed: age * 1000 }),
  }));
  return pollResultOf(ok({ graphs: [], queries: rows }));
}

/** Query ages without a listener, unless a test passes one. */
export function createQueryAges(
  more: Partial<QueryAgeListeners> = {},
  limits = { seriesPerFamily: 20_000 },
): QueryAges {
  const listeners = {
    abortedBy: () => () => undefined,
    onQueriesEnded: () => undefined,
    spanReference: () => undefined,
    ...more,
  };
  return new QueryAges(listeners, limits);
}

/** All samples of the nodes of a cluster. */
export function samplesOf(
  ages: QueryAges,
  nodes: readonly string[] = ['m1', 'm2'],
  cluster = 'prod',
): readonly Sample[] {
  return [...ages.samples(cluster, nodes, clock.now())].flatMap(([, samples]) => samples);
}

/** `node graph query outcome part[le] value` of what ended by itself, without the buckets that are as full as the one before. */
export function shown(ages: QueryAges, nodes?: readonly string[], cluster?: string): readonly string[] {
  const lines = samplesOf(ages, nodes, cluster)
    .filter(({ labels }) => labels.outcome === 'ended')
    .map(({ labels: { node, graph, query, le }, value, part }) => {
      return [`${node} ${graph} ${query} ${part}`, le, value] as const;
    });
  const steps = lines.filter(([name, , value], at) => {
    const [before, , earlier] = lines[at - 1] ?? [];
    return before !== name || earlier !== value;
  });
  return steps.map(([name, le, value]) => `${name}${le === undefined ? '' : `[${le}]`} ${value}`);
}

export function counts(ages: QueryAges, nodes?: readonly string[], cluster?: string): readonly string[] {
  return shown(ages, nodes, cluster).filter((line) => line.includes('_count'));
}

/** Two lists without any query. */
export function endAllQueries(ages: QueryAges, node = 'm1'): void {
  ages.onPollResult(feedOf(node), listOf(), pace);
  ages.onPollResult(feedOf(node), listOf(), pace);
}
