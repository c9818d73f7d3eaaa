import type { QueryIdentity } from '../model/query.ts';

/** First segments of the built-in calls whose second segment is a graph. */
const callsOfGraph: ReadonlySet<string> = new Set([
  'allpaths',
  'builtins',
  'ddl',
  'delta_ddl',
  'endpoints',
  'graph',
  'rebuildnow',
  'shortestpath',
  'showprocesslist',
  'statistics',
]);

/**
 * Returns graph, query and kind for the URL of a process list entry, without parameters, which contain user data. Only
 * installed queries keep their name; other requests are grouped by kind, to limit the number of label values.
 */
export function parseQueryIdentity(url: string): QueryIdentity {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  const parts = path.split('/').filter((part) => part !== '');
  const [first = '', second = '', third = ''] = parts[0] === 'restpp' ? parts.slice(1) : parts;
  if (first === 'query' && isGraphName(second) && isGraphName(third)) {
    return { graph: second, query: third, kind: 'installed' };
  }
  if (/(^|\/)interpret/.test(path)) return { graph: '', query: 'interpreted', kind: 'interpreted' };
  const graph = callsOfGraph.has(first) && isGraphName(second) ? second : '';
  return { graph, query: /^[\w.-]{1,64}$/.test(first) ? first : 'other', kind: 'builtin' };
}

/** Returns whether a text is a valid graph name. Only such names are used in a path. */
export function isGraphName(text: string): boolean {
  return /^[A-Za-z_]\w{0,127}$/.test(text);
}

/**
 * Returns when a request arrived, in ms since the epoch, from its id `<n>.RESTPP_<partition>_<replica>.<ms>.<letter>`.
 * It is the only time in a process list that does not depend on a time zone. Undefined for ids of another form.
 */
export function arrivalTime(requestId: string): number | undefined {
  const epoch = /^\d+\.[A-Z]+_\d+_\d+\.(\d{12,14})\.\w+$/.exec(requestId)?.[1];
  return epoch === undefined ? undefined : Number(epoch);
}

/** Parts of a request id. */
export interface RequestId {
  /** `RESTPP_<partition>_<replica>`. */
  readonly instance: string;
  /** ms since the epoch by the server's clock. */
  readonly arrivedAt: number;
}

/** Name of a query server instance in a request id that {@link parseRequestId} accepts. */
export const instancePattern = /^RESTPP_\d{1,4}_\d{1,4}$/;

/** Parses `<n>.RESTPP_<p>_<r>.<epoch ms>.N`, the only form of an id that the guard acts on. */
export function parseRequestId(id: string): RequestId | undefined {
  const [, instance, arrival] = /^\d{1,20}\.(RESTPP_\d{1,4}_\d{1,4})\.(\d{13})\.N$/.exec(id) ?? [];
  return instance === undefined ? undefined : { instance, arrivedAt: Number(arrival) };
}
