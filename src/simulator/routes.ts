import type { AccessLevel } from './access.ts';
import type { Endpoint } from './call.ts';
import { groupList, roleList, scimGroups, scimUsers, userList } from './endpoints/accounts.ts';
import { builtinFunctions } from './endpoints/builtin-functions.ts';
import { cardinality } from './endpoints/cardinality.ts';
import { dataPoints } from './endpoints/data-points.ts';
import { dataSources } from './endpoints/data-sources.ts';
import {
  echo,
  endpointList,
  graphList,
  gsqlVersion,
  license,
  ping,
  queryInfo,
  queryNames,
  restppVersion,
} from './endpoints/database.ts';
import { dataConsistency, deletedVertices, rebuildGraph, statistics, workloadQueues } from './endpoints/engine.ts';
import { deleteVertex, findPaths, loadRows, readEdges, readVertex, runTemplate } from './endpoints/graph-data.ts';
import { informantCategory } from './endpoints/informant-categories.ts';
import { informantPage } from './endpoints/informant-page.ts';
import { loadingProgress, loadingStatus } from './endpoints/loading-jobs.ts';
import { interpretQuery } from './endpoints/monitoring-queries.ts';
import {
  abortQuery,
  delayedListAll,
  processList,
  processListAll,
  queryResult,
  queryStatus,
  runQuery,
} from './endpoints/queries.ts';
import { graphSchema, schemaIndexes, schemaJobs } from './endpoints/schema.ts';
import { serviceStatus } from './endpoints/service-status.ts';
import { statementStatus } from './endpoints/statements.ts';
import { dropToken, issueToken, removeExpiredTokens, requestToken } from './endpoints/token-requests.ts';
import { functionFile, libraryFunctions, tuples } from './endpoints/user-functions.ts';
import { vectorStatus } from './endpoints/vector-status.ts';

/** Route of the simulated server. */
export interface ServerRoute {
  readonly methods: readonly string[];
  /** Path in the form of 4.x; `{name}` stands for one segment. */
  readonly path: string;
  /** Service of the endpoint. While it is down, the proxy returns 502. */
  readonly service: 'GUI' | 'RESTPP' | 'GSQL' | 'IFM';
  readonly access: AccessLevel;
  readonly endpoint: Endpoint;
  /** Major versions with the route; absent for all. */
  readonly only?: 'legacy' | 'current';
}

/** Route of a request, and the named segments of its path. */
export interface RouteMatch {
  readonly route: ServerRoute;
  readonly path: Readonly<Record<string, string>>;
}

/** All routes of the simulated server. */
export const routes: readonly ServerRoute[] = [
  { methods: ['GET'], path: '/api/ping', service: 'GUI', access: 'open', endpoint: ping },
  informant(['GET', 'POST'], '/informant/metrics', informantPage),
  informant(['POST'], '/informant/metrics/get/{category}', informantCategory),
  informant(['POST'], '/informant/current-service-status', serviceStatus),
  { ...gsql('/ts3/api/datapoints', dataPoints), service: 'IFM', only: 'legacy' },
  restpp('/restpp/echo', echo, ['GET', 'POST']),
  // The vendor's client adds a slash to this path only.
  restpp('/restpp/echo/', echo, ['GET', 'POST']),
  restpp('/restpp/version', restppVersion),
  restpp('/restpp/endpoints', endpointList),
  restpp('/restpp/endpoints/{graph}', endpointList),
  restpp('/restpp/statistics', statistics),
  restpp('/restpp/statistics/{graph}', statistics),
  restpp('/restpp/showprocesslistall', processListAll),
  restpp('/restpp/showprocesslist/{graph}', processList),
  restpp('/restpp/showdelayedlistall', delayedListAll),
  restpp('/restpp/workload-manager/queuestatus', workloadQueues, ['POST']),
  restpp('/restpp/showlicenseinfo', license),
  { ...restpp('/restpp/abortquery/{graph}', abortQuery), access: 'abort' },
  restpp('/restpp/builtins/{graph}', builtinFunctions, ['POST']),
  { ...restpp('/restpp/vector/status/{graph}', vectorStatus), only: 'current' },
  restpp('/restpp/query_status', queryStatus),
  restpp('/restpp/query_result', queryResult),
  restpp('/restpp/data_consistency_check', dataConsistency),
  restpp('/restpp/deleted_vertex_check', deletedVertices),
  restpp('/restpp/query/{graph}/{name}', runQuery, ['GET', 'POST']),
  restpp('/restpp/graph/{graph}/vertices/{type}/{id}', readVertex),
  restpp('/restpp/graph/{graph}/vertices/{type}/{id}', deleteVertex, ['DELETE']),
  restpp('/restpp/graph/{graph}/edges/{type}/{id}', readEdges),
  restpp('/restpp/graph/{graph}/edges/{type}/{id}/{edge}', readEdges),
  restpp('/restpp/graph/{graph}/edges/{type}/{id}/{edge}/{targetType}', readEdges),
  restpp('/restpp/graph/{graph}/edges/{type}/{id}/{edge}/{targetType}/{target}', readEdges),
  restpp('/restpp/shortestpath/{graph}', findPaths, ['POST']),
  restpp('/restpp/allpaths/{graph}', findPaths, ['POST']),
  restpp('/restpp/ddl/{graph}', loadRows, ['POST']),
  { ...gsql('/gsql/v1/library/{template}', runTemplate), methods: ['POST'], only: 'current' },
  { ...gsql('/gsql/library', runTemplate), methods: ['POST'], only: 'legacy' },
  gsql('/gsql/v1/version', gsqlVersion),
  gsql('/gsql/v1/schema/graphs', graphList),
  gsql('/gsql/v1/schema', graphSchema),
  { ...gsql('/gsql/v1/schema/indexes', schemaIndexes), only: 'current' },
  { ...gsql('/gsql/v1/schema/jobs', schemaJobs), only: 'current' },
  { ...gsql('/gsql/v1/queries', queryNames), only: 'current' },
  { ...gsql('/gsql/v1/queries/interpret', interpretQuery), methods: ['POST'], only: 'current' },
  { ...gsql('/gsqlserver/interpreted_query', interpretQuery), methods: ['POST'], only: 'legacy' },
  { ...gsql('/gsql/v1/queries/info', queryInfo), only: 'current' },
  { ...gsql('/gsql/v1/loading-jobs/status', loadingStatus), only: 'current' },
  gsql('/gsql/v1/data-sources', dataSources),
  gsql('/gsql/v1/stats/cardinality', cardinality),
  { ...gsql('/gsql/v1/udt/files/{file}', functionFile), only: 'current' },
  { ...gsql('/gsql/v1/library/{functionName}', libraryFunctions), only: 'current' },
  { ...gsql('/gsql/library', libraryFunctions), only: 'legacy' },
  { ...gsql('/gsql/v1/udt/tuples', tuples), only: 'current' },
  { ...gsql('/gsqlserver/gsql/udtlist', tuples), only: 'legacy' },
  { ...gsql('/gsql/v1/loading-jobs', loadingProgress), only: 'legacy' },
  { ...gsql('/gsql/v1/statements/{requestId}', statementStatus), only: 'current' },
  { ...gsql('/gsql/v1/users', userList), only: 'current' },
  { ...gsql('/gsql/v1/groups', groupList), only: 'current' },
  { ...gsql('/gsql/v1/roles', roleList), only: 'current' },
  { ...gsql('/gsql/scim/v2/Users', scimUsers), only: 'current' },
  { ...gsql('/gsql/scim/v2/Groups', scimGroups), only: 'current' },
  {
    methods: ['POST'],
    path: '/gsql/v1/tokens',
    service: 'GSQL',
    access: 'open',
    endpoint: issueToken,
    only: 'current',
  },
  {
    methods: ['POST'],
    path: '/requesttoken',
    service: 'RESTPP',
    access: 'open',
    endpoint: requestToken,
    only: 'legacy',
  },
  restpp('/restpp/rebuildnow/{graph}', rebuildGraph, ['GET', 'POST']),
  { ...gsql('/gsqlserver/gsql/expiredtoken', removeExpiredTokens), methods: ['DELETE'] },
  { ...gsql('/gsql/v1/tokens', dropToken), methods: ['DELETE'], only: 'current' },
  {
    methods: ['DELETE'],
    path: '/requesttoken',
    service: 'RESTPP',
    access: 'open',
    endpoint: dropToken,
    only: 'legacy',
  },
];

/** Finds the route of a request in the path form of the release; undefined if the server has none. */
export function findRoute(method: string, path: string, legacyPaths: boolean): RouteMatch | undefined {
  const form = legacyPaths ? 'legacy' : 'current';
  for (const route of routes) {
    if (!route.methods.includes(method) || (route.only ?? form) !== form) continue;
    const parts = match(legacyPaths ? legacyPath(route.path) : route.path, path);
    if (parts !== undefined) return { route, path: parts };
  }
  return undefined;
}

/** Returns the 3.x form of a 4.x path. */
export function legacyPath(path: string): string {
  return path.replace(/^\/restpp\//, '/').replace(/^\/gsql\/v1\//, '/gsqlserver/gsql/');
}

function match(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = template.split('/');
  const segments = path.split('/');
  if (wanted.length !== segments.length) return undefined;
  const named: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = segments[index] ?? '';
    if (!part.startsWith('{') && part !== value) return undefined;
    if (part.startsWith('{')) named[part.slice(1, -1)] = value;
  }
  return named;
}

function restpp(path: string, endpoint: Endpoint, methods: readonly string[] = ['GET']): ServerRoute {
  return { methods, path, service: 'RESTPP', access: 'restpp', endpoint };
}

function informant(methods: readonly string[], path: string, endpoint: Endpoint): ServerRoute {
  return { methods, path, service: 'IFM', access: 'open', endpoint };
}

function gsql(path: string, endpoint: Endpoint): ServerRoute {
  return { methods: ['GET'], path, service: 'GSQL', access: 'gsql', endpoint };
}
