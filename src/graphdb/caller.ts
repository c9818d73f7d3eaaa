import { errorName, type Failure, failure, isCancelled } from '../kernel/failure.ts';
import type { HttpFailure, HttpPool, HttpReply, HttpRequest } from '../kernel/http.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Secret } from '../kernel/secret.ts';
import type { Digest } from '../kernel/system.ts';
import type { Clock } from '../kernel/time.ts';
import type { ReplyWorkers } from '../kernel/worker.ts';
import type { RequestToken } from './access-tokens.ts';
import { pathOf, tracedPathOf } from './call-paths.ts';
import {
  type Call,
  type CallInput,
  type CallName,
  calls,
  describeCall,
  headersOf,
  type PathForm,
  templateOf,
} from './calls.ts';
import { type CallListener, redactedUrl } from './completed-call.ts';
import type { Credentials } from './credentials.ts';
import { reduceInWorker } from './long-reply.ts';
import type { PathForms, PathProbeResult } from './path-forms.ts';
import { acceptReply, type JsonObject, openEnvelope } from './reply.ts';
import { type ReplyLimits, replyLimits } from './reply-limits.ts';

/** Sends requests to one node. The message of a failure names call and node, never parameters. */
export interface Caller {
  readonly clock: Clock;
  /** Digest that replaces contents that must not be kept. */
  readonly digest: Digest;
  /** Sends a call whose reply has one of the JSON envelopes. */
  json(name: CallName, input: CallInput, signal: AbortSignal): Promise<Result<JsonObject, Failure>>;
  /** Sends such a call, and also returns the origin of the reply. */
  jsonWithOrigin(name: CallName, input: CallInput, signal: AbortSignal): Promise<Result<JsonWithOrigin, Failure>>;
  /** Requests a token from this node. */
  readonly exchange: RequestToken;
  /** Sends a call with a text reply. `parse` must not keep the bytes after it returns, because their memory is reused. */
  text<Facts>(call: TextCall, parse: ParseText<Facts>, signal: AbortSignal): Promise<Result<Facts, Failure>>;
  /** Adds call and node to the message of a failure that was found in a reply. */
  withContext(name: CallName, error: Failure): Failure;
}

/** Call with a text reply. */
export interface TextCall {
  readonly name: CallName;
  readonly input?: CallInput;
}

/** Parses the bytes of a text reply. */
export type ParseText<Facts> = (bytes: Uint8Array) => Promise<Result<Facts, Failure>>;

/** JSON reply and its origin. */
export interface JsonWithOrigin {
  readonly json: JsonObject;
  /** `ip:port` of the peer; `''` if unknown. */
  readonly address: string;
  /** Connection of the reply; `''` if unknown. */
  readonly connection: string;
  /** Path form in which the server answered. */
  readonly form: PathForm;
}

/** Parts of a caller; all but node, prefix and pool are shared by the cluster. */
export interface CallerOptions {
  readonly node: string;
  /** Scheme, host and port of the node URL, for observers. */
  readonly origin: string;
  /** Path of the node URL, before every path. */
  readonly prefix: string;
  readonly pool: Pick<HttpPool, 'request'>;
  /** Replaces `pool` for process lists, if they have reserved sockets. */
  readonly lists?: Pick<HttpPool, 'request'>;
  readonly credentials: Credentials;
  /** Credentials for the informant, which requires none by default. */
  readonly informantCredentials: Credentials;
  readonly forms: PathForms;
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly digest: Digest;
  /** Workers for long replies; without them they are processed in slices. */
  readonly workers?: ReplyWorkers;
  /** Called with every finished request. */
  readonly onCall?: CallListener;
}

interface CallAttempt {
  readonly name: CallName;
  readonly input: CallInput;
  readonly signal: AbortSignal;
  /** Requests sent so far for the call. */
  sent: number;
}

/** Body of a reply: for a text reply the JSON is empty, for a JSON reply the bytes are empty. */
interface ReplyBody extends JsonWithOrigin {
  readonly bytes: Uint8Array;
  readonly release?: () => void;
}

const noSuchPath = failure('unsupported', 'the path is invalid');

/** Calls that every version has, which detect the path form of a server. */
const probes = { restpp: 'echo', gsql: 'gsqlVersion' } as const;

/** Creates the caller of one node. */
export function createCaller(parts: CallerOptions): Caller {
  const withContext = (name: CallName, error: Failure): Failure => ({
    ...error,
    message: `${describeCall(name)} on ${parts.node}: ${error.message}`,
  });
  async function call(name: CallName, input: CallInput, signal: AbortSignal): Promise<Result<ReplyBody, Failure>> {
    if (pathOf(name, input, 'current') === undefined) return err(withContext(name, noSuchPath));
    const body = await sendInAnyForm(parts, { name, input, signal, sent: 0 });
    return body.ok ? body : err(withContext(name, body.error));
  }
  return {
    clock: parts.clock,
    digest: parts.digest,
    withContext,
    async json(name, input, signal) {
      const body = await call(name, input, signal);
      return body.ok ? ok(body.value.json) : body;
    },
    jsonWithOrigin: call,
    exchange: (name, body, signal) => requestToken(parts, { name, input: { body }, signal, sent: 0 }),
    async text({ name, input = {} }, parse, signal) {
      const body = await call(name, input, signal);
      if (!body.ok) return body;
      return await parse(body.value.bytes).finally(body.value.release);
    },
  };
}

/** Tries the expected path form, and the other one if the server turns out to use that. */
async function sendInAnyForm(parts: CallerOptions, attempt: CallAttempt): Promise<Result<ReplyBody, Failure>> {
  const { api } = calls[attempt.name];
  const form = parts.forms.form(api);
  const answer = await sendAuthorized(parts, attempt, form);
  if (answer.ok) parts.forms.confirm(api);
  if (answer.ok || !mayBeOtherForm(parts.forms.isUnconfirmed(api), answer.error)) return answer;
  const moved = await parts.forms.redetect(api, form, (tried) => probe(parts, attempt, tried));
  return moved ? await sendAuthorized(parts, attempt, parts.forms.form(api)) : answer;
}

function mayBeOtherForm(unconfirmed: boolean, error: Failure): boolean {
  return error.reason === 'unsupported' || (unconfirmed && error.reason === 'body');
}

/** Probes a path form without credentials: a rejection also shows the form, and the request may be for the token itself. */
async function probe(parts: CallerOptions, attempt: CallAttempt, form: PathForm): Promise<PathProbeResult> {
  const name = calls[attempt.name].api === 'gsql' ? probes.gsql : probes.restpp;
  const answer = await send(parts, { name, input: {}, signal: attempt.signal, sent: 0 }, form);
  if (answer.ok || answer.error.reason === 'auth') return 'here';
  return answer.error.reason === 'unsupported' || answer.error.reason === 'body' ? 'elsewhere' : 'unclear';
}

/** Sends a request with credentials, and once more if they are rejected and newer ones are available. */
async function sendAuthorized(
  parts: CallerOptions,
  attempt: CallAttempt,
  form: PathForm,
): Promise<Result<ReplyBody, Failure>> {
  const { name } = attempt;
  const { auth } = calls[name];
  if (auth === 'none') return await send(parts, attempt, form);
  const credentials = auth === 'informant' ? parts.informantCredentials : parts.credentials;
  for (let again = false; ; again = true) {
    const ticket = await credentials.authorize(
      auth === 'gsql' ? 'gsql' : 'restpp',
      (call, body, signal) => requestToken(parts, { name: call, input: { body }, signal, sent: 0 }),
      attempt.signal,
    );
    if (!ticket.ok) return ticket;
    const answer = await send(parts, attempt, form, ticket.value.authorization);
    if (again && answer.ok) credentials.renewalSucceeded(name);
    if (answer.ok || answer.error.reason !== 'auth' || again) return answer;
    if (!(await credentials.onRejected(ticket.value, name))) return answer;
  }
}

/** Requests a token. The failure names the token request, because the original request was not sent. */
async function requestToken(parts: CallerOptions, attempt: CallAttempt): Promise<Result<JsonObject, Failure>> {
  const body = await sendInAnyForm(parts, attempt);
  if (body.ok) return ok(body.value.json);
  return err({ ...body.error, message: `${describeCall(attempt.name)}: ${body.error.message}` });
}

/** Sends one request and validates the reply including its error flag; the observers are called with both. */
async function send(
  parts: CallerOptions,
  attempt: CallAttempt,
  form: PathForm,
  authorization?: Secret,
): Promise<Result<ReplyBody, Failure>> {
  const path = pathOf(attempt.name, attempt.input, form);
  if (path === undefined) return err(noSuchPath);
  const retries = attempt.sent;
  attempt.sent += 1;
  const started = parts.clock.now();
  const reply = await request(parts, attempt, parts.prefix + path, authorization);
  const ended = parts.clock.now();
  // A worker may take the memory of the body.
  const bytes = reply.ok ? reply.value.body.length : 0;
  const body = reply.ok ? await openBody(parts, attempt, form, reply.value) : reply;
  const { name, signal } = attempt;
  const { queued } = reply.ok ? reply.value : reply.error;
  parts.onCall?.({
    node: parts.node,
    name,
    method: calls[name].method,
    template: templateOf(name, form),
    url: redactedUrl(parts.origin, parts.prefix + (tracedPathOf(attempt.name, attempt.input, form) ?? '')),
    ...(reply.ok && { status: reply.value.status, bytes }),
    ...(reply.ok && reply.value.peer !== undefined && { peer: reply.value.peer }),
    started,
    ended,
    ...(queued !== undefined && { queued }),
    ...(!body.ok && { failure: body.error.reason }),
    ...(!body.ok && body.error.code !== undefined && { code: body.error.code }),
    isCancelled: !body.ok && isCancelled(signal),
    retries,
  });
  return body;
}

function request(
  { pool, lists, maxBytes }: CallerOptions,
  { name, input, signal }: CallAttempt,
  path: string,
  authorization: Secret | undefined,
): Promise<Result<HttpReply, HttpFailure>> {
  const { method, urgent = false, bodiless = false }: Call = calls[name];
  const ordered: HttpRequest = {
    method,
    path,
    headers: headersOf(name, input, authorization),
    ...(input.body !== undefined && !bodiless && { body: JSON.stringify(input.body) }),
    ...(input.text !== undefined && !bodiless && { body: input.text }),
    maxBytes: Math.min(maxBytes, limitsOf(name).bytes),
    ...(urgent && { urgent }),
  };
  return (isList(name) ? (lists ?? pool) : pool).request(ordered, signal);
}

/** Whether a call is the list of the guard, which uses the pool for lists. */
function isList(name: CallName): boolean {
  return name === 'processListAll';
}

/**
 * Checks and parses a reply, and releases its memory unless its text is the result. Never throws: an unexpected error
 * becomes a failure with the reason `body`.
 */
async function openBody(
  parts: CallerOptions,
  attempt: CallAttempt,
  form: PathForm,
  reply: HttpReply,
): Promise<Result<ReplyBody, Failure>> {
  let isText = false;
  try {
    const body = await parseBody(parts, attempt, form, reply);
    isText = body.ok && body.value.release !== undefined;
    return body;
  } catch (error) {
    return err(failure('body', `processing the response failed: ${errorName(error)}`));
  } finally {
    if (!isText) reply.release?.();
  }
}

async function parseBody(
  { clock, workers, pool, lists = pool }: CallerOptions,
  { name, signal }: CallAttempt,
  form: PathForm,
  reply: HttpReply,
): Promise<Result<ReplyBody, Failure>> {
  const { envelope } = calls[name];
  const bytes = acceptReply(reply, clock);
  if (!bytes.ok) return bytes;
  const { release, peer: address = '', connection = '' } = reply;
  const origin = { address, connection, form };
  const body = { bytes: bytes.value, json: {}, ...origin, ...(release !== undefined && { release }) };
  if (envelope === 'text') return ok(body);
  const limits = limitsOf(name);
  const isForGuard = isList(name) && lists !== pool;
  const worker = isForGuard ? workers?.guard : workers?.collectors;
  const outlineLong = worker && ((long: Uint8Array) => reduceInWorker(worker, { name, bytes: long, limits }, signal));
  const parsing = { clock, limits, ...(outlineLong !== undefined && { outlineLong }) };
  const json = await openEnvelope(bytes.value, envelope, parsing, signal);
  return json.ok ? ok({ bytes: new Uint8Array(0), json: json.value, ...origin }) : json;
}

function limitsOf(name: CallName): ReplyLimits {
  const { reply = 'status' }: Call = calls[name];
  return replyLimits[reply];
}
