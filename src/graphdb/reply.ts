import { type Failure, type FailureReason, failure } from '../kernel/failure.ts';
import type { HttpReply } from '../kernel/http.ts';
import { freeMemory } from '../kernel/reply-memory.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { parseRetryAfter } from '../kernel/retry-after.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import type { Envelope } from './calls.ts';
import { type JsonOutline, outlineJson } from './json-outline.ts';
import type { ReplyLimits } from './reply-limits.ts';
import { NotUtf8, parseJson } from './sliced-json.ts';
import { runSliced, type SlicedWork } from './sliced-work.ts';

/** JSON object of the server, not validated yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** JSON text in UTF-8; with an outline it is within the limits. */
export interface OutlinedBytes {
  readonly bytes: Uint8Array;
  readonly outline?: JsonOutline;
}

/** Replies from this size on are decoded and checked in a worker. */
const longReplyBytes = 1_048_576;

const maxRetryAfter: Millis = 3_600_000;

/** Error codes of the data plane for an invalid token, whatever the status. */
const authCodes: ReadonlySet<string> = new Set(['REST-10016', 'REST-10019']);

/** Returns the body if status, content type and first bytes are valid. */
export function acceptReply(reply: HttpReply, clock: Clock): Result<Uint8Array, Failure> {
  const { status, headers, body } = reply;
  if (status < 200 || status >= 300) return err(statusFailure(reply, clock));
  if (body.length === 0) return err(failure('body', 'the response is empty', { status }));
  if (!isReadable(headers['content-type'] ?? '')) {
    return err(failure('body', 'the response has the wrong content type', { status }));
  }
  return looksLikeHtml(body) ? err(failure('body', 'the response is HTML', { status })) : ok(body);
}

/** Bytes that are decoded at a time: the runtime keeps longer texts outside of the heap, where no limit applies. */
const decodedBytes = 524_288;

/** Decodes UTF-8 bytes; the failure `body` if they are invalid. */
export function* decodeText(body: Uint8Array): SlicedWork<Result<string, Failure>> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parts: string[] = [];
  try {
    for (let at = 0; at < body.length; at += decodedBytes) {
      parts.push(decoder.decode(body.subarray(at, at + decodedBytes), { stream: true }));
      yield;
    }
    parts.push(decoder.decode());
  } catch {
    return err(failure('body', 'the response is not valid UTF-8'));
  }
  return ok(parts.join(''));
}

/** How the JSON of a reply is parsed. */
export interface ReplyParsing {
  readonly clock: Clock;
  readonly limits: ReplyLimits;
  /** Whether an array is accepted as well, as the member `results`. */
  readonly isArray?: boolean;
  /** Replaces the first steps for long replies: decoding, and the check of the limits. */
  readonly outlineLong?: (body: Uint8Array) => Promise<Result<OutlinedBytes, Failure>>;
}

/** Returns the JSON object in a body, in one of the envelopes, without an error flag. */
export async function openEnvelope(
  body: Uint8Array,
  envelope: Envelope,
  parsing: ReplyParsing,
  signal: AbortSignal,
): Promise<Result<JsonObject, Failure>> {
  const json = await parseObject(body, { ...parsing, isArray: envelope === 'array' }, signal);
  return json.ok ? checkEnvelope(json.value, envelope) : json;
}

/** Parses the JSON object of a body, if it is within the limits. */
export async function parseObject(
  body: Uint8Array,
  { outlineLong, clock, limits, isArray = false }: ReplyParsing,
  signal: AbortSignal,
): Promise<Result<JsonObject, Failure>> {
  const outlined: Result<OutlinedBytes, Failure> =
    outlineLong !== undefined && body.length >= longReplyBytes ? await outlineLong(body) : ok({ bytes: body });
  if (!outlined.ok) return outlined;
  try {
    const json = await runSliced(parseText(outlined.value, limits), clock, signal);
    if (!json.ok) return json;
    if (!json.value.ok) return json.value;
    const { value } = json.value;
    if (isArray && Array.isArray(value)) return ok({ results: value });
    return isObject(value) ? ok(value) : err(failure('body', 'the response is not a JSON object'));
  } catch (error) {
    return err(syntaxFailure(error));
  } finally {
    if (outlined.value.bytes !== body) freeMemory(outlined.value.bytes);
  }
}

/** Returns the failure of a reply whose JSON was not parsed because of `error`. */
export function syntaxFailure(error: unknown): Failure {
  return failure('body', `the response is not valid ${error instanceof NotUtf8 ? 'UTF-8' : 'JSON'}`);
}

/** Parses a JSON text; without an outline, its limits are checked first. Throws SyntaxError. */
function* parseText({ bytes, outline }: OutlinedBytes, limits: ReplyLimits): SlicedWork<Result<unknown, Failure>> {
  const outlined = outline === undefined ? yield* outlineJson(bytes, limits) : ok(outline);
  return outlined.ok ? ok(yield* parseJson(bytes, outlined.value)) : outlined;
}

function checkEnvelope(json: JsonObject, envelope: Envelope): Result<JsonObject, Failure> {
  const raised = envelope === 'outcome' ? undefined : reportedError(json);
  if (raised !== undefined) return err(raised);
  const wrapped = envelope === 'restpp' || envelope === 'gsql';
  if (wrapped && !('error' in json) && !('results' in json)) {
    return err(
      failure(
        'body',
        'the response does not have the format of the database; check that the url of the node is that of the database',
      ),
    );
  }
  return ok(json);
}

/** Returns the error in a well-formed reply; undefined without an error. */
export function reportedError(json: JsonObject): Failure | undefined {
  if (!isErrorFlag(json.error) && !isObject(json.Error)) return undefined;
  const code = errorCode(json);
  const reason: FailureReason = authCodes.has(code ?? '') ? 'auth' : 'body';
  return failure(reason, `the server reports an error${codeSuffix(code)}`, code === undefined ? {} : { code });
}

/** The message omits the server's own text, which may repeat user input. */
function statusFailure(reply: HttpReply, clock: Clock): Failure {
  const { status } = reply;
  const code = bodyErrorCode(reply.body);
  const retryAfter = parseRetryAfter(reply.headers, clock.now().wall);
  return failure(statusReason(status, code), `the server responded with status ${status}${codeSuffix(code)}`, {
    status,
    ...(code !== undefined && { code }),
    ...(retryAfter !== undefined && { retryAfter: Math.min(retryAfter, maxRetryAfter) }),
  });
}

function statusReason(status: number, code: string | undefined): FailureReason {
  if (status === 401 || status === 403 || authCodes.has(code ?? '')) return 'auth';
  return status === 404 ? 'unsupported' : 'status';
}

function bodyErrorCode(body: Uint8Array): string | undefined {
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(body));
    return isObject(json) ? errorCode(json) : undefined;
  } catch {
    return undefined;
  }
}

function errorCode(json: JsonObject): string | undefined {
  const code = json.code;
  return typeof code === 'string' && /^[A-Z]{2,8}-\d{1,6}$/.test(code) ? code : undefined;
}

function codeSuffix(code: string | undefined): string {
  return code === undefined ? '' : ` (${code})`;
}

/** Content types of the JSON calls are undocumented and often missing: only wrong ones are rejected. */
function isReadable(contentType: string): boolean {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type === '' || (/^(text|application)\//.test(type) && !/html/.test(type));
}

function looksLikeHtml(body: Uint8Array): boolean {
  const start = new TextDecoder('latin1').decode(body.subarray(0, 256)).trimStart();
  return /^<(!doctype|html|head|body|\?xml|!--)/i.test(start.replace(/^\u00ef\u00bb\u00bf\s*/, ''));
}

function isErrorFlag(flag: unknown): boolean {
  return flag === true || flag === 'true';
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
