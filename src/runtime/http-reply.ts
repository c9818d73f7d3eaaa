import { pipeline, Readable, Transform } from 'node:stream';
import { createGunzip, createInflate } from 'node:zlib';
import { type Failure, failure } from '../kernel/failure.ts';
import type { HttpFailure, HttpReply } from '../kernel/http.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { BodyBuffers, BodyCollector } from './body-buffer.ts';
import type { IncomingBody, ReplyHead } from './http-exchange.ts';
import { connectionFailure, timeoutFailure } from './http-failure.ts';

/** Request in progress. */
export class RequestProgress {
  /** Collector of the body while it arrives. */
  body: BodyCollector | undefined;

  /** Returns the failure of the request if its signal aborts now. */
  timeout(): HttpFailure {
    if (this.body?.isWaiting !== true) return timeoutFailure();
    const message = 'the response waited for memory until the deadline, because of other long responses';
    return failure('too_large', message, { limit: 'memory' });
  }
}

/** Status in the range of redirects that is not one. */
const notModified = 304;

/** Maximum bytes that are read of an error reply, and the chunk size of decompression. */
const errorBodyBytes = 65_536;

/** Error for a body with more bytes than allowed; only thrown within the stream. */
class BodyTooLarge extends Error {}

/** Progress of a request whose reply arrives, and the signal that ends it. */
interface Receipt {
  readonly signal: AbortSignal;
  readonly progress: RequestProgress;
}

/**
 * Reads a reply to its end in bounded memory; a long reply waits until memory is free. Of an error reply, only the first bytes
 * are read, and a failure to read them does not hide the status.
 */
export async function receiveReply(
  head: ReplyHead,
  maxBytes: number,
  buffers: BodyBuffers,
  { signal, progress }: Receipt,
): Promise<Result<HttpReply, Failure>> {
  const { statusCode: status, body } = head;
  const headers = flattenHeaders(head.headers);
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
  const content = isPlain ? body : decoded(body, decode, limit);
  try {
    await readBody(content, { whole, limit, signal });
  } catch (error) {
    if (!failed) {
      const reason = signal.aborted ? progress.timeout() : bodyFailure(error, limit);
      whole.discard();
      return err(reason);
    }
  } finally {
    progress.body = undefined;
    // A decoder ends at the end of its data, even if more bytes follow.
    content.discard();
  }
  return ok({ status, headers, ...whole.finish() });
}

function discardBody(body: IncomingBody, reason: Failure): Result<HttpReply, Failure> {
  body.discard();
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
function decoded(body: IncomingBody, decode: readonly Transform[], limit: number): IncomingBody {
  const streams = decode.flatMap((one) => [limitBytes(limit), one]);
  const last = streams.reduce((from: Readable, to) => pipeline(from, to, () => undefined), streamOf(body));
  const chunks: AsyncIterator<Uint8Array> = last[Symbol.asyncIterator]();
  return {
    next: async () => (await chunks.next()).value ?? undefined,
    discard() {
      last.destroy();
      body.discard();
    },
  };
}

/** Returns the body as a stream, which waits for its reader. */
function streamOf(body: IncomingBody): Readable {
  return new Readable({
    read() {
      body.next().then(
        (chunk) => this.push(chunk ?? null),
        (error: unknown) => this.destroy(error instanceof Error ? error : new Error('the response body ended early')),
      );
    },
  });
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

/** Destination of a body that is read, its maximum size, and the signal that ends the read. */
interface BodyReading {
  readonly whole: BodyCollector;
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** Number of first chunks of a body that count with their actual size. */
const freePieces = 1000;
/** Each further chunk counts at least this many bytes against the limit, because a million chunks of one byte take more time than a large body. */
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
 * waits for memory, the server has to wait too.
 */
async function readBody(body: IncomingBody, { whole, limit, signal }: BodyReading): Promise<void> {
  const part = chunkLimit(limit);
  for (;;) {
    const chunk = await body.next();
    if (chunk === undefined) return;
    const { piece, isTooLarge } = part(chunk);
    if (!whole.needsMemory(piece)) whole.add(piece);
    else if (!isTooLarge) await addToLongBody(whole, piece, signal);
    if (isTooLarge) throw new BodyTooLarge();
  }
}

/** Adds the chunk that makes a body long after memory is reserved; `signal` ends the wait. */
async function addToLongBody(whole: BodyCollector, piece: Uint8Array, signal: AbortSignal): Promise<void> {
  const stop = (): void => whole.stopWaiting();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (!(await whole.reserve())) throw new Error('aborted');
    whole.add(piece);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Header names are in lower case already; a repeated header is joined as HTTP allows. */
function flattenHeaders(headers: ReplyHead['headers']): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}
