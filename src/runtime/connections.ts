import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ClosedReason } from '../kernel/listener.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Millis } from '../kernel/time.ts';

/** The open connections of a server, so that stopping it waits for answers under way and for nothing else. */
export interface ConnectionTracker {
  /** Stops accepting, ends idle connections now, busy ones after their answer, the rest after `grace`. Idempotent. */
  close(grace: Millis): Promise<void>;
}

/** Limit of the connections of a server. */
export interface ConnectionLimit {
  readonly max: () => number;
  /** Called for each connection that is closed because of the limit. */
  readonly onClosed: (reason: ClosedReason) => void;
  readonly log: Logger;
}

interface Connection {
  /** Socket of the network. */
  readonly raw: Socket;
  /** Socket that requests arrive on: over TLS another one. */
  top: Socket;
  /** Requests that are being answered. */
  answering: number;
}

/** Closed connections that are at least this far apart are logged as separate events. */
const quietPeriod: Millis = 60_000;

/** Tracks the connections of `server`; to be called before it listens. */
export function trackConnections(server: Server, limit?: ConnectionLimit): ConnectionTracker {
  const connections = new Connections(limit);
  let closing: Promise<void> | undefined;
  server.on('connection', (socket: Socket) => connections.add(socket));
  server.on('secureConnection', (socket: Socket) => connections.secure(socket));
  server.on('request', ({ socket }, response) => {
    const done = connections.answer(socket);
    response.once('close', done);
  });

  async function close(grace: Millis): Promise<void> {
    const ended = new Promise<void>((resolve) => server.close(() => resolve()));
    connections.drain();
    const cut = setTimeout(() => connections.destroy(), grace);
    await ended;
    clearTimeout(cut);
  }

  return {
    close: (grace) => {
      closing ??= close(grace);
      return closing;
    },
  };
}

class Connections {
  readonly #limit: ConnectionLimit | undefined;
  /** The one that has been inactive for the longest time first. */
  readonly #open = new Set<Connection>();
  readonly #bySocket = new WeakMap<Socket, Connection>();
  #isDraining = false;
  #closedAt = Number.NEGATIVE_INFINITY;

  constructor(limit: ConnectionLimit | undefined) {
    this.#limit = limit;
  }

  add(raw: Socket): void {
    const connection: Connection = { raw, top: raw, answering: 0 };
    this.#bySocket.set(raw, connection);
    this.#open.add(connection);
    raw.once('close', () => this.#open.delete(connection));
    const { max = () => Infinity } = this.#limit ?? {};
    if (this.#open.size > max()) this.#closeOne();
  }

  /** The socket of TLS has the same remote port as the one below it. */
  secure(top: Socket): void {
    for (const connection of this.#open) {
      const { raw } = connection;
      if (raw.remotePort !== top.remotePort || raw.remoteAddress !== top.remoteAddress) continue;
      connection.top = top;
      this.#bySocket.set(top, connection);
    }
  }

  /** Returns the function that ends the answer. */
  answer(socket: Socket): () => void {
    const connection = this.#bySocket.get(socket);
    if (connection === undefined) return () => undefined;
    connection.answering += 1;
    this.#touch(connection);
    return () => {
      connection.answering -= 1;
      this.#touch(connection);
      if (connection.answering === 0 && this.#isDraining) connection.top.destroySoon();
    };
  }

  /** Ends idle connections now, and each other one after its answer. */
  drain(): void {
    this.#isDraining = true;
    for (const { answering, top } of this.#open) if (answering === 0) top.destroySoon();
  }

  destroy(): void {
    for (const { raw } of this.#open) raw.destroy();
  }

  #touch(connection: Connection): void {
    if (this.#open.delete(connection)) this.#open.add(connection);
  }

  /** Closes the connection that was idle for the longest time; if none is, the one with the slowest answer. */
  #closeOne(): void {
    const others = [...this.#open].slice(0, -1);
    const idle = others.find(({ answering }) => answering === 0);
    const chosen = idle ?? others[0];
    if (chosen === undefined) return;
    this.#open.delete(chosen);
    chosen.raw.destroy();
    this.#report(idle === undefined ? 'busy' : 'idle');
  }

  #report(reason: ClosedReason): void {
    const now = performance.now();
    const isNews = now - this.#closedAt >= quietPeriod;
    this.#closedAt = now;
    if (isNews) this.#limit?.log.warn('connection limit reached', { reason, limit: this.#limit.max() });
    this.#limit?.onClosed(reason);
  }
}
