import type { Schema } from '../../api/fields.ts';
import { parseJson } from '../../kernel/json.ts';
import type { IncomingRequest, OutgoingReply } from '../../kernel/listener.ts';
import { maxPeerBody } from '../../kernel/peers.ts';
import { ok } from '../../kernel/result.ts';
import type { Millis } from '../../kernel/time.ts';
import { isCrossOrigin, type OperatorSettings, operatorRefusal } from './operator.ts';
import type { OtherReplicas } from './other-replicas.ts';
import { problemReply } from './reply.ts';
import type { PathParameters, Route, RouteCluster } from './routes.ts';

const defaultTimeout: Millis = 12_000;

/** Returns the cluster that the path names. */
export const clusterOfPath: RouteCluster = async (_, { cluster }) => ok(cluster);

/** Returns the cluster that the body names; undefined if the body is invalid, which the route rejects. */
export function clusterOfBody(schema: Schema<{ readonly cluster: string }>, maxBytes: number): RouteCluster {
  return async ({ text }) => {
    const parsed = schema.safeParse(parseJson(await text(maxBytes)));
    return ok(parsed.success ? parsed.data.cluster : undefined);
  };
}

/**
 * Returns the routes, of which those about one cluster are answered by its owner, in the name of the user of the request. A
 * request of another replica is never forwarded.
 */
export function forwardToOwners(
  routes: readonly Route[],
  replicas: OtherReplicas | undefined,
  settings: () => OperatorSettings,
): readonly Route[] {
  if (replicas?.isShared !== true) return routes;
  return routes.map((route) => {
    const { clusterOf } = route;
    if (clusterOf === undefined) return route;
    const handle: Route['handle'] = async (given, segments) => {
      if (given.replica !== undefined) return await route.handle(given, segments);
      // A client that may not act gets no information on the cluster.
      const refusal = route.method === 'GET' ? undefined : operatorRefusal(given, settings());
      if (refusal !== undefined) return refusal;
      const request = withRepeatableText(given);
      const cluster = await clusterOf(request, segments);
      if (!cluster.ok) return problemReply(503, cluster.error);
      if (cluster.value === undefined || !replicas.isForeign(cluster.value))
        return await route.handle(request, segments);
      return await forward({ route, replicas, segments, settings }, cluster.value, request);
    };
    return { ...route, handle };
  });
}

interface ForwardContext {
  readonly route: Route;
  readonly replicas: OtherReplicas;
  readonly segments: PathParameters;
  readonly settings: () => OperatorSettings;
}

async function forward(
  { route, replicas, segments, settings }: ForwardContext,
  cluster: string,
  request: IncomingRequest,
): Promise<OutgoingReply> {
  const { method, path, forwardTimeout: timeout = defaultTimeout } = route;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(segments[name] ?? ''));
  const query = request.query.toString();
  // Another site must not act in the name of the user of a browser.
  const isForeignSite = isCrossOrigin(request.headers, settings().externalUrl);
  const { user, operator } = isForeignSite ? {} : request;
  const reply = await replicas.forward(cluster, {
    method,
    path: query === '' ? filled : `${filled}?${query}`,
    ...(method === 'GET' ? {} : { body: await request.text(maxPeerBody) }),
    user,
    operator,
    timeout,
  });
  if (!reply.ok) return problemReply(503, reply.error);
  const { status, body, retryAfter } = reply.value;
  const type = status >= 400 ? 'application/problem+json' : route.response.type;
  const wait = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  return { status, headers: { 'content-type': `${type}; charset=utf-8`, ...wait }, body };
}

/** Returns the request with a body that can be read repeatedly. */
function withRepeatableText(request: IncomingRequest): IncomingRequest {
  let text: Promise<string> | undefined;
  return {
    ...request,
    text: (maxBytes) => {
      text ??= request.text(maxBytes);
      return text;
    },
  };
}
