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

/** What all nodes of a simulated cluster share. */
export interface SimulatorContext {
  readonly world: World;
  readonly clock: Clock;
  readonly tokens: TokenIssuer;
  readonly calls: BoundedLog<ReceivedCall>;
  readonly aborts: BoundedLog<RecordedAbort>;
  /** Lets the world catch up with the clock. */
  readonly advanceClock: () => void;
  /** The address of a node that is not this one, where there are several. */
  readonly otherNodeUrl: (node: HostState) => string;
}

/** Every answer says in its headers that it is a simulation. */
export const simulationHeaders: Readonly<Record<string, string>> = {
  server: 'graphwarden-simulator',
  'x-simulation': 'simulated server, not a database',
};

/** The most that a request to the server may carry. */
const maxBodyBytes = 1024 * 1024;

/** The HTTP side of one node: log, answer as the world says, spoil it where a fault strikes, stamp it. */
export function nodeHandler(stage: SimulatorContext, node: HostState): RequestHandler {
  return async (request) => {
    stage.advanceClock();
    const { method, path, query } = request;
    const call = { node: node.host.name, method, path, query: query.toString(), at: stage.world.now };
    const answered = stage.calls.add({ ...call, status: undefined });
    const reply = await applyFaults(await answerRequest(stage, node, request), stage, { node, request });
    answered({ ...call, status: reply.status });
    return withServerHeaders(reply, stage.world.hostTime(node.host));
  };
}

async function answerRequest(stage: SimulatorContext, node: HostState, request: IncomingRequest): Promise<Reply> {
  const { world, tokens, clock, advanceClock } = stage;
  const fault = faultsOf(world, node, request);
  // A rejected request has no effect; the fault determines the response.
  if (fault !== undefined && rejectingFaults.has(fault)) return proxyError(503, 'Service Unavailable');
  const found = findRoute(request.method, request.path, world.release.legacyPaths);
  if (found === undefined) return unknownPath(request.path);
  const { route, path } = found;
  if (
    !world.serviceStatuses.isOnline('NGINX', node.host) ||
    !world.serviceStatuses.isOnline(route.service, node.host)
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
    stage.aborts.add({ node: node.host.name, requestId, url, at: world.now });
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

/** The data plane names a path as it sees it, behind the proxy. */
function unknownPath(path: string): Reply {
  return unknownEndpoint(path.replace(/^\/restpp(?=\/)/, ''));
}

async function applyFaults(
  reply: Reply,
  { clock, otherNodeUrl, world }: SimulatorContext,
  { node, request }: { readonly node: HostState; readonly request: IncomingRequest },
): Promise<OutgoingReply> {
  const fault = faultsOf(world, node, request);
  if (fault === undefined) return reply;
  const { path, disconnected } = request;
  return faultEffects[fault]({ reply, path, otherNodeUrl: otherNodeUrl(node), clock, disconnected });
}

function faultsOf(world: World, { host }: HostState, { path }: IncomingRequest): FaultName | undefined {
  return world.faultInjector.faultsFor(host.name, path)[0];
}

function withServerHeaders(reply: OutgoingReply, hostTime: number): OutgoingReply {
  const date = new Date(hostTime).toUTCString();
  return { ...reply, headers: { ...reply.headers, date, ...simulationHeaders } };
}
