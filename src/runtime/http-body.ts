import { type Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { type Failure, failure } from '../kernel/failure.ts';
import type { HttpReply } from '../kernel/http.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { BodyRoom, GrowingBody } from './body-room.ts';
import { connectionFailure, timedOut } from './http-trouble.ts';

/** As much of an error as is worth reading, and a handy size to decompress by. */
const errorBodyBytes = 65_536;

/** An answer whose headers have come, as undici gives it. */
type Answer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>;

/** More bytes than allowed: thrown inside the stream alone. */
class TooLarge extends Error {}

/**
 * Reads an answer to its end, in bounded memory, which `room` has for long ones. Of an answer that is an error
 * anyway only the beginning counts, and trouble with it does not hide the status.
 */
export async function receive(
  answer: Answer,
  maxBytes: number,
  room: BodyRoom,
  signal: AbortSignal,
): Promise<Result<HttpReply, Failure>> {
  const { statusCode: status, body } = answer;
  const headers = flatten(answer.headers);
  if (status >= 300 && status < 400) return refuse(body, failure('unreachable', 'the server redirects', { status }));
  const failed = status < 200 || status >= 300;
  const limit = failed ? Math.min(errorBodyBytes, maxBytes) : maxBytes;
  if (!failed && Number(headers['content-length'] ?? 0) > limit) return refuse(body, tooLarge(limit));
  const decode = decoders(headers['content-encoding'] ?? '');
  if (decode === undefined)
    return refuse(body, failure('body', 'the answer has an unknown content encoding', { status }));
  const whole = room.begin();
  try {
    await pipeline([body, ...decode.flatMap((one) => [meter(limit), one]), collect(whole, limit)], { signal });
  } catch (error) {
    if (!failed) return err(bodyFailure(error, limit, signal));
  }
  return ok({ status, headers, ...whole.done() });
}

function refuse(body: Readable, reason: Failure): Result<HttpReply, Failure> {
  body.on('error', () => undefined).destroy();
  return err(reason);
}

function tooLarge(limit: number): Failure {
  return failure('too_large', `the answer is larger than ${limit} bytes`);
}

function bodyFailure(error: unknown, limit: number, signal: AbortSignal): Failure {
  if (signal.aborted) return timedOut();
  if (error instanceof TooLarge) return tooLarge(limit);
  if (error instanceof Error && 'code' in error && /^(Z_|ERR__ERROR)/.test(String(error.code))) {
    return failure('body', 'the answer cannot be decompressed');
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
function meter(limit: number): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done): void {
      seen += chunk.length;
      if (seen > limit) done(new TooLarge());
      else done(null, chunk);
    },
  });
}

/** Keeps the decompressed bytes and stops at the limit: what a bomb would unfold to never exists. */
function collect(whole: GrowingBody, limit: number): Writable {
  let room = limit;
  return new Writable({
    write(chunk: Uint8Array, _encoding, done): void {
      const kept = chunk.subarray(0, room);
      whole.add(kept);
      room -= kept.length;
      done(kept.length < chunk.length ? new TooLarge() : null);
    },
  });
}

/** Header names are in lower case already; a repeated header is joined as HTTP allows. */
function flatten(headers: Answer['headers']): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}
