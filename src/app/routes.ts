import type { IncomingRequest, OutgoingReply, RequestHandler } from '../kernel/listener.ts';
import { problem } from './reply.ts';

/** A value in the query string. */
export interface Parameter {
  readonly name: string;
  readonly about: string;
  /** Its JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly required?: boolean;
}

/** One thing that may be asked for. The OpenAPI document is printed from these. */
export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly about: string;
  /** Never behind authentication. */
  readonly isPublic?: true;
  readonly parameters?: readonly Parameter[];
  /** The media type of a good answer, and its JSON Schema where it has one. */
  readonly gives: { readonly type: string; readonly schema?: Readonly<Record<string, unknown>> };
  /** Statuses of problems that it may answer with, and what they mean. */
  readonly problems?: Readonly<Record<number, string>>;
  handle(request: IncomingRequest): Promise<OutgoingReply>;
}

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
  const there = routes.filter((route) => route.path === path);
  if (there.length === 0) return problem(404, `There is nothing at ${request.path}.`);
  // The listener sends no body in answer to HEAD, so it is answered like GET.
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const route = there.find((one) => one.method === method);
  if (route !== undefined) return route.handle(request);
  const allow = there.map((one) => (one.method === 'GET' ? 'GET, HEAD' : one.method)).join(', ');
  const refusal = problem(405, `${request.path} answers to ${allow}.`);
  return { ...refusal, headers: { ...refusal.headers, allow } };
}

function pathUnder(prefix: string, path: string): string | undefined {
  if (path === prefix) return '/';
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}
