import {
  type GraphReport,
  graphSchema,
  type LoadingJobReport,
  loadingJobSchema,
  maxTypes,
  type QueryDefinitionReport,
  queryDefinitionSchema,
} from '../../api/database.ts';
import { livePageSchema, type ObjectSchema, type Schema } from '../../api/fields.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import type { DatabaseContents } from '../../model/contents.ts';
import type { TypeCount } from '../../model/inventory.ts';
import type { KnownValues } from './known-values.ts';
import { liveReply } from './live-list.ts';
import { listErrors, pagingParameters } from './paging.ts';
import { filterParameters } from './query-parameters.ts';
import type { RouteDependencies } from './route-dependencies.ts';
import type { Route } from './routes.ts';

/** Parts of the application that know what the servers contain. */
type DatabaseDependencies = Pick<RouteDependencies, 'pipeline' | 'board' | 'replicas'>;

/** Returns the lists of what the servers contain, from the latest polls. They send no request upstream. */
export function databaseRoutes(
  dependencies: DatabaseDependencies,
  { cluster = { values: () => [] } }: KnownValues,
): readonly Route[] {
  const known = { cluster };
  return [
    listRoute<GraphReport>(dependencies, {
      path: '/api/v1/graphs',
      about: 'Lists the graphs with their sizes, if the collector `graph_sizes` is enabled.',
      schema: graphSchema,
      filters: { cluster: (item) => item.cluster, graph: (item) => item.graph },
      items: () => reportGraphs(dependencies),
      known,
    }),
    listRoute<LoadingJobReport>(dependencies, {
      path: '/api/v1/loading-jobs',
      about:
        'Lists the loading jobs with their latest runs, if the collector `loading_jobs` is enabled, the latest start first.',
      schema: loadingJobSchema,
      filters: {
        cluster: (item) => item.cluster,
        graph: (item) => item.graph,
        job: (item) => item.job,
        state: (item) => item.state,
      },
      items: () => reportLoadingJobs(dependencies),
      compare: latestStartFirst,
      known,
    }),
    listRoute<QueryDefinitionReport>(dependencies, {
      path: '/api/v1/query-definitions',
      about: 'Lists the definitions of queries with their states, if the collector `query_definitions` is enabled.',
      schema: queryDefinitionSchema,
      filters: {
        cluster: (item) => item.cluster,
        graph: (item) => item.graph,
        query: (item) => item.query,
        state: (item) => item.state,
      },
      items: () => reportQueryDefinitions(dependencies),
      known,
    }),
  ];
}

interface List<Row> {
  readonly path: string;
  readonly about: string;
  readonly schema: ObjectSchema & Schema<Row>;
  readonly filters: Readonly<Record<string, (item: Row) => string>>;
  readonly items: () => readonly Row[];
  readonly known: KnownValues;
  readonly compare?: (one: Row, other: Row) => number;
}

function listRoute<Row>(
  { replicas }: DatabaseDependencies,
  { path, about, schema, filters, items, known, compare }: List<Row>,
): Route {
  return {
    method: 'GET',
    path,
    about,
    parameters: [...filterParameters(Object.keys(filters), schema), ...pagingParameters],
    response: { type: 'application/json', schema: livePageSchema(schema) },
    errorResponses: listErrors,
    handle: (request) => {
      const found = items();
      // The values of an enumeration are checked by the declaration of the parameter.
      const open = Object.entries(filters).filter(([name]) => name !== 'state');
      const own = open.map(([name, of]) => [name, { values: () => found.map(of), isOpen: true }]);
      return liveReply(replicas, request, {
        path,
        item: schema,
        items: found,
        filters,
        known: { ...Object.fromEntries(own), ...known },
        ...(compare && { compare }),
      });
    },
  };
}

/** Returns the graphs with their sizes. */
function reportGraphs(dependencies: DatabaseDependencies): readonly GraphReport[] {
  return contentsOf(dependencies, 'graphSizes').map(({ graph, vertices, edges, ...labels }) => ({
    ...labels,
    graph,
    vertices: total(vertices),
    edges: total(edges),
    vertexTypes: largest(vertices),
    edgeTypes: largest(edges),
    otherVertexTypes: Math.max(0, vertices.length - maxTypes),
    otherEdgeTypes: Math.max(0, edges.length - maxTypes),
  }));
}

/** Returns the loading jobs with their latest runs, the latest start first. */
function reportLoadingJobs(dependencies: DatabaseDependencies): readonly LoadingJobReport[] {
  return contentsOf(dependencies, 'loadingRuns')
    .toSorted((one, other) => other.startedAt - one.startedAt)
    .map(({ id, startedAt, ...run }) => ({
      ...run,
      run: id,
      startedAt: startedAt === 0 ? null : formatTimestamp(startedAt),
    }));
}

/** A run without a known start comes last. */
function latestStartFirst({ startedAt: one }: LoadingJobReport, { startedAt: other }: LoadingJobReport): number {
  return Date.parse(other ?? '1970-01-01T00:00:00Z') - Date.parse(one ?? '1970-01-01T00:00:00Z');
}

/** Returns the definitions of queries. */
function reportQueryDefinitions(dependencies: DatabaseDependencies): readonly QueryDefinitionReport[] {
  return contentsOf(dependencies, 'queryDefinitions').map(({ name, ...definition }) => ({
    ...definition,
    query: name,
  }));
}

type Item<Part extends keyof DatabaseContents> = DatabaseContents[Part][number] & {
  readonly cluster: string;
  readonly asOf: string;
};

/**
 * Returns one part of the contents of all clusters. If a request of a poll failed, the results of its other requests
 * count.
 */
function contentsOf<Part extends keyof DatabaseContents>(
  { pipeline, board }: DatabaseDependencies,
  part: Part,
): readonly Item<Part>[] {
  return pipeline.feeds().flatMap(({ feed }) => {
    const entry = board.latest(feed);
    if (feed.definition.contents === undefined || entry === undefined) return [];
    const { result, ended } = entry.pollResult;
    const facts = result.ok ? (entry.fresh ? result.value : undefined) : result.partial;
    if (facts === undefined) return [];
    const items: readonly DatabaseContents[Part][number][] = feed.definition.contents(facts)[part] ?? [];
    return items.map((item) => ({ ...item, cluster: feed.cluster, asOf: formatTimestamp(ended.wall) }));
  });
}

function total(counts: readonly TypeCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

function largest(counts: readonly TypeCount[]): readonly TypeCount[] {
  return counts.toSorted((one, other) => other.count - one.count).slice(0, maxTypes);
}
