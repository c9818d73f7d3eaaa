import type { ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { OutgoingReply } from '../kernel/listener.ts';
import type { Millis } from '../kernel/time.ts';

/** How long a client may take to accept one piece of an answer before it is cut off. */
export const stallLimit: Millis = 30_000;

type Stream = AsyncIterable<Uint8Array>;

/**
 * Writes a reply at the pace of its reader; resolves when it is sent or the connection is gone. A stream that
 * throws, and a reader that stalls for longer than `stall`, end in a reset connection.
 */
export async function send(reply: OutgoingReply, response: ServerResponse, stall: Millis = stallLimit): Promise<void> {
  const { body = '' } = reply;
  if (isStream(body)) {
    response.writeHead(reply.status, reply.headers);
    if (response.req.method === 'HEAD') return finish(response, stall);
    return stream(body, response, stall);
  }
  const pieces = typeof body === 'string' ? [Buffer.from(body)] : body instanceof Uint8Array ? [body] : body;
  response.writeHead(reply.status, { ...length(reply.status, pieces), ...reply.headers });
  response.cork();
  for (const piece of pieces) response.write(piece);
  return finish(response, stall);
}

/** Ends a connection so that the other side sees it was not a regular end. */
export function reset(response: ServerResponse): void {
  const { socket } = response;
  if (socket === null || socket instanceof TLSSocket) response.destroy();
  else socket.resetAndDestroy();
}

function isStream(body: NonNullable<OutgoingReply['body']>): body is Stream {
  return typeof body === 'object' && Symbol.asyncIterator in body;
}

function length(status: number, pieces: readonly Uint8Array[]): Readonly<Record<string, string>> {
  if (status === 204 || status === 304) return {};
  return { 'content-length': String(pieces.reduce((sum, piece) => sum + piece.length, 0)) };
}

async function stream(body: Stream, response: ServerResponse, stall: Millis): Promise<void> {
  try {
    response.flushHeaders();
    for await (const piece of body) {
      if (response.destroyed) return;
      // Waiting until a piece is flushed makes sure that it arrives before a reset does.
      await within(stall, response, (done) => response.write(piece, done));
    }
  } catch {
    return reset(response);
  }
  return finish(response, stall);
}

function finish(response: ServerResponse, stall: Millis): Promise<void> {
  return within(stall, response, (done) => response.end(done));
}

function within(stall: Millis, response: ServerResponse, start: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => reset(response), stall);
    response.once('close', done);
    start(done);
    function done(): void {
      clearTimeout(timer);
      response.off('close', done);
      resolve();
    }
  });
}
