import { randomUUID } from 'node:crypto';
import * as dns from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import { type buildConnector, Client, Pool } from 'undici';
import { failure } from '../kernel/failure.ts';
import type { BoundRequest, HttpFailure, HttpPool, HttpRequest, OpenHttpPool, TlsMaterial } from '../kernel/http.ts';
import { err, ok } from '../kernel/result.ts';
import { SerialQueue } from '../kernel/serial-queue.ts';
import type { Millis } from '../kernel/time.ts';
import { BodyBuffers } from './body-buffer.ts';
import { type Connector, createConnector } from './http-connector.ts';
import { timeoutFailure } from './http-failure.ts';
import { createProxyDispatcher } from './http-proxy.ts';
import { RequestProgress } from './http-reply.ts';
import {
  type HttpOutcome,
  type HttpTransport,
  raceWithAbort,
  sendRequest,
  type TrackedRequest,
  transportOptions,
} from './http-transport.ts';
import { PinnedAddress, peerOf, RejectedConnection } from './pinned-address.ts';
import { MemoryBudget } from './reply-memory.ts';
import { createSemaphore } from './semaphore.ts';

type PoolOptions = Parameters<OpenHttpPool>[0];

/**
 * The pool over undici: HTTP/1.1, keep-alive, one request per connection at a time. Waiting for a free
 * connection counts within the caller's own deadline.
 */
export function openHttpPool(options: PoolOptions, memory = new MemoryBudget()): HttpPool {
  if (options.oneAddress === true) return openPinnedPool(options, dns.lookup, memory);
  const { origin } = options;
  const transport = { ...openTransport(options), buffers: new BodyBuffers(memory, { origin, isForGuard: false }) };
  const { dispatcher, connector } = transport;
  const semaphore = createSemaphore(options.sockets);
  return {
    async request(request, signal) {
      const { urgent = false, bound } = request;
      if (bound !== undefined)
        return err({ ...failure('unreachable', 'the node has no connections for aborts'), unsent: true });
      const requestedAt = performance.now();
      const isFree = await semaphore.acquire(urgent, signal);
      const queued = performance.now() - requestedAt;
      if (!isFree) return withQueueTime(err(timeoutFailure()), queued);
      const progress = new RequestProgress();
      const reply = sendRequest(transport, { ...request, progress }, signal);
      void reply.then(() => semaphore.release(urgent));
      return withQueueTime(await raceWithAbort(reply, () => progress.timeout(), signal), queued);
    },
    sockets: () => connector.open(),
    close: () => dispatcher.destroy(),
  };
}

function openTransport({ origin, sockets: connections, tls = {}, proxy, socketPath }: PoolOptions) {
  if (proxy !== undefined) return { origin, ...createProxyDispatcher({ origin, proxy, tls, connections }) };
  const connector = createConnector(tls, socketPath === undefined ? {} : { socketPath });
  return {
    origin,
    connector,
    dispatcher: new Pool(origin, { ...transportOptions, connections, connect: connector.connect }),
  };
}

/**
 * Pool of connections that all lead to one address. Each connection has its own client, because undici's pool does not
 * report which connection a request takes. One request at a time may be bound to a connection; the others share the rest,
 * so that neither waits for the other.
 */
export function openPinnedPool(options: PoolOptions, lookup: LookupFunction, memory = new MemoryBudget()): HttpPool {
  const { origin, sockets, tls = {} } = options;
  const buffers = new BodyBuffers(memory, { origin, isForGuard: true });
  const shared = { origin, tls, address: new PinnedAddress(lookup), buffers };
  const connections = Array.from({ length: sockets }, () => new PinnedConnection(shared));
  const semaphores = { free: createSemaphore(Math.max(1, sockets - 1)), bound: createSemaphore(1) };
  let latest: PinnedConnection | undefined;

  async function sendShared(request: HttpRequest, signal: AbortSignal): Promise<HttpOutcome> {
    const { urgent = false } = request;
    const requestedAt = performance.now();
    const isFree = await semaphores.free.acquire(urgent, signal);
    const queued = performance.now() - requestedAt;
    if (!isFree) return withQueueTime(err(timeoutFailure()), queued);
    latest = selectConnection(connections, latest);
    const progress = new RequestProgress();
    const reply = latest.send({ ...request, progress }, signal);
    void reply.finally(() => semaphores.free.release(urgent));
    return withQueueTime(await raceWithAbort(reply, () => progress.timeout(), signal), queued);
  }

  /** Sends a request over its bound connection, after other requests on it. The wait ends when `signal` aborts. */
  async function sendBound(request: HttpRequest, bound: BoundRequest, signal: AbortSignal): Promise<HttpOutcome> {
    if (!(await semaphores.bound.acquire(false, signal))) return err(unsentFailure());
    let wasWritten = false;
    const mayWrite = (): boolean => {
      wasWritten = bound.mayWrite();
      return wasWritten;
    };
    const connection = connections.find(({ id }) => id === bound.connection);
    const reply =
      connection === undefined ? Promise.resolve(lostConnection()) : connection.sendBound(request, mayWrite, signal);
    void reply.finally(() => semaphores.bound.release(false));
    return await raceWithAbort(reply, () => (wasWritten ? timeoutFailure() : unsentFailure()), signal);
  }

  return {
    request(request, signal) {
      const { bound } = request;
      return bound === undefined ? sendShared(request, signal) : sendBound(request, bound, signal);
    },
    sockets: () => connections.reduce((sum, { connector }) => sum + connector.open(), 0),
    async close() {
      await Promise.all(connections.map(({ dispatcher }) => dispatcher.destroy()));
    },
  };
}

/** Adds the time for which a request waited for a connection, in whole milliseconds. */
function withQueueTime(outcome: HttpOutcome, waited: Millis): HttpOutcome {
  const queued = Math.floor(waited);
  if (queued === 0) return outcome;
  return outcome.ok ? ok({ ...outcome.value, queued }) : err({ ...outcome.error, queued });
}

/** Returns the failure of a request that was aborted before any of it was written. */
function unsentFailure(): HttpFailure {
  return { ...timeoutFailure(), unsent: true };
}

function lostConnection(): HttpOutcome {
  return err({
    ...failure('unreachable', 'the connection on which the process list was received is closed'),
    unsent: true,
  });
}

/** Selects a free connection other than the latest one, so that a hanging request does not occupy the connection of the last list. */
function selectConnection(
  connections: readonly PinnedConnection[],
  latest: PinnedConnection | undefined,
): PinnedConnection {
  const free = connections.filter(({ isBusy }) => !isBusy);
  const connection = free.find((one) => one !== latest) ?? free[0];
  if (connection === undefined) throw new Error('more requests than connections');
  return connection;
}

/** The keep-alive hint of the server takes precedence; a connection that was closed while idle is opened again. */
const keepAliveTimeout: Millis = 60_000;

/** Options of a connection; all connections of a pool share the address and the buffers. */
export interface PinnedConnectionOptions {
  readonly origin: string;
  readonly tls: TlsMaterial;
  readonly address: PinnedAddress;
  readonly buffers: BodyBuffers;
}

/** Single connection with a known peer, opened when it is needed. It carries one request at a time. */
export class PinnedConnection implements HttpTransport {
  readonly origin: string;
  readonly dispatcher: Client;
  readonly connector: Connector;
  readonly buffers: BodyBuffers;
  readonly #address: PinnedAddress;
  readonly #queue = new SerialQueue();
  #pending = 0;
  #socket: Socket | undefined;
  /** Peer of the newest socket. */
  #peer = '';
  #id = '';
  #mayConnect = true;
  /** Last check of a bound request that is not written yet. */
  #lastCheck: (() => boolean) | undefined;

  constructor({ origin, tls, address, buffers }: PinnedConnectionOptions) {
    this.origin = origin;
    this.buffers = buffers;
    this.#address = address;
    this.connector = createConnector(tls, { lookup: address.lookup });
    const connect: buildConnector.connector = (options, done) =>
      address.enqueue((over) => {
        this.#connect(options, (...result) => {
          over();
          done(...result);
        });
      });
    this.dispatcher = new Client(origin, { ...transportOptions, connect, keepAliveTimeout });
  }

  /** Whether a request uses the connection or waits for it. */
  get isBusy(): boolean {
    return this.#pending > 0;
  }

  /** Identifies the newest socket. */
  get id(): string {
    return this.#id;
  }

  /** Whether its socket can be used. */
  isOpen(): boolean {
    const socket = this.#socket;
    return socket !== undefined && !socket.destroyed && socket.writable && !socket.readableEnded;
  }

  /** Sends a request, over a new socket if there is none. */
  send(request: TrackedRequest, signal: AbortSignal): Promise<HttpOutcome> {
    return this.#sendInOrder(() => {
      this.#mayConnect = true;
      return sendRequest(this, request, signal);
    });
  }

  /**
   * Sends a request over the open socket, in the turn of the event loop in which `mayWrite` returns true; it opens no other
   * socket. undici waits for a turn before it uses an idle socket again, so `mayWrite` is called when the socket writes.
   */
  sendBound(request: HttpRequest, mayWrite: () => boolean, signal: AbortSignal): Promise<HttpOutcome> {
    return this.#sendInOrder(async () => {
      if (!this.isOpen() || request.bound?.connection !== this.#id) return lostConnection();
      let wasWritten = false;
      this.#lastCheck = () => {
        wasWritten = !signal.aborted && mayWrite();
        return wasWritten;
      };
      this.#mayConnect = false;
      const reply = await sendRequest(this, request, signal);
      this.#lastCheck = undefined;
      return reply.ok || wasWritten ? reply : lostConnection();
    });
  }

  async #sendInOrder(work: () => Promise<HttpOutcome> | HttpOutcome): Promise<HttpOutcome> {
    this.#pending += 1;
    const reply = await this.#queue.run(work);
    this.#pending -= 1;
    if (!reply.ok) return reply;
    const closes = /\bclose\b/i.test(reply.value.headers.connection ?? '');
    return ok({ ...reply.value, peer: this.#peer, ...(!closes && { connection: this.#id }) });
  }

  #connect(options: buildConnector.Options, done: buildConnector.Callback): void {
    if (!this.#mayConnect) {
      done(new RejectedConnection('CLOSED_BEFORE_REQUEST'), null);
      return;
    }
    const arrived: buildConnector.Callback = (...result) => {
      const [, socket] = result;
      if (socket === null || this.#accept(socket)) done(...result);
      else done(new RejectedConnection('UNEXPECTED_ADDRESS'), null);
    };
    try {
      this.connector.connect(options, arrived);
    } catch (error) {
      // Without a valid certificate, TLS does not start.
      done(error instanceof Error ? error : new Error('the connection cannot be opened'), null);
    }
  }

  /** Makes the first write of a bound request depend on its last check: the socket is closed if the request may not be written. */
  #checkFirstWrite(socket: Socket): void {
    const write = socket.write.bind(socket);
    const writeIfAllowed = (...given: Parameters<typeof write>): boolean => {
      const mayWrite = this.#lastCheck;
      this.#lastCheck = undefined;
      if (mayWrite === undefined || mayWrite()) return write(...given);
      socket.destroy();
      return false;
    };
    Object.defineProperty(socket, 'write', { value: writeIfAllowed, writable: true, configurable: true });
  }

  #accept(socket: Socket): boolean {
    const peer = peerOf(socket);
    if (!this.#address.matches(peer)) {
      socket.destroy();
      return false;
    }
    this.#address.retain(socket);
    this.#checkFirstWrite(socket);
    this.#socket = socket;
    this.#peer = peer;
    this.#id = randomUUID();
    return true;
  }
}
