import type { IncomingRequest, OutgoingReply, RequestHandler } from '../kernel/listener.ts';
import { type Parameter, wrongValue } from './parameters.ts';
import { problem } from './reply.ts';

/** One thing that may be asked for. The OpenAPI document is printed from these. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `{id}` stands for one segment, whatever it is. */
  readonly path: string;
  readonly about: string;
  /** Never behind authentication. */
  readonly isPublic?: true;
  readonly parameters?: readonly Parameter[];
  /** The JSON Schema of the body that it wants. */
  readonly takes?: Readonly<Record<string, unknown>>;
  /** The media type of a good answer, and its JSON Schema where it has one. */
  readonly gives: { readonly type: string; readonly schema?: Readonly<Record<string, unknown>> };
  /** Statuses of problems that it may answer with, and what they mean. */
  readonly problems?: Readonly<Record<number, string>>;
  handle(request: IncomingRequest, segments: Segments): Promise<OutgoingReply>;
}

/** What stands in the path where the route has `{name}`. */
export type Segments = Readonly<Record<string, string>>;

const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** Answers requests by `routes`, all of them under the prefix, which a reload may change. */
export function createHandler(routes: readonly Route[], prefix: () => string): RequestHandler {
  return async (request) => {
    const reply = await answer(routes, request, prefix());
    return { ...reply, headers: { ...securityHeaders, ...reply.headers } };
  };
}

/** Whether what is at `path` under the prefix is never behind authentication. */
export function isPublicPath(routes: readonly Route[], path: string, prefix: string): boolean {
  const under = pathUnder(prefix, path);
  return routes.some((route) => route.isPublic === true && route.path === under);
}

/** The path of the external address, decoded as that of a request is, without the slash at its end. */
export function routePrefix(externalUrl: string | undefined): string {
  return externalUrl === undefined ? '' : decodeURIComponent(new URL(externalUrl).pathname).replace(/\/+$/, '');
}

async function answer(routes: readonly Route[], request: IncomingRequest, prefix: string): Promise<OutgoingReply> {
  const path = pathUnder(prefix, request.path);
  const there = routes.flatMap((route) => {
    const segments = path === undefined ? undefined : segmentsOf(route.path, path);
    return segments === undefined ? [] : [{ route, segments }];
  });
  if (there.length === 0) return problem(404, `There is nothing at ${request.path}.`);
  // The listener sends no body in answer to HEAD, so it is answered like GET.
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const found = there.find(({ route }) => route.method === method);
  if (found !== undefined) {
    const wrong = wrongValue(found.route.parameters ?? [], request.query);
    return wrong === undefined ? found.route.handle(request, found.segments) : problem(400, wrong);
  }
  const allow = there.map(({ route }) => (route.method === 'GET' ? 'GET, HEAD' : route.method)).join(', ');
  const refusal = problem(405, `${request.path} answers to ${allow}.`);
  return { ...refusal, headers: { ...refusal.headers, allow } };
}

function pathUnder(prefix: string, path: string): string | undefined {
  if (path === prefix) return '/';
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}

/** What `path` has in the places that `template` leaves open; undefined where it is another path. */
function segmentsOf(template: string, path: string): Segments | undefined {
  if (!template.includes('{')) return template === path ? {} : undefined;
  const [wanted, given] = [template.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  const found: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const segment = given[at] ?? '';
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined ? part !== segment : segment === '') return undefined;
    if (name !== undefined) found[name] = segment;
  }
  return found;
}
