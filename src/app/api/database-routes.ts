import {
  type GraphReport,
  graphSchema,
  type LoadingJobReport,
  loadingJobSchema,
  type QueryDefinitionReport,
  queryDefinitionSchema,
} from '../../api/database.ts';
import { type ObjectSchema, pageSchema } from '../../api/fields.ts';
import { type DatabaseSite, reportGraphs, reportLoadingJobs, reportQueryDefinitions } from './database-report.ts';
import type { KnownValues } from './known-values.ts';
import { listErrors, pagedReply, pagingParameters } from './paging.ts';
import { filterParameters } from './query-parameters.ts';
import type { Route } from './routes.ts';

/** Returns the lists of what the servers contain, from the latest polls. They send no request upstream. */
export function databaseRoutes(site: DatabaseSite, { cluster = { values: () => [] } }: KnownValues): readonly Route[] {
  const known = { cluster };
  return [
    listRoute<GraphReport>({
      path: '/api/v1/graphs',
      about: 'Lists the graphs with their sizes, if the collector `graph_sizes` is enabled.',
      schema: graphSchema,
      filters: { cluster: (item) => item.cluster, graph: (item) => item.graph },
      items: () => reportGraphs(site),
      known,
    }),
    listRoute<LoadingJobReport>({
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
      items: () => reportLoadingJobs(site),
      known,
    }),
    listRoute<QueryDefinitionReport>({
      path: '/api/v1/query-definitions',
      about: 'Lists the definitions of queries with their states, if the collector `query_definitions` is enabled.',
      schema: queryDefinitionSchema,
      filters: {
        cluster: (item) => item.cluster,
        graph: (item) => item.graph,
        query: (item) => item.query,
        state: (item) => item.state,
      },
      items: () => reportQueryDefinitions(site),
      known,
    }),
  ];
}

interface List<Item> {
  readonly path: string;
  readonly about: string;
  readonly schema: ObjectSchema;
  readonly filters: Readonly<Record<string, (item: Item) => string>>;
  readonly items: () => readonly Item[];
  readonly known: KnownValues;
}

function listRoute<Item>({ path, about, schema, filters, items, known }: List<Item>): Route {
  return {
    method: 'GET',
    path,
    about,
    parameters: [...filterParameters(Object.keys(filters), schema), ...pagingParameters],
    response: { type: 'application/json', schema: pageSchema(schema) },
    errorResponses: listErrors,
    handle: async ({ query }) => {
      const found = items();
      // The values of an enumeration are checked by the declaration of the parameter.
      const open = Object.entries(filters).filter(([name]) => name !== 'state');
      const own = open.map(([name, of]) => [name, { values: () => found.map(of), isOpen: true }]);
      return pagedReply(found, query, filters, { ...Object.fromEntries(own), ...known });
    },
  };
}
