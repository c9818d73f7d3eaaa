import { type Dispatcher, Pool } from 'undici';
import type { Failure } from '../kernel/failure.ts';
import type { HttpReply, HttpRequest, OpenHttpPool } from '../kernel/http.ts';
import { err, type Result } from '../kernel/result.ts';
import type { Millis } from '../kernel/time.ts';
import { BodyRoom } from './body-room.ts';
import { receive } from './http-body.ts';
import { type Connector, createConnector } from './http-connector.ts';
import { connectionFailure, timedOut } from './http-trouble.ts';
import { createTurnstile } from './turnstile.ts';

interface Wire {
  readonly pool: Pool;
  readonly connector: Connector;
  readonly room: BodyRoom;
}

type Reply = Result<HttpReply, Failure>;

/** A kept connection that the server had closed shows it at once; what breaks later was under way. */
const staleWithin: Millis = 1000;

/**
 * The pool over undici: HTTP/1.1, keep-alive, one request per connection at a time. Waiting for a free
 * connection counts within the caller's own deadline.
 */
export const openHttpPool: OpenHttpPool = ({ origin, sockets, tls }) => {
  const wire = openWire(origin, sockets, tls ?? {});
  const turnstile = createTurnstile(sockets);
  return {
    async request(request, signal) {
      const { urgent = false } = request;
      if (!(await turnstile.enter(urgent, signal))) return err(timedOut());
      const reply = send(wire, request, signal);
      void reply.then(() => turnstile.leave(urgent));
      return await unlessAborted(reply, signal);
    },
    sockets: () => wire.connector.open(),
    close: () => wire.pool.destroy(),
  };
};

function openWire(origin: string, sockets: number, tls: Parameters<typeof createConnector>[0]): Wire {
  const connector = createConnector(tls);
  const pool = new Pool(origin, {
    connections: sockets,
    pipelining: 1,
    allowH2: false,
    connect: connector.connect,
    // The caller's signal is the only clock: it covers waiting, connecting, headers and body alike.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return { pool, connector, room: new BodyRoom() };
}

/** undici tells nobody of an abort while it still connects, hence this race. */
function unlessAborted(reply: Promise<Reply>, signal: AbortSignal): Promise<Reply> {
  return new Promise((resolve) => {
    const giveUp = (): void => resolve(err(timedOut()));
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    void reply.finally(() => signal.removeEventListener('abort', giveUp)).then(resolve);
  });
}

/** Never rejects. */
async function send(wire: Wire, request: HttpRequest, signal: AbortSignal): Promise<Reply> {
  for (;;) {
    const opened = wire.connector.opened();
    const alert = wire.connector.lastAlert();
    const asked = performance.now();
    try {
      const answer = await wire.pool.request(inUndiciTerms(request, signal));
      return await receive(answer, request.maxBytes, wire.room, signal);
    } catch (error) {
      if (signal.aborted) return err(timedOut());
      // A kept connection that the server had closed meanwhile says nothing about the server: ask again. Each
      // turn uses one such connection up, so this ends with a fresh one.
      const kept = wire.connector.opened() === opened;
      const lastAlert = wire.connector.lastAlert();
      const trouble = connectionFailure(lastAlert === alert ? error : lastAlert);
      const atOnce = performance.now() - asked < staleWithin;
      if (!kept || !trouble.stale || !atOnce) return err(trouble.failure);
    }
  }
}

function inUndiciTerms(request: HttpRequest, signal: AbortSignal): Dispatcher.RequestOptions {
  const { method, path, headers, body } = request;
  return { method, path, headers, body: body ?? null, signal };
}
