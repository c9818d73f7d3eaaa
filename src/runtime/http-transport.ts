import { pipeline, type Readable, Transform } from 'node:stream';
import { createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { type Failure, failure } from '../kernel/failure.ts';
import type { HttpFailure, HttpReply, HttpRequest } from '../kernel/http.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Millis } from '../kernel/time.ts';
import type { BodyBuffers, BodyCollector } from './body-buffer.ts';
import { type Connector, gated, RequestWithheld } from './http-connector.ts';
import { connectionFailure, timeoutFailure } from './http-failure.ts';

/** One or more connections of undici, with their statistics. */
export interface HttpTransport {
  readonly origin: string;
  readonly dispatcher: Dispatcher;
  readonly connector: Pick<Connector, 'opened' | 'lastAlert' | 'tlsProblem'>;
  readonly buffers: BodyBuffers;
}

/** Result of a request. */
export type HttpOutcome = Result<HttpReply, HttpFailure>;

/** Request in progress. */
export class RequestProgress {
  /** Set while the body of the reply arrives. */
  body: BodyCollector | undefined;

  /** Returns the failure of the request if its signal aborts now. */
  timeout(): HttpFailure {
    if (this.body?.isWaiting !== true) return timeoutFailure();
    const message = 'the response waited for memory until the deadline, because of other long responses';
    return failure('too_large', message, { limit: 'memory' });
  }
}

/** Request whose progress its sender follows. */
export interface TrackedRequest extends HttpRequest {
  readonly progress?: RequestProgress;
}

/** Maximum time in which a stale connection fails; a later failure concerns the request itself. */
const staleConnectionLimit: Millis = 1000;

/** Options of undici: HTTP/1.1, one request per connection at a time. */
export const transportOptions = {
  pipelining: 1,
  allowH2: false,
  // The only timeout is the caller's signal; it covers waiting, connecting, headers and body.
  headersTimeout: 0,
  bodyTimeout: 0,
} as const;

/** An answer to a conditional request, which is never sent: no redirect. */
const notModified = 304;

/** Sends a request, and repeats it after a stale connection unless it is bound to one connection. Never rejects. */
export async function sendRequest(
  transport: HttpTransport,
  request: TrackedRequest,
  signal: AbortSignal,
): Promise<HttpOutcome> {
  const { progress = new RequestProgress() } = request;
  for (;;) {
    const opened = transport.connector.opened();
    const alert = transport.connector.lastAlert();
    const sentAt = performance.now();
    try {
      const dispatcher =
        request.mayWrite === undefined ? transport.dispatcher : gated(transport.dispatcher, request.mayWrite);
      const answer = await dispatcher.request({ origin: transport.origin, ...undiciRequest(request, signal) });
      return await receiveReply(answer, request.maxBytes, transport.buffers, { signal, progress });
    } catch (error) {
      if (error instanceof RequestWithheld) return err({ ...failure('timeout', error.message), unsent: true });
      if (signal.aborted) return err(progress.timeout());
      // The server had closed the connection while it was idle, which is not a failure: send the request again. Each
      // attempt uses up one such connection, so the last one uses a new connection.
      const kept = transport.connector.opened() === opened;
      const lastAlert = transport.connector.lastAlert();
      const found = connectionFailure(lastAlert === alert ? error : lastAlert);
      const atOnce = performance.now() - sentAt < staleConnectionLimit;
      if (request.bound !== undefined || !kept || !found.stale || !atOnce)
        return err(explained(found.failure, transport));
    }
  }
}

/** Names the file that explains why a handshake failed. */
function explained(failed: Failure, { connector }: HttpTransport): Failure {
  const problem = failed.reason === 'tls' ? connector.tlsProblem() : undefined;
  return problem === undefined ? failed : { ...failed, message: problem };
}

/**
 * Races the request against its abort, which undici ignores while it connects; `late` returns the failure of an abort. The
 * memory of a reply that arrives after it is released.
 */
export function raceWithAbort(
  reply: Promise<HttpOutcome>,
  late: () => HttpFailure,
  signal: AbortSignal,
): Promise<HttpOutcome> {
  return new Promise((resolve) => {
    let isOver = false;
    const giveUp = (): void => {
      isOver = true;
      resolve(err(late()));
    };
    const receive = async (): Promise<void> => {
      const outcome = await reply;
      signal.removeEventListener('abort', giveUp);
      if (isOver && outcome.ok) outcome.value.release?.();
      resolve(outcome);
    };
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    void receive();
  });
}

function undiciRequest(request: HttpRequest, signal: AbortSignal): Dispatcher.RequestOptions {
  const { method, path, headers, body } = request;
  return { method, path, headers, body: body ?? null, signal };
}

/** Maximum bytes that are read of an error reply, and the chunk size of decompression. */
const errorBodyBytes = 65_536;

/** Reply of undici after its headers have arrived. */
type ResponseHead = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>;

/** Error for a body with more bytes than allowed; only thrown within the stream. */
class BodyTooLarge extends Error {}

/** A reply that is received, and until when. */
interface Receipt {
  readonly signal: AbortSignal;
  readonly progress: RequestProgress;
}

/**
 * Reads an answer to its end, in bounded memory, for which long ones wait. Only the beginning of an error reply is
 * read, and a failure to read it does not hide the status.
 */
export async function receiveReply(
  answer: ResponseHead,
  maxBytes: number,
  buffers: BodyBuffers,
  { signal, progress }: Receipt,
): Promise<Result<HttpReply, Failure>> {
  const { statusCode: status, body } = answer;
  const headers = flattenHeaders(answer.headers);
  if (status >= 300 && status < 400 && status !== notModified)
    return discardBody(body, failure('unreachable', 'the server sent a redirect, which is not followed', { status }));
  const failed = status < 200 || status >= 300;
  const limit = Math.min(maxBytes, failed ? errorBodyBytes : buffers.largestBody);
  const declared = Number(headers['content-length'] ?? 0);
  if (!failed && declared > limit) return discardBody(body, tooLargeFailure(limit));
  const decode = decoders(headers['content-encoding'] ?? '');
  if (decode === undefined)
    return discardBody(body, failure('body', 'the response has an unknown content encoding', { status }));
  const isPlain = decode.length === 0;
  // The chunks of a decoder are used by nothing else, those of undici are.
  const whole = buffers.startBody(isPlain && declared > 0 ? declared : limit, !isPlain);
  progress.body = whole;
  try {
    await readBody(isPlain ? body : decoded(body, decode, limit), { whole, limit, signal });
  } catch (error) {
    if (!failed) {
      const reason = signal.aborted ? progress.timeout() : bodyFailure(error, limit);
      whole.discard();
      return err(reason);
    }
  } finally {
    progress.body = undefined;
  }
  return ok({ status, headers, ...whole.finish() });
}

function discardBody(body: Readable, reason: Failure): Result<HttpReply, Failure> {
  body.on('error', () => undefined).destroy();
  return err(reason);
}

function tooLargeFailure(limit: number): Failure {
  return failure('too_large', `the response is larger than ${limit} bytes`, { limit: 'bytes' });
}

function bodyFailure(error: unknown, limit: number): Failure {
  if (error instanceof BodyTooLarge) return tooLargeFailure(limit);
  if (error instanceof Error && 'code' in error && /^(Z_|ERR__ERROR)/.test(String(error.code))) {
    return failure('body', 'the response cannot be decompressed');
  }
  return connectionFailure(error).failure;
}

/** Returns the streams that decode `Content-Encoding`; undefined for an encoding that was not requested. */
function decoders(encoding: string): readonly Transform[] | undefined {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return [];
    case 'gzip':
    case 'x-gzip':
      return [createGunzip({ chunkSize: errorBodyBytes })];
    case 'deflate':
      return [createInflate({ chunkSize: errorBodyBytes })];
    default:
      return undefined;
  }
}

/** Returns the decoded body. The reader of the last stream gets the errors of all. */
function decoded(body: Readable, decode: readonly Transform[], limit: number): Readable {
  const streams = decode.flatMap((one) => [limitBytes(limit), one]);
  return streams.reduce((from, to) => pipeline(from, to, () => undefined), body);
}

/** Passes the bytes through and stops at the limit. */
function limitBytes(limit: number): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done): void {
      seen += chunk.length;
      if (seen > limit) done(new BodyTooLarge());
      else done(null, chunk);
    },
  });
}

/** Number of chunks of a body that count with their bytes only. */
const freePieces = 1000;
/** Minimum bytes that each further chunk counts: a million chunks of one byte take more time than a large body. */
const minPieceBytes = 512;

/** Returns for each chunk of a body the part that may be added, and whether the body is too large with it. */
function chunkLimit(
  limit: number,
): (chunk: Uint8Array) => { readonly piece: Uint8Array; readonly isTooLarge: boolean } {
  let remaining = limit;
  let pieces = 0;
  return (chunk) => {
    pieces += 1;
    const piece = chunk.subarray(0, Math.max(0, remaining));
    remaining -= pieces > freePieces ? Math.max(chunk.length, minPieceBytes) : chunk.length;
    return { piece, isTooLarge: remaining < 0 };
  };
}

/**
 * Reads the decoded bytes and stops at the limit, so that a decompression bomb is never held in memory. While a long body
 * waits for memory, the server has to wait too. The promise of a pipeline would create an error with its stack at the end of
 * each body.
 */
async function readBody(
  body: Readable,
  { whole, limit, signal }: { readonly whole: BodyCollector; readonly limit: number; readonly signal: AbortSignal },
): Promise<void> {
  const stop = (): void => {
    body.destroy(new Error('aborted'));
    whole.stopWaiting();
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  const part = chunkLimit(limit);
  const chunks: AsyncIterable<Uint8Array> = body;
  try {
    for await (const chunk of chunks) {
      const { piece, isTooLarge } = part(chunk);
      const needsMemory = whole.needsMemory(piece);
      if (!needsMemory || (!isTooLarge && (await whole.reserve()))) whole.add(piece);
      if (isTooLarge) throw new BodyTooLarge();
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Header names are in lower case already; a repeated header is joined as HTTP allows. */
function flattenHeaders(headers: ResponseHead['headers']): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}
