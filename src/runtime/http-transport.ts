import { type Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { type Failure, failure } from '../kernel/failure.ts';
import type { HttpFailure, HttpReply, HttpRequest } from '../kernel/http.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Millis } from '../kernel/time.ts';
import { type BodyBufferPool, type BodyCollector, maxReceivedBytes } from './body-buffer.ts';
import type { Connector } from './http-connector.ts';
import { connectionFailure, timeoutFailure } from './http-failure.ts';

/** One or more connections of undici, with their statistics. */
export interface HttpTransport {
  readonly origin: string;
  readonly dispatcher: Dispatcher;
  readonly connector: Pick<Connector, 'opened' | 'lastAlert' | 'tlsProblem'>;
  readonly buffers: BodyBufferPool;
}

/** Result of a request. */
export type HttpOutcome = Result<HttpReply, HttpFailure>;

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
  wire: HttpTransport,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpOutcome> {
  for (;;) {
    const opened = wire.connector.opened();
    const alert = wire.connector.lastAlert();
    const asked = performance.now();
    try {
      const answer = await wire.dispatcher.request({ origin: wire.origin, ...undiciRequest(request, signal) });
      return await receiveReply(answer, request.maxBytes, wire.buffers, signal);
    } catch (error) {
      if (signal.aborted) return err(timeoutFailure());
      // The server had closed the connection while it was idle, which is not a failure: send the request again. Each
      // attempt uses up one such connection, so the last one uses a new connection.
      const kept = wire.connector.opened() === opened;
      const lastAlert = wire.connector.lastAlert();
      const trouble = connectionFailure(lastAlert === alert ? error : lastAlert);
      const atOnce = performance.now() - asked < staleConnectionLimit;
      if (request.bound !== undefined || !kept || !trouble.stale || !atOnce)
        return err(explained(trouble.failure, wire));
    }
  }
}

/** Names the file that explains why a handshake failed. */
function explained(failed: Failure, { connector }: HttpTransport): Failure {
  const problem = failed.reason === 'tls' ? connector.tlsProblem() : undefined;
  return problem === undefined ? failed : { ...failed, message: problem };
}

/** Races the request against its abort, which undici ignores while it connects; `late` handles the late result. */
export function raceWithAbort(
  reply: Promise<HttpOutcome>,
  late: () => HttpFailure,
  signal: AbortSignal,
): Promise<HttpOutcome> {
  return new Promise((resolve) => {
    const giveUp = (): void => resolve(err(late()));
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    void reply.finally(() => signal.removeEventListener('abort', giveUp)).then(resolve);
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

/** Error for long bodies of a node that need more memory than allowed; only thrown within the stream. */
class TooManyBodies extends Error {}

/**
 * Reads an answer to its end, in bounded memory, which `room` has for long ones. Of an answer that is an error
 * anyway only the beginning counts, and trouble with it does not hide the status.
 */
export async function receiveReply(
  answer: ResponseHead,
  maxBytes: number,
  room: BodyBufferPool,
  signal: AbortSignal,
): Promise<Result<HttpReply, Failure>> {
  const { statusCode: status, body } = answer;
  const headers = flattenHeaders(answer.headers);
  if (status >= 300 && status < 400 && status !== notModified)
    return discardBody(body, failure('unreachable', 'the server sent a redirect, which is not followed', { status }));
  const failed = status < 200 || status >= 300;
  const limit = failed ? Math.min(errorBodyBytes, maxBytes) : maxBytes;
  if (!failed && Number(headers['content-length'] ?? 0) > limit) return discardBody(body, tooLargeFailure(limit));
  const decode = decoders(headers['content-encoding'] ?? '');
  if (decode === undefined)
    return discardBody(body, failure('body', 'the response has an unknown content encoding', { status }));
  const whole = room.startBody(limit);
  const collect = collectBody(whole, limit);
  try {
    if (decode.length === 0) await readChunks(body, collect, signal);
    else await pipeline([body, ...decode.flatMap((one) => [limitBytes(limit), one]), chunkWriter(collect)], { signal });
  } catch (error) {
    if (!failed) return err(bodyFailure(error, limit, signal));
  } finally {
    whole.end();
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

function bodyFailure(error: unknown, limit: number, signal: AbortSignal): Failure {
  if (signal.aborted) return timeoutFailure();
  if (error instanceof BodyTooLarge) return tooLargeFailure(limit);
  if (error instanceof TooManyBodies) {
    const message = `the responses of the node need more than ${maxReceivedBytes} bytes at the same time`;
    return failure('too_large', message, { limit: 'memory' });
  }
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
    case 'br':
      return [createBrotliDecompress({ chunkSize: errorBodyBytes })];
    default:
      return undefined;
  }
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

/** Takes a chunk of a body; an error ends the body. */
type TakeChunk = (chunk: Uint8Array) => Error | null;

/** Collects the decompressed bytes and stops at the limit, so that a decompression bomb is never held in memory. */
function collectBody(whole: BodyCollector, limit: number): TakeChunk {
  let room = limit;
  let pieces = 0;
  return (chunk) => {
    pieces += 1;
    const cost = pieces > freePieces ? Math.max(chunk.length, minPieceBytes) : chunk.length;
    const hasMemory = whole.add(chunk.subarray(0, Math.max(0, room)));
    room -= cost;
    if (!hasMemory) return new TooManyBodies();
    return room < 0 ? new BodyTooLarge() : null;
  };
}

/** Reads a body that needs no decoding. A pipeline would create an error with its stack at the end of each body. */
async function readChunks(body: Readable, take: TakeChunk, signal: AbortSignal): Promise<void> {
  const stop = (): void => void body.destroy(new Error('aborted'));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  const chunks: AsyncIterable<Uint8Array> = body;
  try {
    for await (const chunk of chunks) {
      const problem = take(chunk);
      if (problem !== null) throw problem;
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function chunkWriter(take: TakeChunk): Writable {
  return new Writable({
    write(chunk: Uint8Array, _encoding, done): void {
      done(take(chunk));
    },
  });
}

/** Header names are in lower case already; a repeated header is joined as HTTP allows. */
function flattenHeaders(headers: ResponseHead['headers']): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}
