import type { Dispatcher } from 'undici';
import { type Failure, failure } from '../kernel/failure.ts';
import type { HttpFailure, HttpReply, HttpRequest } from '../kernel/http.ts';
import { err, type Result } from '../kernel/result.ts';
import type { Millis } from '../kernel/time.ts';
import type { BodyBuffers } from './body-buffer.ts';
import type { Connector } from './http-connector.ts';
import { exchange, RequestWithheld } from './http-exchange.ts';
import { connectionFailure } from './http-failure.ts';
import { RequestProgress, receiveReply } from './http-reply.ts';

/** One or more connections of undici, with their statistics. */
export interface HttpTransport {
  readonly origin: string;
  readonly dispatcher: Dispatcher;
  readonly connector: Pick<Connector, 'opened' | 'lastAlert' | 'tlsProblem'>;
  readonly buffers: BodyBuffers;
}

/** Result of a request. */
export type HttpOutcome = Result<HttpReply, HttpFailure>;

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
      const { mayWrite } = request;
      const head = await exchange(transport.dispatcher, undiciRequest(transport, request), { signal, mayWrite });
      return await receiveReply(head, request.maxBytes, transport.buffers, { signal, progress });
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

function undiciRequest({ origin }: HttpTransport, request: HttpRequest): Dispatcher.DispatchOptions {
  const { method, path, headers, body } = request;
  return { origin, method, path, headers, body: body ?? null };
}
