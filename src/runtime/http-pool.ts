import * as dns from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import { type buildConnector, Client, Pool } from 'undici';
import { failure } from '../kernel/failure.ts';
import type { HttpFailure, HttpPool, HttpRequest, OpenHttpPool, TlsMaterial } from '../kernel/http.ts';
import { err, ok } from '../kernel/result.ts';
import { BodyBufferPool } from './body-buffer.ts';
import { type Connector, createConnector } from './http-connector.ts';
import { timeoutFailure } from './http-failure.ts';
import { createProxyDispatcher } from './http-proxy.ts';
import {
  type HttpOutcome,
  type HttpTransport,
  raceWithAbort,
  sendRequest,
  transportOptions,
} from './http-transport.ts';
import { PinnedAddress, peerOf, UnexpectedPeer } from './pinned-address.ts';
import { createSemaphore } from './semaphore.ts';

/**
 * The pool over undici: HTTP/1.1, keep-alive, one request per connection at a time. Waiting for a free
 * connection counts within the caller's own deadline.
 */
export const openHttpPool: OpenHttpPool = (options) => {
  if (options.oneAddress === true) return openPinnedPool(options, dns.lookup);
  const wire = { ...openTransport(options), buffers: new BodyBufferPool() };
  const { dispatcher, connector } = wire;
  const semaphore = createSemaphore(options.sockets);
  return {
    async request(request, signal) {
      const { urgent = false, restrictTo } = request;
      if (restrictTo !== undefined)
        return err({ ...failure('unreachable', 'the address of the server is unknown'), unsent: true });
      if (!(await semaphore.acquire(urgent, signal))) return err(timeoutFailure());
      const reply = sendRequest(wire, request, signal);
      void reply.then(() => semaphore.release(urgent));
      return await raceWithAbort(reply, timeoutFailure, signal);
    },
    sockets: () => connector.open(),
    close: () => dispatcher.destroy(),
  };
};

function openTransport({ origin, sockets: connections, tls = {}, proxy }: Parameters<OpenHttpPool>[0]) {
  if (proxy !== undefined) return { origin, ...createProxyDispatcher({ origin, proxy, tls, connections }) };
  const connector = createConnector(tls);
  return {
    origin,
    connector,
    dispatcher: new Pool(origin, { ...transportOptions, connections, connect: connector.connect }),
  };
}

/**
 * Pool of connections that all lead to one address. Each connection has its own client, because undici's pool does not
 * report which connection a request takes, or whether it got one.
 */
export function openPinnedPool(options: Parameters<OpenHttpPool>[0], lookup: LookupFunction): HttpPool {
  const { origin, sockets, tls = {} } = options;
  const shared = { origin, tls, address: new PinnedAddress(lookup), buffers: new BodyBufferPool() };
  const connections = Array.from({ length: sockets }, () => new PinnedConnection(shared));
  const semaphore = createSemaphore(sockets);

  /** Calls `taken` with the connection that carries the request. */
  async function pass(
    request: HttpRequest,
    taken: (connection: PinnedConnection) => void,
    signal: AbortSignal,
  ): Promise<HttpOutcome> {
    const { urgent = false } = request;
    if (!(await semaphore.acquire(urgent, signal))) return err(unsentFailure());
    const connection = selectConnection(connections);
    connection.isBusy = true;
    const reply = connection.send(request, signal);
    taken(connection);
    void reply.finally(() => {
      connection.isBusy = false;
      semaphore.release(urgent);
    });
    return await raceWithAbort(reply, () => (connection.wasConnected ? timeoutFailure() : unsentFailure()), signal);
  }

  return {
    async request(request, signal) {
      const { connectTimeout } = request;
      if (connectTimeout === undefined) return await pass(request, () => undefined, signal);
      let connection: PinnedConnection | undefined;
      const late = new AbortController();
      const timer = setTimeout(() => {
        if (connection?.wasConnected !== true) late.abort();
      }, connectTimeout);
      const take = (taken: PinnedConnection): void => {
        connection = taken;
      };
      const reply = pass(request, take, AbortSignal.any([signal, late.signal]));
      return await reply.finally(() => clearTimeout(timer));
    },
    sockets: () => connections.reduce((sum, { connector }) => sum + connector.open(), 0),
    async close() {
      await Promise.all(connections.map(({ dispatcher }) => dispatcher.destroy()));
    },
  };
}

/** Nothing goes over a connection that comes about after its request was given up. */
function unsentFailure(): HttpFailure {
  return { ...timeoutFailure(), unsent: true };
}

/** A kept connection is warm: it goes before one that has to be opened. */
function selectConnection(connections: readonly PinnedConnection[]): PinnedConnection {
  const free = connections.filter(({ isBusy }) => !isBusy);
  const connection = free.find((one) => one.isOpen()) ?? free[0];
  if (connection === undefined) throw new Error('more requests than connections');
  return connection;
}

/** Options of a connection; all connections of a pool share the address and the semaphore. */
export interface PinnedConnectionOptions {
  readonly origin: string;
  readonly tls: TlsMaterial;
  readonly address: PinnedAddress;
  readonly buffers: BodyBufferPool;
}

/** Single connection with a known peer, opened when it is needed. It carries one request at a time. */
export class PinnedConnection implements HttpTransport {
  readonly origin: string;
  readonly dispatcher: Client;
  readonly connector: Connector;
  readonly buffers: BodyBufferPool;
  isBusy = false;
  /** Whether the request under way has had a connection to leave by: as long as it has not, it can be given up. */
  wasConnected = false;
  readonly #address: PinnedAddress;
  #socket: Socket | undefined;
  /** Of the newest connection. */
  #peer = '';
  #onlyAddress: string | undefined;
  #connectAttemptsLeft = 0;

  constructor({ origin, tls, address, buffers }: PinnedConnectionOptions) {
    this.origin = origin;
    this.buffers = buffers;
    this.#address = address;
    this.connector = createConnector(
      tls,
      address.lookupFor(() => this.#onlyAddress),
    );
    const connect: buildConnector.connector = (options, done) =>
      address.enqueue((over) => {
        this.#connect(options, (...result) => {
          over();
          done(...result);
        });
      });
    this.dispatcher = new Client(origin, { ...transportOptions, connect });
  }

  /** Whether its connection is kept. */
  isOpen(): boolean {
    return this.#socket?.destroyed === false;
  }

  /** Sends a request. What says `once` gets one connection and no other, so that nothing below can send it twice. */
  async send(request: HttpRequest, signal: AbortSignal): Promise<HttpOutcome> {
    this.wasConnected = this.isOpen();
    this.#onlyAddress = request.restrictTo?.peer;
    if (this.wasConnected && !this.#isExpectedPeer(this.#peer)) {
      return err({ ...failure('unreachable', 'the connection leads to another address'), unsent: true });
    }
    this.#connectAttemptsLeft = request.sendOnce === true ? Number(!this.wasConnected) : Number.POSITIVE_INFINITY;
    const reply = await sendRequest(this, request, signal);
    if (reply.ok) return ok({ ...reply.value, peer: this.#peer });
    return this.wasConnected ? reply : err({ ...reply.error, unsent: true });
  }

  #isExpectedPeer(peer: string): boolean {
    return this.#onlyAddress === undefined || this.#onlyAddress === peer;
  }

  #connect(options: buildConnector.Options, done: buildConnector.Callback): void {
    if (this.#connectAttemptsLeft === 0) {
      done(new UnexpectedPeer('CLOSED_MEANWHILE'), null);
      return;
    }
    this.#connectAttemptsLeft -= 1;
    const arrived: buildConnector.Callback = (...result) => {
      const [, socket] = result;
      if (socket === null || this.#accept(socket)) done(...result);
      else done(new UnexpectedPeer('ELSEWHERE'), null);
    };
    try {
      this.connector.connect(options, arrived);
    } catch (error) {
      // Where a certificate cannot be parsed, TLS does not even begin.
      done(error instanceof Error ? error : new Error('the connection cannot be opened'), null);
    }
  }

  #accept(socket: Socket): boolean {
    const peer = peerOf(socket);
    if (!this.#isExpectedPeer(peer) || !this.#address.matches(peer)) {
      socket.destroy();
      return false;
    }
    this.#address.retain(socket);
    this.#socket = socket;
    this.#peer = peer;
    this.wasConnected = true;
    return true;
  }
}
