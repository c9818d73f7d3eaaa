import type { IncomingRequest, OutgoingReply, RequestHandler } from '../kernel/listener.ts';
import type { Clock } from '../kernel/time.ts';
import { accessError } from './access.ts';
import type { BoundedLog, EndpointCall, ReceivedCall, RecordedAbort } from './call.ts';
import { faultEffects, rejectingFaults } from './faults/all.ts';
import type { FaultName } from './faults/fault.ts';
import { proxyError, type Reply, unknownEndpoint } from './replies.ts';
import { findRoute } from './routes.ts';
import type { TokenIssuer } from './tokens.ts';
import type { HostState, World } from './world/world.ts';

/** Shared context of all nodes of a simulated cluster. */
export interface SimulatorContext {
  readonly world: World;
  readonly clock: Clock;
  readonly tokens: TokenIssuer;
  readonly calls: BoundedLog<ReceivedCall>;
  readonly aborts: BoundedLog<RecordedAbort>;
  /** Advances the world to the current time. */
  readonly advanceClock: () => void;
  /** Returns the URL of another node, if there is one. */
  readonly otherNodeUrl: (node: HostState) => string;
}

/** Headers that mark every response as a simulation. */
export const simulationHeaders: Readonly<Record<string, string>> = {
  server: 'graphwarden-simulator',
  'x-simulation': 'simulated server, not a database',
};

/** Maximum size of a request body. */
const maxBodyBytes = 1024 * 1024;

/**
 * Creates the request handler of one node. It logs the request, answers from the world, and applies faults and
 * headers.
 */
export function nodeHandler(context: SimulatorContext, node: HostState): RequestHandler {
  return async (request) => {
    context.advanceClock();
    const { method, path, query } = request;
    const call = { node: node.host.name, method, path, query: query.toString(), at: context.world.now };
    const answered = context.calls.add({ ...call, status: undefined });
    const reply = await applyFaults(await answerRequest(context, node, request), context, { node, request });
    answered({ ...call, status: reply.status });
    return withServerHeaders(reply, context.world.hostTime(node.host));
  };
}

async function answerRequest(context: SimulatorContext, node: HostState, request: IncomingRequest): Promise<Reply> {
  const { world, tokens, clock, advanceClock } = context;
  const fault = faultOf(world, node, request);
  // A rejected request has no effect; the fault determines the response.
  if (fault !== undefined && rejectingFaults.has(fault)) return proxyError(503, 'Service Unavailable');
  const found = findRoute(request.method, request.path, world.release.legacyPaths);
  if (found === undefined) return unknownPath(request.path);
  const { route, path } = found;
  if (
    !world.serviceStatuses.isServing('NGINX', node.host) ||
    !world.serviceStatuses.isServing(route.service, node.host)
  ) {
    return proxyError(502, 'Bad Gateway');
  }
  const now = world.hostTime(node.host);
  const refused = accessError(route.access, request.headers, {
    auth: world.settings.auth,
    release: world.release,
    tokens,
    now,
  });
  if (refused !== undefined) return refused;
  const { query, headers, disconnected } = request;
  const body = await request.text(maxBodyBytes);
  const recordAbort: EndpointCall['recordAbort'] = (requestId, url) => {
    context.aborts.add({ node: node.host.name, requestId, url, at: world.now });
  };
  return route.endpoint({
    world,
    node,
    path,
    query,
    headers,
    body,
    tokens,
    clock,
    advanceClock,
    disconnected,
    recordAbort,
  });
}

/** Returns the error for an unknown path, which the data plane names without the prefix that the proxy removes. */
function unknownPath(path: string): Reply {
  return unknownEndpoint(path.replace(/^\/restpp(?=\/)/, ''));
}

async function applyFaults(
  reply: Reply,
  { clock, otherNodeUrl, world }: SimulatorContext,
  { node, request }: { readonly node: HostState; readonly request: IncomingRequest },
): Promise<OutgoingReply> {
  const fault = faultOf(world, node, request);
  if (fault === undefined) return reply;
  const { path, disconnected } = request;
  return faultEffects[fault]({ reply, path, otherNodeUrl: otherNodeUrl(node), clock, disconnected });
}

function faultOf(world: World, { host }: HostState, { path }: IncomingRequest): FaultName | undefined {
  return world.faultInjector.faultsFor(host.name, path)[0];
}

function withServerHeaders(reply: OutgoingReply, hostTime: number): OutgoingReply {
  const date = new Date(hostTime).toUTCString();
  return { ...reply, headers: { ...reply.headers, date, ...simulationHeaders } };
}
