import type { Schema } from '../../api/fields.ts';
import {
  type IncomingRequest,
  type OutgoingReply,
  type RequestHandler,
  securityHeaders,
} from '../../kernel/listener.ts';
import type { Result } from '../../kernel/result.ts';
import type { Millis } from '../../kernel/time.ts';
import type { AdmissionClass, AdmissionControl } from './admission.ts';
import { invalidParameter, type Parameter } from './query-parameters.ts';
import { problemReply } from './reply.ts';

/** Request that the daemon answers. The OpenAPI document and the reference are generated from its declaration. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `{id}` stands for one segment. */
  readonly path: string;
  /** Sentence for the reference. */
  readonly about: string;
  /** Exempts the route from authentication. */
  readonly isPublic?: true;
  /** Opens the route to users that may request metrics only. */
  readonly isForScrapers?: true;
  /** Limits the requests in progress; absent for routes that are always admitted. */
  readonly admission?: AdmissionClass;
  readonly parameters?: readonly Parameter[];
  /** Declaration of the JSON body. */
  readonly request?: Schema;
  readonly response: RouteResponse;
  /** Meaning of each error status. */
  readonly errorResponses?: Readonly<Record<number, string>>;
  /** The owner of this cluster answers; absent for routes that any replica answers. */
  readonly clusterOf?: RouteCluster;
  /** Longest wait for the answer of the owner. */
  readonly forwardTimeout?: Millis;
  handle(request: IncomingRequest, segments: PathParameters): Promise<OutgoingReply>;
}

/**
 * Returns the cluster that a request is about, empty for graphwarden itself; undefined if this replica answers. The error says why the
 * cluster cannot be found now.
 */
export type RouteCluster = (
  request: Pick<IncomingRequest, 'query' | 'text'>,
  segments: PathParameters,
) => Promise<Result<string | undefined, string>>;

/** Successful answer of a route. */
interface RouteResponse {
  /** Media type. */
  readonly type: string;
  /** Declaration of a JSON answer. */
  readonly schema?: Schema;
  /** Declarations of the data of server-sent events, by the name of the event. */
  readonly events?: Readonly<Record<string, Schema>>;
}

/** Segments of the path, by the names that the path of the route gives them. */
export type PathParameters = Readonly<Record<string, string>>;

/** Returns the refusal of a request; undefined if its client may send it. */
type Refusal = (request: IncomingRequest, routes: readonly Route[]) => OutgoingReply | undefined;

/** Checks that a request passes before its route answers it. The Unix socket, which only operators can open, has none. */
export interface RequestGates {
  /** Refuses requests of clients that may not send them. */
  readonly refuse?: Refusal;
  /** Limits the requests in progress. */
  readonly admission?: Pick<AdmissionControl, 'answer'>;
}

/** Returns the handler of `routes`. All of them are below the prefix, which a reload may change. */
export function createHandler(
  routes: readonly Route[],
  prefix: () => string,
  { refuse = () => undefined, admission }: RequestGates = {},
): RequestHandler {
  return async (request) => {
    const matching = matchingRoutes(routes, pathWithinPrefix(prefix(), request.path));
    const found = matching.map(({ route }) => route);
    const reply = refuse(request, found) ?? (await dispatch(matching, request, admission));
    return { ...reply, headers: { ...securityHeaders, ...reply.headers } };
  };
}

/** Whether `path`, with the prefix, is exempt from authentication. */
export function isPublicPath(routes: readonly Route[], path: string, prefix: string): boolean {
  const within = pathWithinPrefix(prefix, path);
  return routes.some((route) => route.isPublic === true && route.path === within);
}

/** Returns the path of the external URL, decoded like the path of a request, without a slash at its end. */
export function routePrefix(externalUrl: string | undefined): string {
  return externalUrl === undefined ? '' : decodeURIComponent(new URL(externalUrl).pathname).replace(/\/+$/, '');
}

/** Route of a path, whatever its method, with the segments of the path. */
interface MatchingRoute {
  readonly route: Route;
  readonly segments: PathParameters;
}

function matchingRoutes(routes: readonly Route[], path: string | undefined): readonly MatchingRoute[] {
  return routes.flatMap((route) => {
    const segments = path === undefined ? undefined : matchPath(route.path, path);
    return segments === undefined ? [] : [{ route, segments }];
  });
}

async function dispatch(
  matching: readonly MatchingRoute[],
  request: IncomingRequest,
  admission: RequestGates['admission'],
): Promise<OutgoingReply> {
  if (matching.length === 0) return problemReply(404, `No route matches ${request.path}.`);
  // The listener sends no body in answer to HEAD, so it is answered like GET.
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const found = matching.find(({ route }) => route.method === method);
  if (found !== undefined) {
    const problem = invalidParameter(found.route.parameters ?? [], request.query);
    if (problem !== undefined) return problemReply(400, problem);
    const handle = (): Promise<OutgoingReply> => found.route.handle(request, found.segments);
    const { admission: kind } = found.route;
    return kind === undefined || admission === undefined ? handle() : admission.answer(kind, request, handle);
  }
  const allow = matching.map(({ route }) => (route.method === 'GET' ? 'GET, HEAD' : route.method)).join(', ');
  const refusal = problemReply(405, `${request.path} allows ${allow}.`);
  return { ...refusal, headers: { ...refusal.headers, allow } };
}

function pathWithinPrefix(prefix: string, path: string): string | undefined {
  if (path === prefix) return '/';
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}

/** Returns the segments of `path` at the parameters of `template`; undefined if the path does not match. */
function matchPath(template: string, path: string): PathParameters | undefined {
  if (!template.includes('{')) return template === path ? {} : undefined;
  const [wanted, actual] = [template.split('/'), path.split('/')];
  if (wanted.length !== actual.length) return undefined;
  const found: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const segment = actual[at] ?? '';
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined ? part !== segment : segment === '') return undefined;
    if (name !== undefined) found[name] = segment;
  }
  return found;
}
