import { waitAtMost, waitUnlessAborted } from '../kernel/deadline.ts';
import { errorName, failure, isCancelled } from '../kernel/failure.ts';
import type { HttpFailure, HttpPool, HttpReply, HttpRequest } from '../kernel/http.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import { type AbortFailure, type AbortReply, type AbortRequest, parseAbortReply } from './abort-reply.ts';
import type { CallerOptions } from './caller.ts';
import { type PathForm, prefixOf } from './calls.ts';
import { redactedUrl } from './completed-call.ts';
import type { Credentials } from './credentials.ts';
import { isGraphName, parseRequestId } from './query-identity.ts';
import { replyLimits } from './reply-limits.ts';

/** Parts of the abort call of a node. */
export interface AbortCallOptions extends Pick<CallerOptions, 'node' | 'origin' | 'onCall'> {
  /** Path of the node's url, before every path. */
  readonly prefix: string;
  /** The pool of the process lists. */
  readonly pool: Pick<HttpPool, 'request'>;
  /** Credentials for aborts; no other call uses them, and this one uses no others. */
  readonly credentials: Credentials;
  /** Path form of the latest valid list of this node; undefined before the first. */
  readonly form: () => PathForm | undefined;
  readonly maxBytes: number;
  readonly clock: Clock;
}

/** Timeout for reading the credentials, after which the fresh list is too old. */
const prepareTimeout: Millis = 3000;

/**
 * Sends one abort at most once, without any retry. Everything that takes time, such as reading a token, happens before
 * `mayWrite` is called. Never rejects.
 */
export type AbortCall = (order: AbortRequest, signal: AbortSignal) => Promise<AbortReply>;

/**
 * Returns the path of the only request that aborts a query, below the prefix of the API: exactly one id of the strict
 * pattern, and one graph name. Both are used as they are, because neither can hold a character with a meaning in a URL.
 */
export function abortPath({ id, graph }: Pick<AbortRequest, 'id' | 'graph'>): Result<string, 'id' | 'graph'> {
  if (parseRequestId(id) === undefined) return err('id');
  return isGraphName(graph) ? ok(`/abortquery/${graph}?requestid=${id}`) : err('graph');
}

/** Creates the abort call of a node: the only code in the project that can make a server end a query. */
export function createAbortCall(parts: AbortCallOptions): AbortCall {
  const { pool, credentials, clock } = parts;
  return async (order, signal) => {
    const form = parts.form();
    const path = abortPath(order);
    if (!path.ok) return unsent(`the ${path.error} is not valid`);
    if (form === undefined) return unsent('no process list was received from the node');
    if (order.connection === '') return unsent('the server closed the connection after its process list');
    const ticket = await waitAtMost(clock, prepareTimeout, credentials.cached(), signal);
    if (ticket === undefined || signal.aborted) return unsent('the credentials could not be read in time');
    if (!ticket.ok) return unsent(ticket.error.message);
    let wasWritten = false;
    const mayWrite = (): boolean => {
      wasWritten = !signal.aborted && order.mayWrite();
      return wasWritten;
    };
    const request: HttpRequest = {
      method: 'GET',
      path: parts.prefix + prefixOf('restpp', form) + path.value,
      headers: {
        'user-agent': 'graphwarden',
        'accept-encoding': 'gzip',
        ...(ticket.value.authorization !== undefined && { authorization: ticket.value.authorization.reveal() }),
      },
      maxBytes: Math.min(parts.maxBytes, replyLimits.list.bytes),
      bound: { connection: order.connection, mayWrite },
    };
    const started = clock.now();
    const reply = (await inTime(pool.request(request, signal), signal)) ?? err(givenUp(wasWritten));
    const call = {
      ...describeAbort(parts, request, form),
      ...describeResult(reply, signal),
      started,
      ended: clock.now(),
    };
    const read = await toAbortReply(reply, clock, signal);
    // A success status is not enough: the body must be valid as well.
    const isBad = reply.ok && reply.value.status < 400 && read.kind !== 'accepted';
    for (const listener of [parts.onCall, order.onCall]) listener?.({ ...call, ...(isBad && { failure: 'body' }) });
    if (!reply.ok) return read;
    reply.value.release?.();
    if (read.kind === 'accepted') credentials.renewalSucceeded('abort');
    if (read.kind !== 'refused' || !read.isUnauthorized) return read;
    // This abort is not retried, but the next one may use new credentials.
    return { ...read, isUnauthorized: !(await credentials.onRejected(ticket.value, 'abort')) };
  };
}

/** Waits for a reply until `signal` aborts; the memory of a later one is released. */
async function inTime(
  request: ReturnType<HttpPool['request']>,
  signal: AbortSignal,
): Promise<Awaited<typeof request> | undefined> {
  const reply = await waitUnlessAborted(request, signal);
  if (reply === undefined) void request.then((late) => late.ok && late.value.release?.());
  return reply;
}

/** Returns the failure of a request that timed out; it counts as not sent if it was not written. */
function givenUp(wasWritten: boolean): HttpFailure {
  if (wasWritten) return failure('timeout', 'no response to the abort request in time');
  return { ...failure('timeout', 'the request could not be prepared in time'), unsent: true };
}

async function toAbortReply(
  reply: Result<HttpReply, HttpFailure>,
  clock: Clock,
  signal: AbortSignal,
): Promise<AbortReply> {
  try {
    if (reply.ok) return await parseAbortReply(reply.value, clock, signal);
  } catch (error) {
    // The server received the abort, whatever is wrong with its reply.
    return { kind: 'lost', reason: `processing the response failed: ${errorName(error)}` };
  }
  return { kind: reply.error.unsent === true ? 'unsent' : 'lost', reason: reply.error.message };
}

function describeAbort({ node, origin }: AbortCallOptions, { path }: HttpRequest, form: PathForm) {
  const template = `${prefixOf('restpp', form)}/abortquery/{graph}`;
  return { node, name: 'abort', method: 'GET', template, url: redactedUrl(origin, path), retries: 0 } as const;
}

function describeResult(reply: Result<HttpReply, HttpFailure>, signal: AbortSignal) {
  if (!reply.ok) return { failure: reply.error.reason, isCancelled: isCancelled(signal) };
  const { status, body, peer } = reply.value;
  return { status, bytes: body.length, ...(peer !== undefined && { peer }), isCancelled: false };
}

function unsent(reason: string): AbortFailure {
  return { kind: 'unsent', reason };
}
