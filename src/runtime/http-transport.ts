import { type Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { type Failure, failure } from '../kernel/failure.ts';
import type { HttpFailure, HttpReply, HttpRequest } from '../kernel/http.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Millis } from '../kernel/time.ts';
import type { BodyBufferPool, BodyCollector } from './body-buffer.ts';
import type { Connector } from './http-connector.ts';
import { connectionFailure, timeoutFailure } from './http-failure.ts';

/** One or more connections that undici keeps, and what is known of them. */
export interface HttpTransport {
  readonly origin: string;
  readonly dispatcher: Dispatcher;
  readonly connector: Pick<Connector, 'opened' | 'lastAlert' | 'tlsProblem'>;
  readonly buffers: BodyBufferPool;
}

/** What became of a request. */
export type HttpOutcome = Result<HttpReply, HttpFailure>;

/** A kept connection that the server had closed shows it at once; what breaks later was under way. */
const staleConnectionLimit: Millis = 1000;

/** How undici is set up for one connection or many: HTTP/1.1, one request per connection at a time. */
export const transportOptions = {
  pipelining: 1,
  allowH2: false,
  // The caller's signal is the only clock: it covers waiting, connecting, headers and body alike.
  headersTimeout: 0,
  bodyTimeout: 0,
} as const;

/** Sends a request, again where it met a stale connection, unless it is bound to one connection. Never rejects. */
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
      // A kept connection that the server had closed meanwhile says nothing about the server: ask again. Each
      // turn uses one such connection up, so this ends with a fresh one.
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

/** As much of an error as is worth reading, and a handy size to decompress by. */
const errorBodyBytes = 65_536;

/** An answer whose headers have come, as undici gives it. */
type ResponseHead = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>;

/** More bytes than allowed: thrown inside the stream alone. */
class BodyTooLarge extends Error {}

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
  if (status >= 300 && status < 400)
    return discardBody(body, failure('unreachable', 'the server sent a redirect, which is not followed', { status }));
  const failed = status < 200 || status >= 300;
  const limit = failed ? Math.min(errorBodyBytes, maxBytes) : maxBytes;
  if (!failed && Number(headers['content-length'] ?? 0) > limit) return discardBody(body, tooLargeFailure(limit));
  const decode = decoders(headers['content-encoding'] ?? '');
  if (decode === undefined)
    return discardBody(body, failure('body', 'the response has an unknown content encoding', { status }));
  const whole = room.startBody();
  try {
    await pipeline([body, ...decode.flatMap((one) => [limitBytes(limit), one]), collectBody(whole, limit)], { signal });
  } catch (error) {
    if (!failed) return err(bodyFailure(error, limit, signal));
  }
  return ok({ status, headers, ...whole.finish() });
}

function discardBody(body: Readable, reason: Failure): Result<HttpReply, Failure> {
  body.on('error', () => undefined).destroy();
  return err(reason);
}

function tooLargeFailure(limit: number): Failure {
  return failure('too_large', `the response is larger than ${limit} bytes`);
}

function bodyFailure(error: unknown, limit: number, signal: AbortSignal): Failure {
  if (signal.aborted) return timeoutFailure();
  if (error instanceof BodyTooLarge) return tooLargeFailure(limit);
  if (error instanceof Error && 'code' in error && /^(Z_|ERR__ERROR)/.test(String(error.code))) {
    return failure('body', 'the response cannot be decompressed');
  }
  return connectionFailure(error).failure;
}

/** The streams that undo `Content-Encoding`; undefined for one that we did not ask for. */
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

/** Passes the bytes on as they came and stops at the limit. */
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

/** Keeps the decompressed bytes and stops at the limit: what a bomb would unfold to never exists. */
function collectBody(whole: BodyCollector, limit: number): Writable {
  let room = limit;
  return new Writable({
    write(chunk: Uint8Array, _encoding, done): void {
      const kept = chunk.subarray(0, room);
      whole.add(kept);
      room -= kept.length;
      done(kept.length < chunk.length ? new BodyTooLarge() : null);
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
