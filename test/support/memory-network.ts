import { failure } from '../../src/kernel/failure.ts';
import type { HttpFailure, HttpReply, HttpRequest, OpenHttpPool } from '../../src/kernel/http.ts';
import type { Listen, OutgoingReply, RequestHandler } from '../../src/kernel/listener.ts';
import { err, ok, type Result } from '../../src/kernel/result.ts';

/** A network within this process. */
export interface MemoryNetwork {
  readonly listen: Listen;
  readonly openPool: OpenHttpPool;
}

/** First port that the network assigns. */
const firstPort = 20_000;

interface ListenerSlot {
  handler: RequestHandler | undefined;
  /** Number of times that the listener was opened. A connection from before the latest one has ended. */
  opened: number;
}

type Outcome = Result<HttpReply, HttpFailure>;

/**
 * Passes requests to listeners of this process without sockets, which takes less time. `elsewhere` opens the pools of all
 * other origins, which refuse connections if it is absent. Responses that break off, are compressed or never end differ from
 * those over sockets.
 */
export function memoryNetwork(elsewhere?: OpenHttpPool): MemoryNetwork {
  const slots = new Map<number, ListenerSlot>();
  const listen: Listen = async ({ host, port: wanted, handler }) => {
    const port = wanted === 0 ? firstPort + slots.size : wanted;
    const slot: ListenerSlot = { handler, opened: (slots.get(port)?.opened ?? 0) + 1 };
    slots.set(port, slot);
    return {
      host,
      port,
      close: async () => {
        slot.handler = undefined;
      },
    };
  };
  const openPool: OpenHttpPool = (options) => {
    const { origin, oneAddress = false } = options;
    const { host, port } = new URL(origin);
    if (elsewhere !== undefined && !slots.has(Number(port))) return elsewhere(options);
    return {
      request: (request, signal) => {
        const slot = slots.get(Number(port));
        if (signal.aborted) return Promise.resolve(late());
        if (slot?.handler === undefined) return Promise.resolve(unreachable('the connection was refused', request));
        const connection = `${origin}#${slot.opened}`;
        if (request.bound !== undefined && request.bound.connection !== connection)
          return Promise.resolve(
            unreachable('the connection on which the process list was received is closed', request),
          );
        const mayWrite = request.bound?.mayWrite ?? request.mayWrite;
        if (mayWrite?.() === false) return Promise.resolve(withheld());
        const peerFields = oneAddress ? { peer: host, connection } : {};
        return beforeAbort(answer(slot.handler, request, { origin, signal, peerFields }), signal);
      },
      sockets: () => 1,
      close: async () => undefined,
    };
  };
  return { listen, openPool };
}

interface Circumstances {
  readonly origin: string;
  readonly signal: AbortSignal;
  readonly peerFields: Pick<HttpReply, 'peer' | 'connection'>;
}

async function answer(
  handler: RequestHandler,
  { method, path, headers, body = '', maxBytes }: HttpRequest,
  { origin, signal, peerFields }: Circumstances,
): Promise<Outcome> {
  const { pathname, searchParams: query } = new URL(path, origin);
  const text = async (): Promise<string> => body;
  const request = { method, path: decodeURIComponent(pathname), query, remoteAddress: '127.0.0.1', text };
  try {
    const reply = await toHttpReply(await handler({ ...request, headers: lowerCase(headers), disconnected: signal }));
    if (reply.status >= 300 && reply.status < 400) return err(failure('unreachable', 'the server sent a redirect'));
    if (reply.body.length > maxBytes) return err(failure('too_large', 'the response is too large', { limit: 'bytes' }));
    return ok({ ...reply, ...peerFields });
  } catch {
    return err(failure('unreachable', 'the connection was reset'));
  }
}

/** Races a request against its abort, as a pool does. */
async function beforeAbort(reply: Promise<Outcome>, signal: AbortSignal): Promise<Outcome> {
  const { promise: aborted, resolve } = Promise.withResolvers<Outcome>();
  const giveUp = (): void => resolve(late());
  signal.addEventListener('abort', giveUp, { once: true });
  const outcome = await Promise.race([reply, aborted]);
  signal.removeEventListener('abort', giveUp);
  return outcome;
}

function late(): Outcome {
  return err(failure('timeout', 'no complete response within the deadline'));
}

function withheld(): Outcome {
  return err({ ...failure('timeout', 'the request was withheld'), unsent: true });
}

function unreachable(message: string, { bound }: HttpRequest): Outcome {
  return err({ ...failure('unreachable', message), ...(bound !== undefined && { unsent: true }) });
}

/** Reads a reply to its end. */
export async function toHttpReply({ status, headers = {}, body = '' }: OutgoingReply): Promise<HttpReply> {
  const pieces: Uint8Array[] = [];
  if (typeof body === 'string') pieces.push(Buffer.from(body));
  else if (body instanceof Uint8Array) pieces.push(body);
  else for await (const piece of body) pieces.push(piece);
  const [first = new Uint8Array(), ...others] = pieces;
  return { status, headers: lowerCase(headers), body: others.length === 0 ? first : Buffer.concat(pieces) };
}

function lowerCase(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
