import type { ReplyKind } from './reply-limits.ts';

/** The part of the server that answers a call; determines the prefix of the path. */
export type Api = 'restpp' | 'gsql' | 'informant' | 'plain';

/** Form of the body: the three envelopes of the server, a bare JSON object, or text. */
export type Envelope = 'restpp' | 'gsql' | 'informant' | 'bare' | 'text';

/** One documented call. */
export interface Call {
  readonly method: 'GET' | 'POST';
  /** Path below the prefix of its API; the caller fills in `{graph}`. */
  readonly path: string;
  /** Path and fixed parameters of the versions before 4.x, if they differ by more than the prefix. */
  readonly older?: { readonly path: string; readonly query: Readonly<Record<string, string>> };
  readonly api: Api;
  readonly envelope: Envelope;
  /** Credentials of the call; calls that need none get none. */
  readonly auth: 'restpp' | 'gsql' | 'informant' | 'none';
  /** Limits of the reply; `status` if absent. */
  readonly reply?: ReplyKind;
  /** Sent before all others, on a reserved connection. */
  readonly urgent?: boolean;
}

/**
 * All requests that this program can send to a server. There is no other way to make a call: calls that are not in this
 * list, such as those that abort, rebuild or clear (some are GETs), cannot be made.
 */
export const calls = {
  ping: { method: 'GET', path: '/api/ping', api: 'plain', envelope: 'restpp', auth: 'none', urgent: true },
  echo: { method: 'GET', path: '/echo', api: 'restpp', envelope: 'restpp', auth: 'restpp' },
  restppVersion: { method: 'GET', path: '/version', api: 'restpp', envelope: 'restpp', auth: 'restpp' },
  gsqlVersion: { method: 'GET', path: '/version', api: 'gsql', envelope: 'text', auth: 'gsql' },
  schemaGraphs: { method: 'GET', path: '/schema/graphs', api: 'gsql', envelope: 'gsql', auth: 'gsql', reply: 'table' },
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
  serviceStatus: {
    method: 'POST',
    path: '/informant/current-service-status',
    api: 'informant',
    envelope: 'informant',
    auth: 'informant',
    reply: 'table',
  },
  statistics: {
    method: 'GET',
    path: '/statistics/{graph}',
    api: 'restpp',
    envelope: 'bare',
    auth: 'restpp',
    reply: 'table',
  },
  processListAll: {
    method: 'GET',
    path: '/showprocesslistall',
    api: 'restpp',
    envelope: 'restpp',
    auth: 'restpp',
    reply: 'list',
  },
  processList: {
    method: 'GET',
    path: '/showprocesslist/{graph}',
    api: 'restpp',
    envelope: 'restpp',
    auth: 'restpp',
    reply: 'list',
  },
  delayedList: {
    method: 'GET',
    path: '/showdelayedlistall',
    api: 'restpp',
    envelope: 'restpp',
    auth: 'restpp',
    reply: 'list',
  },
  queueStatus: {
    method: 'POST',
    path: '/workload-manager/queuestatus',
    api: 'restpp',
    envelope: 'restpp',
    auth: 'restpp',
    reply: 'table',
  },
  graphSize: {
    method: 'POST',
    path: '/builtins/{graph}',
    api: 'restpp',
    envelope: 'restpp',
    auth: 'restpp',
    reply: 'table',
  },
  queryDefinitions: {
    method: 'GET',
    path: '/queries/info',
    api: 'gsql',
    envelope: 'gsql',
    auth: 'gsql',
    reply: 'table',
  },
  loadingRuns: {
    method: 'GET',
    path: '/loading-jobs/status',
    older: { path: '/loading-jobs', query: { action: 'getprogress' } },
    api: 'gsql',
    envelope: 'gsql',
    auth: 'gsql',
    reply: 'table',
  },
  license: { method: 'GET', path: '/showlicenseinfo', api: 'restpp', envelope: 'restpp', auth: 'restpp' },
  dataConsistency: {
    method: 'GET',
    path: '/data_consistency_check',
    api: 'restpp',
    envelope: 'restpp',
    auth: 'restpp',
    reply: 'list',
  },
  deletedVertices: {
    method: 'GET',
    path: '/deleted_vertex_check',
    api: 'restpp',
    envelope: 'restpp',
    auth: 'restpp',
    reply: 'list',
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
  readonly body?: unknown;
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
  const call: Call = calls[name];
  return prefixes[call.api][form] + pathIn(call, form);
}

function pathIn({ path, older }: Call, form: PathForm): string {
  return form === 'older' ? (older?.path ?? path) : path;
}

/** Returns the name of a call in messages: method and template of the current form. */
export function describeCall(name: CallName): string {
  return `${calls[name].method} ${templateOf(name, 'current')}`;
}

/** Returns path and query string of a call; undefined if a segment is invalid in a path. */
export function pathOf(name: CallName, input: CallInput, form: PathForm): string | undefined {
  const call: Call = calls[name];
  const segments = new Map(Object.entries(input.segments ?? {}));
  if (![...segments.values()].every((segment) => /^[\w-]{1,128}$/.test(segment))) return undefined;
  const path = pathIn(call, form).replace(/\{(\w+)\}/g, (_, key: string) => segments.get(key) ?? '');
  const fixed = form === 'older' ? call.older?.query : undefined;
  const query = new URLSearchParams({ ...input.query, ...fixed }).toString();
  return prefixes[call.api][form] + path + (query === '' ? '' : `?${query}`);
}
