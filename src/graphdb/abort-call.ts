import { isCancelled } from '../kernel/cancelled.ts';
import type { HttpFailure, HttpPool, HttpReply, HttpRequest } from '../kernel/http.ts';
import type { Result } from '../kernel/result.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import { type AbortReply, type AbortRequest, type AbortTrouble, readAbortReply } from './abort-reply.ts';
import type { CallerParts } from './caller.ts';
import { type PathForm, prefixOf } from './calls.ts';
import type { Credentials } from './credentials.ts';
import { isGraphName } from './graph-name.ts';
import { redactedUrl } from './made-call.ts';
import { readRequestId } from './request-id.ts';

/** What the abort call of a node is made of. */
export interface AbortParts extends Pick<CallerParts, 'node' | 'origin' | 'called'> {
  /** Path of the node's url, before every path. */
  readonly prefix: string;
  /** Leads to one address alone, and has a place for what is urgent. */
  readonly pool: Pick<HttpPool, 'request'>;
  /** Those for aborting: no other call shows them, and this one shows no others. */
  readonly credentials: Credentials;
  /** In which the latest good list of this node was asked for; undefined where there was none. */
  readonly form: () => PathForm | undefined;
  readonly maxBytes: number;
  readonly clock: Clock;
}

/** What the guard has checked holds now; a connection that takes longer to come about brings the order too late. */
const leaveWithin: Millis = 500;

/** Sends one abort, at most once: there is no second try of any kind. Never rejects. */
export type AbortCall = (order: AbortRequest, signal: AbortSignal) => Promise<AbortReply>;

/** Whether a path is exactly that of an abort: of one query by its full id, in one graph. Nothing else leaves. */
export function isAbortPath(path: string): boolean {
  const [, graph = '', id = ''] = /^\/abortquery\/([^/?]*)\?requestid=([^?&]*)$/.exec(path) ?? [];
  return isGraphName(graph) && readRequestId(id) !== undefined;
}

/** Builds the only thing in this program with which a server can be made to end a query. */
export function createAbortCall(parts: AbortParts): AbortCall {
  const { pool, credentials, clock } = parts;
  return async (order, signal) => {
    const form = parts.form();
    if (!isAbortPath(order.path)) return unsent('the path is not that of one abort');
    if (form === undefined || order.address === '') return unsent('no list tells whom to ask, and in which form');
    const ticket = await credentials.atHand();
    if (!ticket.ok) return unsent(ticket.error.message);
    if (signal.aborted) return unsent('it was given up before it began');
    const request: HttpRequest = {
      method: 'GET',
      path: parts.prefix + prefixOf('restpp', form) + order.path,
      headers: {
        'user-agent': 'graphwarden',
        'accept-encoding': 'gzip',
        ...(ticket.value.authorization !== undefined && { authorization: ticket.value.authorization.reveal() }),
      },
      maxBytes: parts.maxBytes,
      urgent: true,
      once: true,
      only: { peer: order.address },
      leaveWithin,
    };
    const started = clock.now();
    const reply = await pool.request(request, signal);
    const call = { ...callOf(parts, request, form), ...resultOf(reply, signal), started, ended: clock.now() };
    const read = await replyOf(reply, clock, signal);
    // A good status alone makes no good answer.
    const isBad = reply.ok && reply.value.status < 400 && read.kind !== 'taken';
    for (const tell of [parts.called, order.called]) tell?.({ ...call, ...(isBad && { failure: 'body' }) });
    if (!reply.ok) return read;
    reply.value.release?.();
    // For the next one: this one is not tried again.
    if (read.kind === 'taken') credentials.renewalHelped('abort');
    else if (isAuthTrouble(reply.value.status)) await credentials.refused(ticket.value, 'abort');
    return read;
  };
}

async function replyOf(reply: Result<HttpReply, HttpFailure>, clock: Clock, signal: AbortSignal): Promise<AbortReply> {
  if (reply.ok) return await readAbortReply(reply.value, clock, signal);
  return { kind: reply.error.unsent === true ? 'unsent' : 'lost', reason: reply.error.message };
}

function callOf({ node, origin }: AbortParts, { path }: HttpRequest, form: PathForm) {
  const template = `${prefixOf('restpp', form)}/abortquery/{graph}`;
  return { node, name: 'abort', method: 'GET', template, url: redactedUrl(origin, path), resends: 0 } as const;
}

function resultOf(reply: Result<HttpReply, HttpFailure>, signal: AbortSignal) {
  if (!reply.ok) return { failure: reply.error.reason, isCancelled: isCancelled(signal) };
  const { status, body, peer } = reply.value;
  return { status, bytes: body.length, ...(peer !== undefined && { peer }), isCancelled: false };
}

function unsent(reason: string): AbortTrouble {
  return { kind: 'unsent', reason };
}

function isAuthTrouble(status: number): boolean {
  return status === 401 || status === 403;
}
