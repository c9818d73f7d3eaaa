import type { Secret } from '../kernel/secret.ts';
import type { QueryParameter } from '../model/query-run.ts';
import type { ReplyKind } from './reply-limits.ts';

/** The part of the server that answers a call; determines the prefix of the path. */
export type Api = 'restpp' | 'gsql' | 'informant' | 'plain';

/**
 * Form of the body: the three envelopes of the server, a bare JSON object, one whose error is a fact and no failure of
 * the call, a bare JSON array, which becomes the member `results`, or text.
 */
export type Envelope = 'restpp' | 'gsql' | 'informant' | 'bare' | 'outcome' | 'array' | 'text';

/** One documented call. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path below the prefix of its API; the caller fills in `{graph}`. */
  readonly path: string;
  readonly api: Api;
  readonly envelope: Envelope;
  /** Credentials of the call; calls that need none get none. */
  readonly auth: 'restpp' | 'gsql' | 'informant' | 'none';
  /** Whole path and fixed parameters in versions before 4.0, if they differ in more than the prefix. */
  readonly older?: {
    readonly path: string;
    readonly query?: Readonly<Record<string, string>>;
    /** Segments of the path of 4.x that are parameters of the query string, by parameter. */
    readonly segments?: Readonly<Record<string, string>>;
  };
  /** Fixed parameters of the query string, which no input replaces or repeats. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** Whether the call never has a body, because the server would do something else with one. */
  readonly bodiless?: boolean;
  /** Limits of the reply; `status` if absent. */
  readonly reply?: ReplyKind;
  /** Sent before all others, on a reserved connection. */
  readonly urgent?: boolean;
}

/** Vertex type of the write heartbeat, and name of the loading job that loads it. */
const heartbeatType = 'graphwarden_heartbeat';

const gsql = { method: 'GET', api: 'gsql', envelope: 'gsql', auth: 'gsql', reply: 'table' } as const;
const dataPlane = { method: 'GET', api: 'restpp', envelope: 'restpp', auth: 'restpp', reply: 'table' } as const;

/**
 * All requests that this program can send to a server. There is no other way to make a call: calls that are not in this
 * list, such as those that abort or clear (some are GETs), cannot be made. `rebuildGraph` and `removeExpiredTokens` are the
 * scheduled tasks that the user enables. `runQuery`, `postQuery`,
 * `interpretQuery` and `templateQuery` run the queries that the user configures under `custom` and `probes`; nothing else
 * uses them. The calls of the heartbeat write and delete rows of one vertex type, whose name is part of the call.
 */
export const calls = {
  ping: { method: 'GET', path: '/api/ping', api: 'plain', envelope: 'restpp', auth: 'none', urgent: true },
  echo: { method: 'GET', path: '/echo', api: 'restpp', envelope: 'restpp', auth: 'restpp' },
  restppVersion: { method: 'GET', path: '/version', api: 'restpp', envelope: 'restpp', auth: 'restpp' },
  gsqlVersion: { method: 'GET', path: '/version', api: 'gsql', envelope: 'text', auth: 'gsql' },
  schemaGraphs: { ...gsql, path: '/schema/graphs' },
  graphSchema: { ...gsql, path: '/schema' },
  schemaIndexes: { ...gsql, path: '/schema/indexes' },
  schemaJobs: { ...gsql, path: '/schema/jobs' },
  endpoints: { method: 'GET', path: '/endpoints', api: 'restpp', envelope: 'bare', auth: 'restpp', reply: 'table' },
  informantMetrics: {
    method: 'GET',
    path: '/informant/metrics',
    api: 'informant',
    envelope: 'text',
    auth: 'informant',
    reply: 'page',
  },
  category: {
    method: 'POST',
    path: '/informant/metrics/get/{category}',
    api: 'informant',
    envelope: 'informant',
    auth: 'informant',
    reply: 'table',
  },
  dataPoints: {
    method: 'GET',
    path: '/ts3/api/datapoints',
    api: 'plain',
    envelope: 'array',
    auth: 'gsql',
    reply: 'table',
  },
  serviceStatus: {
    method: 'POST',
    path: '/informant/current-service-status',
    api: 'informant',
    envelope: 'informant',
    auth: 'informant',
    reply: 'table',
  },
  statistics: { ...dataPlane, path: '/statistics/{graph}', envelope: 'bare' },
  processListAll: { ...dataPlane, path: '/showprocesslistall', reply: 'list' },
  processList: { ...dataPlane, path: '/showprocesslist/{graph}', reply: 'list' },
  delayedList: { ...dataPlane, path: '/showdelayedlistall', reply: 'list' },
  queryStatus: { ...dataPlane, path: '/query_status', reply: 'list' },
  queueStatus: { ...dataPlane, method: 'POST', path: '/workload-manager/queuestatus' },
  graphSize: { ...dataPlane, method: 'POST', path: '/builtins/{graph}' },
  queryDefinitions: { ...gsql, path: '/queries/info' },
  runQuery: { ...dataPlane, path: '/query/{graph}/{query}' },
  interpretQuery: {
    ...gsql,
    method: 'POST',
    path: '/queries/interpret',
    older: { path: '/gsqlserver/interpreted_query' },
  },
  postQuery: { ...dataPlane, method: 'POST', path: '/query/{graph}/{query}' },
  templateQuery: {
    ...gsql,
    method: 'POST',
    path: '/library/{template}',
    older: { path: '/gsql/library', segments: { functionName: 'template' } },
  },
  vertex: { ...dataPlane, path: '/graph/{graph}/vertices/{vertexType}/{vertexId}' },
  edges: { ...dataPlane, path: '/graph/{graph}/edges/{sourceType}/{sourceId}' },
  edgesOfType: { ...dataPlane, path: '/graph/{graph}/edges/{sourceType}/{sourceId}/{edgeType}' },
  edgesToType: { ...dataPlane, path: '/graph/{graph}/edges/{sourceType}/{sourceId}/{edgeType}/{targetType}' },
  edgesToVertex: {
    ...dataPlane,
    path: '/graph/{graph}/edges/{sourceType}/{sourceId}/{edgeType}/{targetType}/{targetId}',
  },
  shortestPath: { ...dataPlane, method: 'POST', path: '/shortestpath/{graph}' },
  allPaths: { ...dataPlane, method: 'POST', path: '/allpaths/{graph}' },
  loadHeartbeat: {
    ...dataPlane,
    method: 'POST',
    path: '/ddl/{graph}',
    fixed: { tag: heartbeatType, filename: 'heartbeat', sep: ',', ack: 'all' },
  },
  readHeartbeat: { ...dataPlane, path: `/graph/{graph}/vertices/${heartbeatType}/{rowId}` },
  deleteHeartbeat: { ...dataPlane, method: 'DELETE', path: `/graph/{graph}/vertices/${heartbeatType}/{rowId}` },
  loadingRuns: {
    ...gsql,
    path: '/loading-jobs/status',
    older: { path: '/gsqlserver/gsql/loading-jobs', query: { action: 'getprogress' } },
  },
  dataSources: { ...gsql, path: '/data-sources' },
  vectorStatus: { method: 'GET', path: '/vector/status/{graph}', api: 'restpp', envelope: 'bare', auth: 'restpp' },
  functionFile: { ...gsql, path: '/udt/files/{file}' },
  // The regular expression that matches the name of any function.
  libraryFunctions: { ...gsql, path: '/library/.*', older: { path: '/gsql/library', query: { functionName: '.*' } } },
  tuples: { ...gsql, path: '/udt/tuples', older: { path: '/gsqlserver/gsql/udtlist' } },
  cardinality: { ...gsql, path: '/stats/cardinality' },
  users: { ...gsql, path: '/users', reply: 'list' },
  userGroups: { ...gsql, path: '/groups', reply: 'list' },
  roles: { ...gsql, path: '/roles' },
  statementStatus: { ...gsql, path: '/statements/{requestId}', envelope: 'outcome' },
  scimUsers: {
    method: 'GET',
    path: '/gsql/scim/v2/Users',
    api: 'plain',
    envelope: 'bare',
    auth: 'gsql',
    reply: 'table',
  },
  scimGroups: {
    method: 'GET',
    path: '/gsql/scim/v2/Groups',
    api: 'plain',
    envelope: 'bare',
    auth: 'gsql',
    reply: 'table',
  },
  license: { method: 'GET', path: '/showlicenseinfo', api: 'restpp', envelope: 'restpp', auth: 'restpp' },
  dataConsistency: { ...dataPlane, path: '/data_consistency_check', reply: 'list' },
  deletedVertices: { ...dataPlane, path: '/deleted_vertex_check', reply: 'list' },
  rebuildGraph: { ...dataPlane, method: 'POST', path: '/rebuildnow/{graph}' },
  // The documents of the server name no other path for it.
  removeExpiredTokens: {
    method: 'DELETE',
    path: '/gsqlserver/gsql/expiredtoken',
    api: 'plain',
    envelope: 'gsql',
    auth: 'gsql',
    bodiless: true,
  },
  tokens: { method: 'POST', path: '/tokens', api: 'gsql', envelope: 'gsql', auth: 'none' },
  requestToken: { method: 'POST', path: '/requesttoken', api: 'restpp', envelope: 'restpp', auth: 'none' },
} as const satisfies Readonly<Record<string, Call>>;

/** Name of a row of {@link calls}. */
export type CallName = keyof typeof calls;

/** Parameters of a call: template segments, query string, JSON body. */
export interface CallInput {
  readonly segments?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Further parameters of the query string; a name may occur several times. */
  readonly parameters?: readonly QueryParameter[];
  readonly body?: unknown;
  /** Body that is sent as it is, instead of `body`. */
  readonly text?: string;
  /** Headers in addition to those of every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Path forms: of 4.x, and of the versions before it. */
export type PathForm = 'current' | 'older';

const prefixes: Readonly<Record<Api, Readonly<Record<PathForm, string>>>> = {
  restpp: { current: '/restpp', older: '' },
  gsql: { current: '/gsql/v1', older: '/gsqlserver/gsql' },
  informant: { current: '', older: '' },
  plain: { current: '', older: '' },
};

/** Prefix of the path of every call of an API. */
export function prefixOf(api: Api, form: PathForm): string {
  return prefixes[api][form];
}

/** Returns the path of a call in one of the forms, as a template. */
export function templateOf(name: CallName, form: PathForm): string {
  const { api, path, older }: Call = calls[name];
  return form === 'older' && older !== undefined ? older.path : prefixes[api][form] + path;
}

/** Returns the name of a call in messages: method and template of the current form. */
export function describeCall(name: CallName): string {
  return `${calls[name].method} ${templateOf(name, 'current')}`;
}

/** Returns the headers of a request. */
export function headersOf(
  name: CallName,
  { text, headers }: CallInput,
  authorization: Secret | undefined,
): Readonly<Record<string, string>> {
  const isPost = calls[name].method === 'POST';
  return {
    ...headers,
    'user-agent': 'graphwarden',
    'accept-encoding': 'gzip',
    ...(isPost && { 'content-type': text === undefined ? 'application/json' : 'text/plain' }),
    ...(authorization !== undefined && { authorization: authorization.reveal() }),
  };
}
