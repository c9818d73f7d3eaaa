import { type Failure, type FailureReason, failure } from '../kernel/failure.ts';
import type { HttpReply } from '../kernel/http.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { parseRetryAfter } from '../kernel/retry-after.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import type { Envelope } from './calls.ts';
import { type JsonOutline, outlineJson } from './json-outline.ts';
import type { ReplyLimits } from './reply-limits.ts';
import { parseJson } from './sliced-json.ts';
import { runSliced } from './sliced-work.ts';

/** JSON object of the server, not validated yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** JSON text within the limits, and where its long containers end. */
export interface OutlinedText {
  readonly text: string;
  readonly outline: JsonOutline;
}

/** Replies from this size on are decoded and checked in a worker. */
const longReplyBytes = 1_048_576;

const maximumRetryAfter: Millis = 3_600_000;

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

/** Decodes UTF-8 bytes; the failure `body` if they are invalid. */
export function decodeText(body: Uint8Array): Result<string, Failure> {
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return err(failure('body', 'the response is not valid UTF-8'));
  }
}

/** How the JSON of a reply is parsed. */
export interface ReplyParsing {
  readonly clock: Clock;
  readonly limits: ReplyLimits;
  /** Replaces the first steps for long replies: decoding, and the check of the limits. */
  readonly outlineLong?: (body: Uint8Array) => Promise<Result<OutlinedText, Failure>>;
}

/** Returns the JSON object in a body, in one of the envelopes, without an error flag. */
export async function openEnvelope(
  body: Uint8Array,
  envelope: Envelope,
  parsing: ReplyParsing,
  signal: AbortSignal,
): Promise<Result<JsonObject, Failure>> {
  const json = await parseObject(body, parsing, signal);
  return json.ok ? checkEnvelope(json.value, envelope) : json;
}

/** Parses the JSON object of a body, if it is within the limits. */
export async function parseObject(
  body: Uint8Array,
  parsing: ReplyParsing,
  signal: AbortSignal,
): Promise<Result<JsonObject, Failure>> {
  const { outlineLong } = parsing;
  const isLong = outlineLong !== undefined && body.length >= longReplyBytes;
  const outlined = isLong ? await outlineLong(body) : await outlineText(body, parsing, signal);
  if (!outlined.ok) return outlined;
  const { text, outline } = outlined.value;
  try {
    const json = await runSliced(parseJson(text, outline), parsing.clock, signal);
    if (!json.ok) return json;
    return isObject(json.value) ? ok(json.value) : err(failure('body', 'the response is not a JSON object'));
  } catch {
    return err(failure('body', 'the response is not valid JSON'));
  }
}

async function outlineText(
  body: Uint8Array,
  { clock, limits }: ReplyParsing,
  signal: AbortSignal,
): Promise<Result<OutlinedText, Failure>> {
  const text = decodeText(body);
  if (!text.ok) return text;
  const outlined = await runSliced(outlineJson(text.value, limits), clock, signal);
  if (!outlined.ok) return outlined;
  return outlined.value.ok ? ok({ text: text.value, outline: outlined.value.value }) : outlined.value;
}

function checkEnvelope(json: JsonObject, envelope: Envelope): Result<JsonObject, Failure> {
  const raised = reportedError(json);
  if (raised !== undefined) return err(raised);
  const wrapped = envelope === 'restpp' || envelope === 'gsql';
  if (wrapped && !('error' in json) && !('results' in json)) {
    return err(failure('body', 'the response does not have the format of this server'));
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
    ...(retryAfter !== undefined && { retryAfter: Math.min(retryAfter, maximumRetryAfter) }),
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
