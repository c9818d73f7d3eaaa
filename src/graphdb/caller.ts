import { isCancelled } from '../kernel/cancelled.ts';
import { type Failure, failure } from '../kernel/failure.ts';
import type { HttpPool, HttpReply, HttpRequest } from '../kernel/http.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Secret } from '../kernel/secret.ts';
import type { Clock } from '../kernel/time.ts';
import {
  type Call,
  type CallInput,
  type CallName,
  calls,
  describeCall,
  type PathForm,
  pathOf,
  templateOf,
} from './calls.ts';
import type { Credentials } from './credentials.ts';
import { type CallListener, redactedUrl } from './made-call.ts';
import type { PathForms, Sighting } from './path-forms.ts';
import { acceptReply, type JsonObject, openEnvelope } from './reply.ts';
import type { Exchange } from './token-exchange.ts';

/** Makes calls to one node: the only way to one. A failure's message names call and node, never what was filled in. */
export interface Caller {
  readonly clock: Clock;
  /** For calls in one of the JSON envelopes. */
  json(name: CallName, input: CallInput, signal: AbortSignal): Promise<Result<JsonObject, Failure>>;
  /** The same with where the answer came from. */
  located(name: CallName, input: CallInput, signal: AbortSignal): Promise<Result<Located, Failure>>;
  /** Asks this node for a token, on whomever's behalf. */
  readonly exchange: Exchange;
  /** For calls that answer with text. */
  text(name: CallName, input: CallInput, signal: AbortSignal): Promise<Result<TextBody, Failure>>;
  /** Puts call and node before the sentence of a failure that was found in an answer. */
  about(name: CallName, trouble: Failure): Failure;
}

/** An answer that is text, in bytes. */
export interface TextBody {
  readonly bytes: Uint8Array;
  /** To be called by whoever has read a long one: its memory is then used again. */
  readonly release?: () => void;
}

/** A JSON answer and its origin. */
export interface Located {
  readonly json: JsonObject;
  /** `ip:port` of who answered; `''` where that is unknown. */
  readonly address: string;
  /** In which the call was understood. */
  readonly form: PathForm;
}

/** What a caller is made of; all but node, prefix and pool are shared by the cluster. */
export interface CallerParts {
  readonly node: string;
  /** Scheme, host and port of the node's url, for those who are told of its calls. */
  readonly origin: string;
  /** Path of the node's url, before every path. */
  readonly prefix: string;
  readonly pool: Pick<HttpPool, 'request'>;
  /** Goes instead of `pool` for lists of what runs on the node, where they have sockets of their own. */
  readonly lists?: Pick<HttpPool, 'request'>;
  readonly credentials: Credentials;
  readonly forms: PathForms;
  readonly maxBytes: number;
  readonly clock: Clock;
  /** Told of every request when it is over. */
  readonly called?: CallListener;
}

interface Attempt {
  readonly name: CallName;
  readonly input: CallInput;
  readonly signal: AbortSignal;
  /** Requests that were sent for it so far. */
  sent: number;
}

/** The JSON is empty for text. */
interface Body extends TextBody, Located {}

const noSuchPath = failure('unsupported', 'no such path can exist');

/** Calls that every version has, to find out which path form a server speaks. */
const probes = { restpp: 'echo', gsql: 'gsqlVersion' } as const;

/** Builds the caller of one node. */
export function createCaller(parts: CallerParts): Caller {
  const about = (name: CallName, trouble: Failure): Failure => ({
    ...trouble,
    message: `${describeCall(name)} on ${parts.node}: ${trouble.message}`,
  });
  async function call(name: CallName, input: CallInput, signal: AbortSignal): Promise<Result<Body, Failure>> {
    if (pathOf(name, input, 'current') === undefined) return err(about(name, noSuchPath));
    const body = await inSomeForm(parts, { name, input, signal, sent: 0 });
    return body.ok ? body : err(about(name, body.error));
  }
  return {
    clock: parts.clock,
    about,
    async json(name, input, signal) {
      const body = await call(name, input, signal);
      return body.ok ? ok(body.value.json) : body;
    },
    located: call,
    exchange: (name, body, signal) => exchange(parts, { name, input: { body }, signal, sent: 0 }),
    text: call,
  };
}

/** Tries the path form that the server is believed to speak, and the other one where it turns out to be that. */
async function inSomeForm(parts: CallerParts, attempt: Attempt): Promise<Result<Body, Failure>> {
  const { api } = calls[attempt.name];
  const form = parts.forms.form(api);
  const answer = await authorised(parts, attempt, form);
  if (answer.ok) parts.forms.confirm(api);
  if (answer.ok || !mayBeWrongForm(parts.forms.isUnconfirmed(api), answer.error)) return answer;
  const moved = await parts.forms.reconsider(api, form, (tried) => probe(parts, attempt, tried));
  return moved ? await authorised(parts, attempt, parts.forms.form(api)) : answer;
}

function mayBeWrongForm(unconfirmed: boolean, trouble: Failure): boolean {
  return trouble.reason === 'unsupported' || (unconfirmed && trouble.reason === 'body');
}

/** Without credentials: a refusal tells as much, and the token may be what is being fetched. */
async function probe(parts: CallerParts, attempt: Attempt, form: PathForm): Promise<Sighting> {
  const name = calls[attempt.name].api === 'gsql' ? probes.gsql : probes.restpp;
  const answer = await send(parts, { name, input: {}, signal: attempt.signal, sent: 0 }, form);
  if (answer.ok || answer.error.reason === 'auth') return 'here';
  return answer.error.reason === 'unsupported' || answer.error.reason === 'body' ? 'elsewhere' : 'unclear';
}

/** Shows our credentials, and after a refusal once more, where there are fresher ones. */
async function authorised(parts: CallerParts, attempt: Attempt, form: PathForm): Promise<Result<Body, Failure>> {
  const { credentials } = parts;
  const { name } = attempt;
  const { auth } = calls[name];
  if (auth === 'none') return await send(parts, attempt, form);
  for (let again = false; ; again = true) {
    const ticket = await credentials.ticket(
      auth,
      (call, body, signal) => exchange(parts, { name: call, input: { body }, signal, sent: 0 }),
      attempt.signal,
    );
    if (!ticket.ok) return ticket;
    const answer = await send(parts, attempt, form, ticket.value.authorization);
    if (again && answer.ok) credentials.renewalHelped(name);
    if (answer.ok || answer.error.reason !== 'auth' || again) return answer;
    if (!(await credentials.refused(ticket.value, name))) return answer;
  }
}

/** Its trouble names the token call: what was asked for in the first place has not been asked yet. */
async function exchange(parts: CallerParts, attempt: Attempt): Promise<Result<JsonObject, Failure>> {
  const body = await inSomeForm(parts, attempt);
  if (body.ok) return ok(body.value.json);
  return err({ ...body.error, message: `${describeCall(attempt.name)}: ${body.error.message}` });
}

/** One request and its answer, checked down to the error flag; who listens is told of both. */
async function send(
  parts: CallerParts,
  attempt: Attempt,
  form: PathForm,
  authorization?: Secret,
): Promise<Result<Body, Failure>> {
  const path = pathOf(attempt.name, attempt.input, form);
  if (path === undefined) return err(noSuchPath);
  const resends = attempt.sent;
  attempt.sent += 1;
  const started = parts.clock.now();
  const reply = await request(parts, attempt, parts.prefix + path, authorization);
  const ended = parts.clock.now();
  const body = reply.ok ? await open(parts, attempt, form, reply.value) : reply;
  const { name, signal } = attempt;
  parts.called?.({
    node: parts.node,
    name,
    method: calls[name].method,
    template: templateOf(name, form),
    url: redactedUrl(parts.origin, parts.prefix + path),
    ...(reply.ok && { status: reply.value.status, bytes: reply.value.body.length }),
    ...(reply.ok && reply.value.peer !== undefined && { peer: reply.value.peer }),
    started,
    ended,
    ...(!body.ok && { failure: body.error.reason }),
    isCancelled: !body.ok && isCancelled(signal),
    resends,
  });
  return body;
}

function request(
  { pool, lists, maxBytes }: CallerParts,
  { name, input, signal }: Attempt,
  path: string,
  authorization: Secret | undefined,
): Promise<Result<HttpReply, Failure>> {
  const { method, urgent = false }: Call = calls[name];
  const ordered: HttpRequest = {
    method,
    path,
    headers: headersFor(method, authorization),
    ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
    maxBytes,
    ...(urgent && { urgent }),
  };
  return (name === 'processListAll' ? (lists ?? pool) : pool).request(ordered, signal);
}

async function open(
  { clock }: CallerParts,
  { name, signal }: Attempt,
  form: PathForm,
  reply: HttpReply,
): Promise<Result<Body, Failure>> {
  const { envelope } = calls[name];
  const bytes = acceptReply(reply, clock);
  if (!bytes.ok) return bytes;
  const { release, peer: address = '' } = reply;
  const body = { bytes: bytes.value, json: {}, address, form, ...(release !== undefined && { release }) };
  if (envelope === 'text') return ok(body);
  const json = await openEnvelope(bytes.value, envelope, clock, signal);
  release?.();
  return json.ok ? ok({ bytes: new Uint8Array(0), json: json.value, address, form }) : json;
}

function headersFor(method: string, authorization: Secret | undefined): HttpRequest['headers'] {
  return {
    'user-agent': 'graphwarden',
    'accept-encoding': 'gzip',
    ...(method === 'POST' && { 'content-type': 'application/json' }),
    ...(authorization !== undefined && { authorization: authorization.reveal() }),
  };
}
