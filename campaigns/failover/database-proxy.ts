import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Millis } from '../../src/kernel/time.ts';

/** Handling of received bytes by a proxy. */
export type ProxyMode =
  | 'forward'
  /** Keeps all bytes, as a network partition does, until the mode changes. */
  | 'hold'
  /** Refuses connections and closes the present ones. */
  | 'cut';

/**
 * Phase of a statement, or of the commit of its transaction: before the server gets it, or after the server executed it and
 * before the client knows.
 */
export type StatementPhase = 'request' | 'reply' | 'commit request' | 'commit reply';

interface StatementTrap {
  readonly text: string;
  readonly phase: StatementPhase;
  readonly onHit: () => void;
}

interface ProxiedConnection {
  readonly client: Socket;
  readonly server: Socket;
  /** Trap whose statement this connection sent, and whose commit is still to come. */
  uncommitted: StatementTrap | undefined;
  /** Trap that the next reply of the server triggers. */
  trapped: StatementTrap | undefined;
  losesReply: boolean;
}

const writes = /\b(?:COMMIT|INSERT|UPDATE|DELETE)\b/i;
const host = '127.0.0.1';

/** TCP proxy between one replica and the database: it delays, holds, cuts, and loses replies to writes. */
export class DatabaseProxy {
  readonly #from: string;
  readonly #connections = new Set<ProxiedConnection>();
  readonly #listener: Server;
  #target: number;
  #mode: ProxyMode = 'forward';
  #onModeChange: (() => void)[] = [];
  #trap: StatementTrap | undefined;
  /** Delay of each packet in each direction. */
  delay: Millis = 0;
  /** Number of replies to writes that are lost from now on, with their connections. */
  repliesToLose = 0;

  /** Opens a proxy whose connections to the database come from the address `from`, by which the database knows the replica. */
  static async open(target: number, from: string): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(target, from);
    await new Promise<void>((resolve) => {
      proxy.#listener.listen(0, host, resolve);
    });
    return proxy;
  }

  private constructor(target: number, from: string) {
    this.#target = target;
    this.#from = from;
    this.#listener = createServer((client) => this.#accept(client));
  }

  get port(): number {
    const address = this.#listener.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy is closed');
    return address.port;
  }

  /** Forwards new connections to another server, and closes the present ones. */
  retarget(target: number): void {
    this.#target = target;
    this.#closeAll();
  }

  setMode(mode: ProxyMode): void {
    this.#mode = mode;
    if (mode === 'cut') this.#closeAll();
    const waiting = this.#onModeChange;
    this.#onModeChange = [];
    for (const resume of waiting) resume();
  }

  /** Calls `onHit` once, at the next statement that contains a text. */
  trap(text: string, phase: StatementPhase, onHit: () => void): void {
    this.#trap = { text, phase, onHit };
  }

  removeTrap(): void {
    this.#trap = undefined;
  }

  async close(): Promise<void> {
    this.#closeAll();
    await new Promise((resolve) => {
      this.#listener.close(resolve);
    });
  }

  #closeAll(): void {
    for (const { client, server } of this.#connections) {
      client.destroy();
      server.destroy();
    }
    this.#connections.clear();
  }

  #accept(client: Socket): void {
    if (this.#mode === 'cut') return void client.destroy();
    const server = connect({ port: this.#target, host, localAddress: this.#from });
    const connection: ProxiedConnection = {
      client,
      server,
      uncommitted: undefined,
      trapped: undefined,
      losesReply: false,
    };
    this.#connections.add(connection);
    const end = async (): Promise<void> => {
      // During a partition, neither side learns that the other one is gone.
      while (this.#mode === 'hold') await this.#modeChange();
      client.destroy();
      server.destroy();
      this.#connections.delete(connection);
    };
    for (const socket of [client, server])
      socket
        .setNoDelay(true)
        .on('error', () => void end())
        .on('close', () => void end());
    this.#pump(client, server, (chunk) => this.#onStatement(connection, chunk));
    this.#pump(server, client, () => this.#onReply(connection));
  }

  /** Forwards chunks in order. `inspect` returns false to discard a chunk. */
  #pump(from: Socket, to: Socket, inspect: (chunk: Buffer) => boolean): void {
    let last = Promise.resolve();
    from.on('data', (chunk: Buffer) => {
      const at = performance.now() + this.delay;
      const forward = async (): Promise<void> => {
        const wait = at - performance.now();
        if (wait > 0) await pause(wait);
        const isForwarded = inspect(chunk);
        while (this.#mode === 'hold' && !to.destroyed) await this.#modeChange();
        if (isForwarded && !to.destroyed) to.write(chunk);
      };
      last = last.then(forward);
    });
  }

  #modeChange(): Promise<void> {
    return new Promise((resolve) => {
      this.#onModeChange.push(resolve);
    });
  }

  #onStatement(connection: ProxiedConnection, chunk: Buffer): boolean {
    const trap = this.#trap;
    const isLost = this.repliesToLose > 0;
    if (trap === undefined && !isLost) return true;
    const text = chunk.toString('latin1');
    if (isLost && writes.test(text)) {
      this.repliesToLose -= 1;
      connection.losesReply = true;
    }
    if (trap !== undefined) this.#spring(trap, connection, text);
    return true;
  }

  #spring(trap: StatementTrap, connection: ProxiedConnection, text: string): void {
    const isStatement = text.includes(trap.text);
    const isCommit = connection.uncommitted === trap && text.includes('COMMIT');
    if (isStatement) connection.uncommitted = trap;
    if (trap.phase.startsWith('commit') ? !isCommit : !isStatement) return;
    if (trap.phase.endsWith('request')) this.#hit(trap);
    else connection.trapped = trap;
  }

  #onReply(connection: ProxiedConnection): boolean {
    if (connection.trapped !== undefined && connection.trapped === this.#trap) this.#hit(connection.trapped);
    connection.trapped = undefined;
    if (!connection.losesReply) return true;
    connection.client.destroy();
    connection.server.destroy();
    return false;
  }

  #hit(trap: StatementTrap): void {
    this.#trap = undefined;
    trap.onHit();
  }
}
