import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ClosedReason } from '../kernel/listener.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Millis } from '../kernel/time.ts';

/** Open connections of a server. When the server stops, it waits only for the answers in progress. */
export interface ConnectionTracker {
  /**
   * To be called for each request. Resolves when it may be answered, after the earlier requests of its connection, or when its
   * connection is closed because it has too many requests.
   */
  begin(message: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Reports a connection that is being closed because its client reached a limit. */
  report(reason: ClosedReason): void;
  /** Stops accepting, ends idle connections now, busy ones after their answer, the rest after `grace`. Idempotent. */
  close(grace: Millis): Promise<void>;
}

/** Maximum number of connections of a server, and the reports of connections that are closed at a limit. */
export interface ConnectionLimit {
  readonly max: () => number;
  /** Called for each connection that is closed at a limit. */
  readonly onClosed: (reason: ClosedReason) => void;
  readonly log: Logger;
}

interface Connection {
  /** Socket of the network. */
  readonly raw: Socket;
  /** Socket on which requests arrive: the TLS socket, or `raw` without TLS. */
  top: Socket;
  /** Number of requests without a complete answer. */
  requests: number;
  /** Resolves when the latest of them is answered. */
  latest: Promise<void>;
}

/** Maximum number of pipelined requests of one connection. The usual clients wait for each response. */
const maxPipelined = 10;

/** Limits at which node:http replies with an error and closes the connection, by error code. */
const requestErrors: Readonly<Record<string, ClosedReason>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'timeout',
  HPE_HEADER_OVERFLOW: 'headers',
};

/** Minimum time between two log lines about closed or failed connections for one reason. */
const quietPeriod: Millis = 60_000;

/** Tracks the connections of `server`; to be called before it listens. */
export function trackConnections(server: Server, limit?: ConnectionLimit): ConnectionTracker {
  const connections = new Connections(limit);
  let closing: Promise<void> | undefined;
  server.on('connection', (socket: Socket) => connections.add(socket));
  server.on('error', (error) => server.listening && connections.fail(error));
  server.on('secureConnection', (socket: Socket) => connections.secure(socket));

  async function close(grace: Millis): Promise<void> {
    const ended = new Promise<void>((resolve) => server.close(() => resolve()));
    connections.drain();
    const cut = setTimeout(() => connections.destroy(), grace);
    await ended;
    clearTimeout(cut);
  }

  return {
    begin: (message, response) => connections.begin(message, response),
    report: (reason) => connections.report(reason),
    close: (grace) => {
      closing ??= close(grace);
      return closing;
    },
  };
}

class Connections {
  readonly #limit: ConnectionLimit | undefined;
  /** In the order of their last activity, the longest inactive connection first. */
  readonly #open = new Set<Connection>();
  readonly #bySocket = new WeakMap<Socket, Connection>();
  /** Monotonic time at which a connection was last closed or failed, by reason. */
  readonly #happenedAt = new Map<ClosedReason | 'failed', Millis>();
  #isDraining = false;

  constructor(limit: ConnectionLimit | undefined) {
    this.#limit = limit;
  }

  add(raw: Socket): void {
    const connection: Connection = { raw, top: raw, requests: 0, latest: Promise.resolve() };
    this.#bySocket.set(raw, connection);
    this.#open.add(connection);
    raw.once('close', () => this.#open.delete(connection));
    this.#reportErrors(raw);
    const max = this.#limit?.max() ?? Number.POSITIVE_INFINITY;
    if (this.#open.size > max) this.#closeOne(max);
  }

  /** Assigns a TLS socket to the connection of the TCP socket below it, which has the same remote address and port. */
  secure(top: Socket): void {
    for (const connection of this.#open) {
      const { raw } = connection;
      if (raw.remotePort !== top.remotePort || raw.remoteAddress !== top.remoteAddress) continue;
      connection.top = top;
      this.#bySocket.set(top, connection);
    }
    this.#reportErrors(top);
  }

  report(reason: ClosedReason, limit?: number): void {
    if (this.#mayLog(reason)) this.#limit?.log.warn('connection limit reached', { reason, limit });
    this.#limit?.onClosed(reason);
  }

  #reportErrors(socket: Socket): void {
    socket.on('error', (error) => {
      const reason = requestErrors['code' in error ? String(error.code) : ''];
      if (reason !== undefined) this.report(reason);
    });
  }

  /** Logs that a connection was not accepted, for example because the process has no free file descriptor. */
  fail(error: Error): void {
    if (this.#mayLog('failed')) this.#limit?.log.warn('connection not accepted', { error });
  }

  async begin({ socket }: IncomingMessage, response: ServerResponse): Promise<void> {
    const connection = this.#bySocket.get(socket);
    if (connection === undefined || socket.destroyed) return undefined;
    if (connection.requests === maxPipelined) return this.#closeAt(maxPipelined, connection, 'pipelined');
    const earlier = connection.latest;
    connection.requests += 1;
    connection.latest = new Promise((resolve) => response.once('close', resolve)).then(() => this.#end(connection));
    this.#touch(connection);
    return earlier;
  }

  /** Ends idle connections now, and each other one after its answer. */
  drain(): void {
    this.#isDraining = true;
    for (const { requests, top } of this.#open) if (requests === 0) top.destroySoon();
  }

  destroy(): void {
    for (const { raw } of this.#open) raw.destroy();
  }

  #end(connection: Connection): void {
    connection.requests -= 1;
    this.#touch(connection);
    if (connection.requests === 0 && this.#isDraining) connection.top.destroySoon();
  }

  #touch(connection: Connection): void {
    if (this.#open.delete(connection)) this.#open.add(connection);
  }

  /** Closes the connection that was idle for the longest time; if none is, the one with the slowest answer. */
  #closeOne(max: number): void {
    const others = [...this.#open].slice(0, -1);
    const idle = others.find(({ requests }) => requests === 0);
    const chosen = idle ?? others[0];
    if (chosen !== undefined) this.#closeAt(max, chosen, idle === undefined ? 'busy' : 'idle');
  }

  #closeAt(limit: number, connection: Connection, reason: ClosedReason): void {
    this.#open.delete(connection);
    connection.top.destroy();
    connection.raw.destroy();
    this.report(reason, limit);
  }

  #mayLog(reason: ClosedReason | 'failed'): boolean {
    const now = performance.now();
    const before = this.#happenedAt.get(reason) ?? Number.NEGATIVE_INFINITY;
    this.#happenedAt.set(reason, now);
    return now - before >= quietPeriod;
  }
}
