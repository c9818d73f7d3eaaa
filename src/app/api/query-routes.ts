import { livePageSchema } from '../../api/fields.ts';
import { type QueryReport, querySchema } from '../../api/queries.ts';
import { getOrCreate } from '../../collect/keyed-rows.ts';
import { toSeconds } from '../../kernel/time.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import type { ListedQuery } from '../../model/query.ts';
import type { QueryGuardStatusLookup } from '../guard/query-guard-status.ts';
import type { KnownValues } from './known-values.ts';
import { liveReply } from './live-list.ts';
import { listErrors, pagingParameters } from './paging.ts';
import { filterParameters } from './query-parameters.ts';
import type { RouteDependencies } from './route-dependencies.ts';
import type { Route } from './routes.ts';

const filters: Readonly<Record<string, (item: QueryReport) => string>> = {
  cluster: (item) => item.cluster,
  node: (item) => item.node,
  state: (item) => item.state,
  id: (item) => item.id,
  graph: (item) => item.graph,
  query: (item) => item.query,
  kind: (item) => item.kind,
  overdue: (item) => String(item.overdue),
  policy: (item) => item.policy ?? '',
};

/** Returns the list of queries on all nodes, from the latest lists. Sends no upstream request. */
export function queriesRoute(dependencies: RouteDependencies, known: KnownValues): Route {
  const parameters = filterParameters(Object.keys(filters), querySchema).map((one) =>
    one.name === 'policy' ? { ...one, about: 'Only items with this `policy`; empty: items without a policy.' } : one,
  );
  return {
    method: 'GET',
    path: '/api/v1/queries',
    about:
      'Lists the running and delayed queries from the latest list of each node, the oldest first, with the guard ' +
      'policy that matches each query and its earliest abort time. Never contains query parameters.',
    parameters: [...parameters, ...pagingParameters],
    response: { type: 'application/json', schema: livePageSchema(querySchema) },
    errorResponses: listErrors,
    handle: (request) =>
      liveReply(dependencies.replicas, request, {
        path: '/api/v1/queries',
        item: querySchema,
        items: reportQueries(dependencies),
        filters,
        known,
        compare: oldestFirst,
      }),
  };
}

/** Returns the queries of all nodes whose latest list is neither failed nor overdue, the oldest first. */
export function reportQueries({
  pipeline,
  board,
  guard,
}: Pick<RouteDependencies, 'pipeline' | 'board' | 'guard'>): readonly QueryReport[] {
  const lookups = new Map<string, QueryGuardStatusLookup>();
  const reports = pipeline.feeds().flatMap(({ feed }) => {
    const entry = board.latest(feed);
    if (feed.definition.listedQueries === undefined || entry?.fresh !== true || !entry.pollResult.result.ok) return [];
    const { result, ended } = entry.pollResult;
    const asOf = formatTimestamp(ended.wall);
    const labels = { cluster: feed.cluster, node: feed.node };
    const guardStatus = getOrCreate(lookups, feed.cluster, () => guard.queryStatuses(feed.cluster));
    return feed.definition
      .listedQueries(result.value, ended)
      .map((listed) => ({ ...labels, ...queryFields(listed), asOf, ...guardStatus(feed.node, listed) }));
  });
  return reports.toSorted(oldestFirst);
}

function oldestFirst(one: QueryReport, other: QueryReport): number {
  return (other.ageSeconds ?? -1) - (one.ageSeconds ?? -1);
}

function queryFields({ state, id, graph, query, kind, age, grantedTimeout, overdue }: ListedQuery) {
  const remaining = age === undefined || grantedTimeout === undefined ? undefined : grantedTimeout - age;
  return {
    state,
    id,
    graph,
    query,
    kind,
    ageSeconds: secondsOrNull(age),
    grantedTimeoutSeconds: secondsOrNull(grantedTimeout),
    remainingSeconds: secondsOrNull(remaining),
    overdue: overdue === true,
  };
}

function secondsOrNull(length: number | undefined): number | null {
  return length === undefined ? null : toSeconds(length);
}
