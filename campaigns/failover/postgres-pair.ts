import { eventually } from '../../test/support/child.ts';
import { configure, type PostgresServer, promote, startPostgres, startStandby } from '../../test/support/postgres.ts';

const database = 'graphwarden';

/**
 * The time of each commit is recorded: a write counts when it takes effect, not when its statement runs. A replica connects to a
 * restarted primary at once: until then, no commit returns.
 */
const options = [
  'max_connections=80',
  'max_wal_senders=4',
  'track_commit_timestamp=on',
  'wal_retrieve_retry_interval=100ms',
];

/** Replicas connect from addresses of their own. */
const accessRules = 'host all all 127.0.0.0/8 trust\nhost replication all 127.0.0.1/32 trust\n';

/** PostgreSQL with a streaming replica. A commit is acknowledged when the replica has it, so a failover loses none. */
export class PostgresPair {
  #primary: PostgresServer;
  #standby: PostgresServer | undefined;

  static async start(): Promise<PostgresPair> {
    const primary = await startPostgres(options);
    await configure(primary, 'pg_hba.conf', accessRules);
    await primary.sql(`CREATE DATABASE ${database}`);
    return new PostgresPair(primary);
  }

  private constructor(primary: PostgresServer) {
    this.#primary = primary;
  }

  get port(): number {
    return this.#primary.port;
  }

  /** Executes statements on the primary, and returns the rows of the last one. */
  run(statements: string): ReturnType<PostgresServer['sql']> {
    return this.#primary.sql(statements, database);
  }

  /** Copies the primary to a new streaming replica, and waits until it is synchronous. */
  async addStandby(): Promise<void> {
    const primary = this.#primary;
    const standby = await startStandby(primary, options);
    await primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await primary.sql('SELECT pg_reload_conf()');
    await eventually('the standby is synchronous', async () => {
      const [row] = await primary.sql('SELECT sync_state FROM pg_stat_replication');
      return row?.sync_state === 'sync';
    });
    this.#standby = standby;
  }

  /** Stops the primary until {@link start}; `immediate` is a crash of the server. */
  stop(mode: 'fast' | 'immediate'): Promise<void> {
    return this.#primary.stop(mode);
  }

  start(): Promise<void> {
    return this.#primary.start();
  }

  /** Ends the primary like a crash and promotes the replica. Returns without a replica: {@link addStandby} adds the next. */
  async failOver(): Promise<void> {
    const standby = this.#standby;
    if (standby === undefined) throw new Error('there is no streaming replica');
    const failed = this.#primary;
    this.#standby = undefined;
    this.#primary = standby;
    await failed.stop('immediate');
    await promote(standby);
    // The copy has the setting of its origin, with which commits wait for a replica that is not there yet.
    await standby.sql('ALTER SYSTEM RESET synchronous_standby_names');
    await standby.sql('SELECT pg_reload_conf()');
    await failed.remove();
  }

  async close(): Promise<void> {
    await this.#standby?.remove();
    await this.#primary.remove();
  }
}
