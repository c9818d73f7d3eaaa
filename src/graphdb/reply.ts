import { type Failure, type FailureReason, failure } from '../kernel/failure.ts';
import type { HttpReply } from '../kernel/http.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import type { Envelope } from './calls.ts';
import { parseJson } from './json.ts';
import { runInSlices } from './slices.ts';

/** A JSON object of the server, no member of which has been looked at yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

const longestStay: Millis = 3_600_000;

/** Codes by which the data plane says that it does not like our token, whatever the status. */
const authCodes: ReadonlySet<string> = new Set(['REST-10016', 'REST-10019']);

/** The body of an answer that may be read further: status, content type and first bytes are in order. */
export function acceptReply(reply: HttpReply, clock: Clock): Result<Uint8Array, Failure> {
  const { status, headers, body } = reply;
  if (status < 200 || status >= 300) return err(statusFailure(reply, clock));
  if (body.length === 0) return err(failure('body', 'the answer is empty', { status }));
  if (!isReadable(headers['content-type'] ?? '')) {
    return err(failure('body', 'the answer has the wrong content type', { status }));
  }
  return looksLikeHtml(body) ? err(failure('body', 'the answer is HTML', { status })) : ok(body);
}

/** UTF-8 bytes as text; the failure `body` where they are none. */
export function decodeText(body: Uint8Array): Result<string, Failure> {
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return err(failure('body', 'the answer is not valid UTF-8'));
  }
}

/** The JSON object inside a body, in one of the envelopes, with its error flag down. */
export async function openEnvelope(
  body: Uint8Array,
  envelope: Envelope,
  clock: Clock,
  signal: AbortSignal,
): Promise<Result<JsonObject, Failure>> {
  const json = await readObject(body, clock, signal);
  return json.ok ? checkEnvelope(json.value, envelope) : json;
}

/** The JSON object that a body is, whatever it says. */
export async function readObject(
  body: Uint8Array,
  clock: Clock,
  signal: AbortSignal,
): Promise<Result<JsonObject, Failure>> {
  const text = decodeText(body);
  if (!text.ok) return text;
  try {
    const json = await runInSlices(parseJson(text.value), clock, signal);
    if (!json.ok) return json;
    return isObject(json.value) ? ok(json.value) : err(failure('body', 'the answer is not a JSON object'));
  } catch {
    return err(failure('body', 'the answer is not valid JSON'));
  }
}

function checkEnvelope(json: JsonObject, envelope: Envelope): Result<JsonObject, Failure> {
  const raised = raisedError(json);
  if (raised !== undefined) return err(raised);
  const wrapped = envelope === 'restpp' || envelope === 'gsql';
  if (wrapped && !('error' in json) && !('results' in json)) {
    return err(failure('body', 'the answer is not one of this server'));
  }
  return ok(json);
}

/** The error that a well-formed answer reports; undefined where it reports none. */
export function raisedError(json: JsonObject): Failure | undefined {
  if (!isRaised(json.error) && !isObject(json.Error)) return undefined;
  const code = codeIn(json);
  const reason: FailureReason = authCodes.has(code ?? '') ? 'auth' : 'body';
  return failure(reason, `the server reports an error${shown(code)}`, code === undefined ? {} : { code });
}

/** The server's own words stay out of the message: they may repeat what a user sent. */
function statusFailure(reply: HttpReply, clock: Clock): Failure {
  const { status } = reply;
  const code = codeOf(reply.body);
  const retryAfter = readRetryAfter(reply.headers['retry-after'] ?? '', clock);
  return failure(statusReason(status, code), `the server answers with status ${status}${shown(code)}`, {
    status,
    ...(code !== undefined && { code }),
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

function statusReason(status: number, code: string | undefined): FailureReason {
  if (status === 401 || status === 403 || authCodes.has(code ?? '')) return 'auth';
  return status === 404 ? 'unsupported' : 'status';
}

function codeOf(body: Uint8Array): string | undefined {
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(body));
    return isObject(json) ? codeIn(json) : undefined;
  } catch {
    return undefined;
  }
}

function codeIn(json: JsonObject): string | undefined {
  const code = json.code;
  return typeof code === 'string' && /^[A-Z]{2,8}-\d{1,6}$/.test(code) ? code : undefined;
}

function shown(code: string | undefined): string {
  return code === undefined ? '' : ` (${code})`;
}

/** `Retry-After` in its two forms, seconds and HTTP date, as the time to stay away. */
function readRetryAfter(header: string, clock: Clock): Millis | undefined {
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Math.min(Number(text) * 1000, longestStay);
  const wait = /^[A-Z][a-z]{2}, .* GMT$/.test(text) ? Date.parse(text) - clock.now().wall : Number.NaN;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), longestStay);
}

/** The content types of the JSON calls are written down nowhere and often missing: only what cannot be right is refused. */
function isReadable(contentType: string): boolean {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type === '' || (/^(text|application)\//.test(type) && !/html/.test(type));
}

function looksLikeHtml(body: Uint8Array): boolean {
  const start = new TextDecoder('latin1').decode(body.subarray(0, 256)).trimStart();
  return /^<(!doctype|html|head|body|\?xml|!--)/i.test(start.replace(/^\u00ef\u00bb\u00bf\s*/, ''));
}

function isRaised(flag: unknown): boolean {
  return flag === true || flag === 'true';
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
