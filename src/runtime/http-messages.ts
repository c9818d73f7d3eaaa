import type { IncomingMessage, ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { IncomingRequest, OutgoingReply } from '../kernel/listener.ts';
import type { Millis } from '../kernel/time.ts';

/** Error for an invalid request: the listener replies with `status` and `message`. */
export class RejectedRequest extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Converts a message of node:http to the port's request. Throws {@link RejectedRequest} for a target that is not a path. */
export function incomingRequest(message: IncomingMessage, response: ServerResponse): IncomingRequest {
  const { path, query } = requestTarget(message.url ?? '');
  return {
    method: message.method ?? '',
    path,
    query,
    headers: joinedHeaders(message.headersDistinct),
    remoteAddress: message.socket.remoteAddress ?? '',
    disconnected: disconnectSignal(response),
    text: (maxBytes) => readBodyText(message, maxBytes),
  };
}

/** Returns whether the headers of a message declare a body. */
export function declaresBody(message: IncomingMessage): boolean {
  return message.headers['transfer-encoding'] !== undefined || Number(message.headers['content-length'] ?? 0) > 0;
}

/** Returns the decoded path and the query of a target. Throws {@link RejectedRequest} for one that is not a path. */
export function requestTarget(url: string): { readonly path: string; readonly query: URLSearchParams } {
  const split = /^(\/[^?#]*)(?:\?([^#]*))?/.exec(url);
  if (split === null) throw new RejectedRequest(400, 'The request target is not a path.');
  try {
    return { path: decodeURIComponent(split[1] ?? '/'), query: new URLSearchParams(split[2] ?? '') };
  } catch {
    throw new RejectedRequest(400, 'The path is not correctly percent-encoded.');
  }
}

function joinedHeaders(headers: NodeJS.Dict<string[]>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, values = []]) => [name, values.join(', ')]));
}

function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

async function readBodyText(message: IncomingMessage, maxBytes: number): Promise<string> {
  const tooLarge = (): RejectedRequest => new RejectedRequest(413, `The body is larger than ${maxBytes} bytes.`);
  if (Number(message.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let length = 0;
  // An early exit from the loop must not destroy the message, because its socket still sends the 413.
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    const bytes: Uint8Array = chunk;
    length += bytes.length;
    if (length > maxBytes) throw tooLarge();
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Maximum time for which a client may stall before the connection is closed. */
export const stallLimit: Millis = 30_000;

type Stream = AsyncIterable<Uint8Array>;

/** Limit for readers that stall. */
export interface StallLimit {
  readonly limit: Millis;
  /** Called before the connection of a reader that stalled is reset. */
  readonly onReached: () => void;
}

/**
 * Writes a reply at the pace of its reader; resolves when it is sent or the connection is gone. A stream that
 * throws, and a reader that stalls for too long, end in a reset connection.
 */
export async function sendReply(reply: OutgoingReply, response: ServerResponse, stall: StallLimit): Promise<void> {
  const { body = '' } = reply;
  if (isStream(body)) {
    response.writeHead(reply.status, reply.headers);
    if (response.req.method === 'HEAD') return finishResponse(response, stall);
    return streamBody(body, response, stall);
  }
  const pieces = typeof body === 'string' ? [Buffer.from(body)] : body instanceof Uint8Array ? [body] : body;
  response.writeHead(reply.status, { ...contentLength(reply.status, pieces), ...reply.headers });
  response.cork();
  for (const piece of pieces) response.write(piece);
  return finishResponse(response, stall);
}

/** Resets a connection, so that the peer detects an incomplete reply. */
export function resetConnection(response: ServerResponse): void {
  const { socket } = response;
  if (socket === null || socket instanceof TLSSocket) response.destroy();
  else socket.resetAndDestroy();
}

function isStream(body: NonNullable<OutgoingReply['body']>): body is Stream {
  return typeof body === 'object' && Symbol.asyncIterator in body;
}

function contentLength(status: number, pieces: readonly Uint8Array[]): Readonly<Record<string, string>> {
  if (status === 204 || status === 304) return {};
  return { 'content-length': String(pieces.reduce((sum, piece) => sum + piece.length, 0)) };
}

async function streamBody(body: Stream, response: ServerResponse, stall: StallLimit): Promise<void> {
  try {
    response.flushHeaders();
    for await (const piece of body) {
      if (response.destroyed) return;
      // Waits until the chunk is flushed, so that it arrives before a reset.
      await withinStallLimit(stall, response, (done) => response.write(piece, done));
    }
  } catch {
    return resetConnection(response);
  }
  return finishResponse(response, stall);
}

function finishResponse(response: ServerResponse, stall: StallLimit): Promise<void> {
  return withinStallLimit(stall, response, (done) => response.end(done));
}

function withinStallLimit(
  stall: StallLimit,
  response: ServerResponse,
  start: (done: () => void) => void,
): Promise<void> {
  return new Promise((resolve) => {
    // A response that is closed already does not report that again.
    if (response.destroyed) return resolve();
    const timer = setTimeout(() => {
      stall.onReached();
      resetConnection(response);
    }, stall.limit);
    response.once('close', done);
    start(done);
    function done(): void {
      clearTimeout(timer);
      response.off('close', done);
      resolve();
    }
  });
}
