import { Socket } from 'node:net';
import { Client, types } from 'pg';
import { SerialQueue } from '../../kernel/serial-queue.ts';
import type { ColumnValue } from '../../kernel/store.ts';
import type { Clock, Millis } from '../../kernel/time.ts';
import type { NodeTlsOptions } from '../tls-material.ts';
import { ConnectionLost, type DatabaseTarget, kindOfError } from './errors.ts';
import { schemaName } from './schema.ts';

/** Time in which a connection must be usable. */
const connectTimeout: Millis = 5000;

/** Timeout of a transaction, after which its connection is closed because the response may never arrive. */
const transactionTimeout: Millis = 8000;

/** Timeouts that PostgreSQL enforces for a statement and for a lock. */
const statementTimeout: Millis = 5000;
const lockTimeout: Millis = 3000;

/** Server of a database. */
export interface PostgresHost {
  readonly host: string;
  readonly port: number;
}

/** Credentials, read for each connection: files may change. */
export interface PostgresCredentials {
  readonly password?: string | undefined;
  /** Undefined for a connection without TLS. */
  readonly tls?: (NodeTlsOptions & { readonly servername?: string }) | undefined;
}

/** A database and how to connect to it. */
export interface PostgresSettings {
  /** Servers of one installation, of which one accepts writes. */
  readonly hosts: readonly PostgresHost[];
  readonly user: string;
  readonly database: string;
  /** Rejects with an error whose message is a sentence if a file cannot be read. */
  readonly credentials: () => Promise<PostgresCredentials>;
}

/** Row of a result; 64-bit integers are numbers. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** Runs a statement and returns its rows and the number of rows that it changed. */
export type RunSql = (
  sql: string,
  values?: readonly ColumnValue[],
) => Promise<{ readonly rows: readonly SqlRow[]; readonly changed: number }>;

/** Options of a transaction. */
export interface TransactionOptions {
  readonly isReadOnly?: boolean;
  /** Timeout of each statement, and of the idle time between two statements. */
  readonly statementTimeout?: Millis;
  /** Timeout of the whole transaction. */
  readonly totalTimeout?: Millis;
  /** Whether `search_path` stays unset, because the schema may not exist yet. */
  readonly withoutSchema?: boolean;
}

/** Types that the driver returns as texts, because a value may exceed the integers of a JavaScript number. Here they are numbers. */
const int8 = 20;
const numeric = 1700;
const parsers = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === int8 || oid === numeric ? Number : types.getTypeParser(oid, format),
};

interface OpenClient {
  readonly client: Client;
  readonly socket: Socket;
}

/**
 * Connection to the server that accepts writes; it is opened when it is needed, and again after it was lost. One transaction at a
 * time. It keeps no state of a session, so that a pooler in transaction mode may stand in between.
 */
export class PostgresConnection {
  readonly #settings: PostgresSettings;
  readonly #clock: Clock;
  readonly #turns = new SerialQueue();
  /** Index of the host that was last found to accept writes. */
  #hostIndex = 0;
  #open: OpenClient | undefined;
  #isClosed = false;

  constructor(settings: PostgresSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  get target(): DatabaseTarget {
    return targetOf(this.#settings);
  }

  /**
   * Runs work in a transaction, which an error rolls back. Rejects with the error of PostgreSQL or of the connection; after
   * an error of the connection the transaction may have been committed.
   */
  transaction<T>(work: (run: RunSql) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return this.#turns.run(() => this.#transact(work, options));
  }

  /** Ends the connection after the present transaction. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turns.idle();
    this.#drop();
  }

  async #transact<T>(work: (run: RunSql) => Promise<T>, options: TransactionOptions): Promise<T> {
    if (this.#isClosed) throw new ConnectionLost('the connection is closed');
    this.#open ??= await this.#connect();
    const open = this.#open;
    const ended = new AbortController();
    void this.#endLate(open, options.totalTimeout ?? transactionTimeout, ended.signal);
    try {
      return await inTransaction(runner(open.client), work, options);
    } catch (error) {
      // The connection is also dropped if only the transaction failed and its end is uncertain.
      if (open.socket.destroyed || !isServerError(error) || kindOfError(error) === 'connection') this.#drop();
      throw error;
    } finally {
      ended.abort();
    }
  }

  /** Closes a connection whose transaction exceeds its timeout. */
  async #endLate({ socket }: OpenClient, length: Millis, ended: AbortSignal): Promise<void> {
    await this.#clock.sleep(length, ended);
    if (!ended.aborted) socket.destroy(new ConnectionLost('PostgreSQL did not answer in time'));
  }

  #drop(): void {
    this.#open?.socket.destroy();
    this.#open = undefined;
  }

  /** Connects to the first host that accepts writes, starting with the last one that did. */
  async #connect(): Promise<OpenClient> {
    const { hosts } = this.#settings;
    let failure: unknown = new ConnectionLost('no host is configured');
    for (let tried = 0; tried < hosts.length; tried += 1) {
      const index = (this.#hostIndex + tried) % hosts.length;
      const host = hosts[index];
      if (host === undefined) break;
      try {
        const open = await this.#connectTo(host);
        this.#hostIndex = index;
        return open;
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  async #connectTo({ host, port }: PostgresHost): Promise<OpenClient> {
    const { user, database, credentials } = this.#settings;
    const { password, tls } = await credentials();
    const socket = new Socket();
    const client = new Client({
      host,
      port,
      user,
      database,
      // Without a password, the driver would read `PGPASSWORD` and `.pgpass`, which are for other programs.
      password: password ?? '',
      ssl: tls ?? false,
      stream: () => socket,
      types: parsers,
      application_name: 'graphwarden',
      connectionTimeoutMillis: connectTimeout,
      keepAlive: true,
    });
    // Without a listener, an error between two transactions would end the process. The next transaction finds the socket closed.
    client.on('error', () => socket.destroy());
    try {
      await client.connect();
      await refuseStandby(runner(client));
      return { client, socket };
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }
}

/** Returns user, database and hosts of a connection, for messages. */
export function targetOf({ hosts, user, database }: PostgresSettings): DatabaseTarget {
  return { user, database, hosts: hosts.map(({ host, port }) => `${host}:${port}`).join(', ') };
}

async function refuseStandby(run: RunSql): Promise<void> {
  const { rows } = await run("SELECT current_setting('transaction_read_only') AS read_only");
  if (rows[0]?.read_only === 'on') {
    throw Object.assign(new Error('the server is a read-only standby'), { code: '25006' });
  }
}

function runner(client: Client): RunSql {
  return async (sql, values) => {
    const result = await client.query(sql, values === undefined ? undefined : [...values]);
    return { rows: result.rows, changed: result.rowCount ?? 0 };
  };
}

async function inTransaction<T>(
  run: RunSql,
  work: (run: RunSql) => Promise<T>,
  { isReadOnly = false, statementTimeout: timeout = statementTimeout, withoutSchema = false }: TransactionOptions,
): Promise<T> {
  const path = withoutSchema ? '' : `SET LOCAL search_path = ${schemaName}; `;
  // A process that stops within a transaction must not keep its locks: no other replica could take its leases.
  const limits = [
    `SET LOCAL statement_timeout = ${timeout}`,
    `SET LOCAL lock_timeout = ${Math.min(timeout, lockTimeout)}`,
    `SET LOCAL idle_in_transaction_session_timeout = ${timeout}`,
  ].join('; ');
  await run(`BEGIN${isReadOnly ? ' READ ONLY' : ''}; ${path}${limits}${isReadOnly ? '' : `; ${durableCommit}`}`);
  try {
    const result = await work(run);
    await run('COMMIT');
    return result;
  } catch (error) {
    // If this fails too, the connection is lost, which the first error does not always show.
    await run('ROLLBACK');
    throw error;
  }
}

/** Makes a commit wait until it is on disk, also if `synchronous_commit` is off by default. */
const durableCommit = `SELECT set_config('synchronous_commit', 'local', TRUE) WHERE current_setting('synchronous_commit') = 'off'`;

function isServerError(error: unknown): boolean {
  return error instanceof Error && 'severity' in error;
}
