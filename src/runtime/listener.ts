import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { BoundListener, Listen, OutgoingReply, RequestHandler } from '../kernel/listener.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Millis } from '../kernel/time.ts';
import {
  declaresBody,
  incomingRequest,
  RejectedRequest,
  resetConnection,
  sendReply,
  stallLimit,
} from './http-messages.ts';

/** The open connections of a server, so that stopping it waits for answers under way and for nothing else. */
export interface ConnectionTracker {
  /** Stops accepting, ends idle connections now, busy ones after their answer, the rest after `grace`. Idempotent. */
  close(grace: Millis): Promise<void>;
}

/** Watches the connections of `server`; to be called before it listens. */
function trackConnections(server: Server): ConnectionTracker {
  const sockets = new Set<Socket>();
  const answering = new Map<Socket, number>();
  let closing: Promise<void> | undefined;

  const opened = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  server.on('connection', opened);
  // Over TLS this is the socket that requests know; the raw one below it is in the set as well.
  server.on('secureConnection', opened);
  server.on('request', ({ socket }, response) => {
    answering.set(socket, (answering.get(socket) ?? 0) + 1);
    response.once('close', () => answered(socket));
  });

  function answered(socket: Socket): void {
    const left = (answering.get(socket) ?? 1) - 1;
    if (left > 0) answering.set(socket, left);
    else answering.delete(socket);
    if (left === 0 && closing !== undefined) socket.destroySoon();
  }

  async function close(grace: Millis): Promise<void> {
    const ended = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) if (idle(socket)) socket.destroySoon();
    const cut = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, grace);
    await ended;
    clearTimeout(cut);
  }

  /** The raw socket below TLS looks idle while its owner answers: it has the same remote port. */
  function idle(socket: Socket): boolean {
    return ![...answering.keys()].some(
      (busy) => busy.remotePort === socket.remotePort && busy.remoteAddress === socket.remoteAddress,
    );
  }

  return {
    close: (grace) => {
      closing ??= close(grace);
      return closing;
    },
  };
}

/** Limits of time and memory for one client. */
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
export interface ListenerBinding {
  readonly host: string;
  readonly port: number;
  readonly handler: RequestHandler;
  readonly limits: ListenerLimits;
  /** Put on every answer. */
  readonly headers?: () => Readonly<Record<string, string>>;
  readonly log?: Logger;
}

/** Gives `server` its handler and its address. Rejects with the system's error when the address cannot be had. */
export async function bind(server: Server, binding: ListenerBinding): Promise<BoundListener> {
  const open = trackConnections(server);
  server.on('request', (message, response) => {
    void handleRequest(message, response, binding, () => server.listening);
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

async function handleRequest(
  message: IncomingMessage,
  response: ServerResponse,
  binding: ListenerBinding,
  listening: () => boolean,
): Promise<void> {
  const { headers, ...answer } = await replyFor(message, response, binding);
  if (response.destroyed) return answer.onSent?.();
  // An unread body is not waited for: its connection ends with the answer.
  if (!listening() || (declaresBody(message) && !message.complete)) response.shouldKeepAlive = false;
  try {
    await sendReply({ ...answer, headers: { ...binding.headers?.(), ...headers } }, response, binding.limits.stall);
  } catch (error) {
    binding.log?.error('response failed', { path: message.url, error });
    resetConnection(response);
  } finally {
    answer.onSent?.();
  }
}

async function replyFor(
  message: IncomingMessage,
  response: ServerResponse,
  binding: ListenerBinding,
): Promise<OutgoingReply> {
  try {
    return await binding.handler(incomingRequest(message, response));
  } catch (error) {
    if (error instanceof RejectedRequest) return errorReply(error.status, error.message);
    if (!response.destroyed) binding.log?.error('request failed', { error });
    return errorReply(500, 'Internal error.');
  }
}

/** The answer of a listener that refuses a request itself. */
export function errorReply(status: number, title: string): OutgoingReply {
  const headers = { 'content-type': 'application/problem+json' };
  return { status, headers, body: JSON.stringify({ status, title }) };
}
