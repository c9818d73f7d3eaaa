import type { IncomingRequest, OutgoingReply, RequestHandler } from '../kernel/listener.ts';
import type { Clock } from '../kernel/time.ts';
import { refusal } from './access.ts';
import type { Call } from './call.ts';
import type { Log, ReceivedCall, RecordedAbort } from './call-log.ts';
import { refusals, spoilers } from './faults/all.ts';
import type { FaultName } from './faults/names.ts';
import { proxyError, type Reply, unknownEndpoint } from './replies.ts';
import { findRoute } from './routes.ts';
import type { TokenDesk } from './tokens.ts';
import type { HostState, World } from './world/world.ts';

/** What all nodes of a simulated cluster share. */
export interface Stage {
  readonly world: World;
  readonly clock: Clock;
  readonly tokens: TokenDesk;
  readonly calls: Log<ReceivedCall>;
  readonly aborts: Log<RecordedAbort>;
  /** Lets the world catch up with the clock. */
  readonly catchUp: () => void;
  /** The address of a node that is not this one, where there are several. */
  readonly elsewhere: (node: HostState) => string;
}

/** Every answer says in its headers that it is a simulation. */
export const simulationHeaders: Readonly<Record<string, string>> = {
  server: 'graphwarden-simulator',
  'x-simulation': 'this is not a database but a simulation of one',
};

/** The most that a request to the server may carry. */
const maxBody = 1024 * 1024;

/** The HTTP side of one node: log, answer as the world says, spoil it where a fault strikes, stamp it. */
export function nodeHandler(stage: Stage, node: HostState): RequestHandler {
  return async (request) => {
    stage.catchUp();
    const { method, path, query } = request;
    const call = { node: node.host.name, method, path, query: query.toString(), at: stage.world.now };
    const answered = stage.calls.add({ ...call, status: undefined });
    const reply = await spoilt(await answer(stage, node, request), stage, { node, request });
    answered({ ...call, status: reply.status });
    return stamped(reply, stage.world.hostTime(node.host));
  };
}

async function answer(stage: Stage, node: HostState, request: IncomingRequest): Promise<Reply> {
  const { world, tokens, clock, catchUp } = stage;
  const fault = faultOf(world, node, request);
  // What is turned away has no effect; what it is told instead is the matter of the fault.
  if (fault !== undefined && refusals.has(fault)) return proxyError(503, 'Service Unavailable');
  const found = findRoute(request.method, request.path, world.release.legacyPaths);
  if (found === undefined) return unknown(request.path);
  const { route, path } = found;
  if (!world.board.serves('NGINX', node.host) || !world.board.serves(route.service, node.host)) {
    return proxyError(502, 'Bad Gateway');
  }
  const now = world.hostTime(node.host);
  const refused = refusal(route.guarded, request.headers, {
    auth: world.settings.auth,
    release: world.release,
    tokens,
    now,
  });
  if (refused !== undefined) return refused;
  const { query, headers, gone } = request;
  const body = await request.text(maxBody);
  const recordAbort: Call['recordAbort'] = (requestId, url) => {
    stage.aborts.add({ node: node.host.name, requestId, url, at: world.now });
  };
  return route.answer({ world, node, path, query, headers, body, tokens, clock, catchUp, gone, recordAbort });
}

/** The data plane names a path as it sees it, behind the proxy. */
function unknown(path: string): Reply {
  return unknownEndpoint(path.replace(/^\/restpp(?=\/)/, ''));
}

async function spoilt(
  reply: Reply,
  { clock, elsewhere, world }: Stage,
  { node, request }: { readonly node: HostState; readonly request: IncomingRequest },
): Promise<OutgoingReply> {
  const fault = faultOf(world, node, request);
  if (fault === undefined) return reply;
  const { path, gone } = request;
  return spoilers[fault]({ reply, path, elsewhere: elsewhere(node), clock, gone });
}

function faultOf(world: World, { host }: HostState, { path }: IncomingRequest): FaultName | undefined {
  return world.faults.striking(host.name, path)[0];
}

function stamped(reply: OutgoingReply, hostTime: number): OutgoingReply {
  const date = new Date(hostTime).toUTCString();
  return { ...reply, headers: { ...reply.headers, date, ...simulationHeaders } };
}
