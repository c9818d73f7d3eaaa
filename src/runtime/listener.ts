import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import {
  type BoundListener,
  type ClosedReason,
  type Listen,
  type OutgoingReply,
  type RequestHandler,
  securityHeaders,
} from '../kernel/listener.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Millis } from '../kernel/time.ts';
import { type ConnectionLimit, type ConnectionTracker, trackConnections } from './connections.ts';
import {
  declaresBody,
  incomingRequest,
  RejectedRequest,
  resetConnection,
  sendReply,
  stallLimit,
} from './http-messages.ts';

/** Limits of time and memory for one client. */
export interface ListenerLimits {
  /** Timeout for the head of a request to arrive. */
  readonly headersTimeout: Millis;
  /** Timeout for the whole request to arrive. */
  readonly requestTimeout: Millis;
  /** Interval at which both timeouts are checked. */
  readonly connectionsCheckingInterval: Millis;
  /** Timeout of an idle connection; longer than most scrape intervals. */
  readonly keepAliveTimeout: Millis;
  /** Maximum size of all header lines of a request in bytes. */
  readonly maxHeaderSize: number;
  /** Time in which a client must accept one chunk of the reply. */
  readonly stall: Millis;
}

/** Limits of every listener of the program. */
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

/** Timeout of a TLS handshake. */
export const handshakeTimeout: Millis = 10_000;

/** Options of {@link bind}. */
export interface ListenerBinding {
  readonly host: string;
  readonly port: number;
  readonly handler: RequestHandler;
  readonly limits: ListenerLimits;
  /** Headers of every reply. */
  readonly headers?: () => Readonly<Record<string, string>>;
  readonly log?: Logger;
  readonly connections?: ConnectionLimit;
  /** Resolves when a request may start; absent: at once. */
  readonly turn?: (message: IncomingMessage) => Promise<void>;
}

/** Sets the handler of `server` and binds its address. Rejects with the error of the system if the address is unavailable. */
export async function bind(server: Server, binding: ListenerBinding): Promise<BoundListener> {
  const open = await serve(server, binding, (bound) => server.listen(binding.port, binding.host, bound));
  const { address, port } = boundAddress(server);
  return { host: address, port, close: (grace) => open.close(grace) };
}

/** How a server handles requests, for any kind of address. */
export type ServerBinding = Omit<ListenerBinding, 'host' | 'port'>;

/** Sets the handler of `server` and calls `start` at once. Rejects with the error of the system. */
export async function serve(
  server: Server,
  binding: ServerBinding,
  start: (bound: () => void) => void,
): Promise<ConnectionTracker> {
  const open = trackConnections(server, binding.connections);
  server.on('request', (message, response) => {
    const report = (reason: ClosedReason): void => open.report(reason);
    const context = { ...binding, report, isListening: () => server.listening };
    void open.begin(message, response).then(() => handleRequest(message, response, context));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    start(() => {
      server.off('error', reject);
      resolve();
    });
  });
  return open;
}

function boundAddress(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP listener has an address');
  return address;
}

interface RequestContext extends ServerBinding, Pick<ConnectionTracker, 'report'> {
  readonly isListening: () => boolean;
}

async function handleRequest(
  message: IncomingMessage,
  response: ServerResponse,
  binding: RequestContext,
): Promise<void> {
  // A response that waited for an earlier one does not report that the connection has closed.
  const isGone = (): boolean => response.destroyed || message.socket.destroyed;
  if (isGone()) return;
  if (binding.turn !== undefined) await binding.turn(message);
  if (isGone()) return;
  const { headers, ...answer } = await replyFor(message, response, binding);
  if (answer.status === 413) binding.report('body');
  if (response.destroyed) return answer.onSent?.();
  // Does not wait for an unread body: its connection is closed after the reply.
  if (!binding.isListening() || (declaresBody(message) && !message.complete)) response.shouldKeepAlive = false;
  try {
    const stall = { limit: binding.limits.stall, onReached: () => binding.report('slow') };
    await sendReply({ ...answer, headers: { ...binding.headers?.(), ...headers } }, response, stall);
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
  binding: ServerBinding,
): Promise<OutgoingReply> {
  try {
    return await binding.handler(incomingRequest(message, response));
  } catch (error) {
    if (error instanceof RejectedRequest) return errorReply(error.status, error.message);
    if (!response.destroyed) binding.log?.error('request failed', { error });
    return errorReply(500, 'Internal error.');
  }
}

/** Returns the reply to a request that the listener itself rejects. */
export function errorReply(status: number, title: string): OutgoingReply {
  const headers = { ...securityHeaders, 'content-type': 'application/problem+json' };
  return { status, headers, body: JSON.stringify({ status, title }) };
}
