import type { Dispatcher } from 'undici';
import type { HttpFailure, HttpReply, HttpRequest } from '../kernel/http.ts';
import { err, type Result } from '../kernel/result.ts';
import type { Millis } from '../kernel/time.ts';
import type { BodyRoom } from './body-room.ts';
import { receive } from './http-body.ts';
import type { Connector } from './http-connector.ts';
import { connectionFailure, timedOut } from './http-trouble.ts';

/** One or more connections that undici keeps, and what is known of them. */
export interface Wire {
  readonly dispatcher: Dispatcher;
  readonly connector: Pick<Connector, 'opened' | 'lastAlert'>;
  readonly room: BodyRoom;
}

/** What became of a request. */
export type WireReply = Result<HttpReply, HttpFailure>;

/** A kept connection that the server had closed shows it at once; what breaks later was under way. */
const staleWithin: Millis = 1000;

/** How undici is set up for one connection or many: HTTP/1.1, one request per connection at a time. */
export const wireOptions = {
  pipelining: 1,
  allowH2: false,
  // The caller's signal is the only clock: it covers waiting, connecting, headers and body alike.
  headersTimeout: 0,
  bodyTimeout: 0,
} as const;

/** Sends a request, again where it met a stale connection, unless it says `once`. Never rejects. */
export async function send(wire: Wire, request: HttpRequest, signal: AbortSignal): Promise<WireReply> {
  for (;;) {
    const opened = wire.connector.opened();
    const alert = wire.connector.lastAlert();
    const asked = performance.now();
    try {
      const answer = await wire.dispatcher.request(inUndiciTerms(request, signal));
      return await receive(answer, request.maxBytes, wire.room, signal);
    } catch (error) {
      if (signal.aborted) return err(timedOut());
      // A kept connection that the server had closed meanwhile says nothing about the server: ask again. Each
      // turn uses one such connection up, so this ends with a fresh one.
      const kept = wire.connector.opened() === opened;
      const lastAlert = wire.connector.lastAlert();
      const trouble = connectionFailure(lastAlert === alert ? error : lastAlert);
      const atOnce = performance.now() - asked < staleWithin;
      if (request.once === true || !kept || !trouble.stale || !atOnce) return err(trouble.failure);
    }
  }
}

/** undici tells nobody of an abort while it still connects, hence this race; `late` says what comes of it. */
export function unlessAborted(
  reply: Promise<WireReply>,
  late: () => HttpFailure,
  signal: AbortSignal,
): Promise<WireReply> {
  return new Promise((resolve) => {
    const giveUp = (): void => resolve(err(late()));
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    void reply.finally(() => signal.removeEventListener('abort', giveUp)).then(resolve);
  });
}

function inUndiciTerms(request: HttpRequest, signal: AbortSignal): Dispatcher.RequestOptions {
  const { method, path, headers, body } = request;
  return { method, path, headers, body: body ?? null, signal };
}
