import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Listen, Listening, OutgoingReply, RequestHandler } from '../kernel/listener.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Millis } from '../kernel/time.ts';
import { connections } from './connections.ts';
import { announcesBody, incoming, RefusedRequest } from './incoming.ts';
import { reset, send, stallLimit } from './outgoing.ts';

/** How much patience and memory one client gets. */
export interface ListenerLimits {
  /** Until the whole head of a request has arrived. */
  readonly headersTimeout: Millis;
  /** Until the whole request has arrived. */
  readonly requestTimeout: Millis;
  /** How often the two above are looked at. */
  readonly connectionsCheckingInterval: Millis;
  /** How long an idle connection is kept; longer than most scrape intervals. */
  readonly keepAliveTimeout: Millis;
  /** Bytes of all header lines of a request. */
  readonly maxHeaderSize: number;
  /** For a reader to accept one piece of the answer. */
  readonly stall: Millis;
}

/** What every listener of the program grants. */
export const listenerLimits: ListenerLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 75_000,
  maxHeaderSize: 16 * 1024,
  stall: stallLimit,
};

/** Opens a listener over node:http, or node:https where a certificate is given. */
export const listen: Listen = ({ host, port, handler, tls, log }) => {
  const server =
    tls === undefined
      ? createServer(listenerLimits)
      : createSecureServer({ ...listenerLimits, ...tls, handshakeTimeout });
  return bind(server, { host, port, handler, limits: listenerLimits, ...(log === undefined ? {} : { log }) });
};

/** How long a TLS handshake may take. */
export const handshakeTimeout: Millis = 10_000;

/** What {@link bind} needs beside the server. */
export interface Binding {
  readonly host: string;
  readonly port: number;
  readonly handler: RequestHandler;
  readonly limits: ListenerLimits;
  /** Put on every answer. */
  readonly headers?: () => Readonly<Record<string, string>>;
  readonly log?: Logger;
}

/** Gives `server` its handler and its address. Rejects with the system's error when the address cannot be had. */
export async function bind(server: Server, binding: Binding): Promise<Listening> {
  const open = connections(server);
  server.on('request', (message, response) => {
    void respond(message, response, binding, () => server.listening);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(binding.port, binding.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { address, port } = boundAddress(server);
  return { host: address, port, close: (grace) => open.close(grace) };
}

function boundAddress(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP listener has an address');
  return address;
}

async function respond(
  message: IncomingMessage,
  response: ServerResponse,
  binding: Binding,
  listening: () => boolean,
): Promise<void> {
  const { headers, ...answer } = await reply(message, response, binding);
  if (response.destroyed) return answer.sent?.();
  // An unread body is not waited for: its connection ends with the answer.
  if (!listening() || (announcesBody(message) && !message.complete)) response.shouldKeepAlive = false;
  try {
    await send({ ...answer, headers: { ...binding.headers?.(), ...headers } }, response, binding.limits.stall);
  } catch (error) {
    binding.log?.error('answering a request failed', { path: message.url, error });
    reset(response);
  } finally {
    answer.sent?.();
  }
}

async function reply(message: IncomingMessage, response: ServerResponse, binding: Binding): Promise<OutgoingReply> {
  try {
    return await binding.handler(incoming(message, response));
  } catch (error) {
    if (error instanceof RefusedRequest) return problem(error.status, error.message);
    if (!response.destroyed) binding.log?.error('handling a request failed', { error });
    return problem(500, 'Internal error.');
  }
}

/** The answer of a listener that refuses a request itself. */
export function problem(status: number, title: string): OutgoingReply {
  const headers = { 'content-type': 'application/problem+json' };
  return { status, headers, body: JSON.stringify({ status, title }) };
}
