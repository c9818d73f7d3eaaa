import { randomBytes } from 'node:crypto';
import type { ReplicaRegistration } from '../../kernel/ownership.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { SqlRow } from './connection.ts';
import type { GrantedLease } from './held-leases.ts';
import type { LeaseDatabase, LeaseRow, LeaseSnapshot, TakenLease } from './lease-database.ts';
import {
  createKeyStatement,
  leaveStatement,
  readLeasesStatement,
  readReplicasStatement,
  releaseStatement,
  renewStatement,
  takeStatement,
} from './lease-statements.ts';

/** Separate connection, so that leases never wait for other work. Errors are sentences. */
export interface LeaseConnection {
  /** Runs one statement as one transaction, within a few seconds. */
  query(sql: string, values: readonly string[]): Promise<Result<readonly SqlRow[], string>>;
  close(): Promise<void>;
}

/** Leases in PostgreSQL, of the replica `id`. */
export class PostgresLeases implements LeaseDatabase {
  readonly #id: string;
  readonly #connection: LeaseConnection;

  constructor(id: string, connection: LeaseConnection) {
    this.#id = id;
    this.#connection = connection;
  }

  async renew(
    { name, url, version, configHash, settingsHash, fingerprint }: ReplicaRegistration,
    leases: readonly GrantedLease[],
  ): Promise<Result<readonly GrantedLease[], string>> {
    const certificate = (await fingerprint?.()) ?? '';
    const hashes = `${configHash} ${settingsHash}`;
    const values = [this.#id, name, url, version, hashes, toJson(leases), certificate];
    const renewed = await this.#connection.query(renewStatement, values);
    return renewed.ok ? ok(renewed.value.map(toGrantedLease)) : renewed;
  }

  async read(): Promise<Result<LeaseSnapshot, string>> {
    const [leases, replicas] = [
      await this.#connection.query(readLeasesStatement, []),
      await this.#connection.query(readReplicasStatement, []),
    ];
    if (!leases.ok) return leases;
    if (!replicas.ok) return replicas;
    const [first] = replicas.value;
    if (first === undefined) return err('this replica is not registered yet');
    if (first.peer_key === null) await this.#createKey();
    return ok({
      leases: leases.value.map(toLeaseRow),
      replicas: replicas.value.map(toReplica),
      peerKey: textOrNone(first.peer_key),
      sharedRows: String(first.shared_rows),
      now: Number(first.now),
    });
  }

  /** The next read returns the key, which another replica may have created at the same time. */
  async #createKey(): Promise<void> {
    await this.#connection.query(createKeyStatement, [randomBytes(32).toString('hex')]);
  }

  async take(clusters: readonly string[]): Promise<Result<readonly TakenLease[], string>> {
    const taken = await this.#connection.query(takeStatement, [this.#id, JSON.stringify(clusters)]);
    if (!taken.ok) return taken;
    return ok(taken.value.map((row) => ({ ...toGrantedLease(row), isTakenOver: row.taken_over === true })));
  }

  async release(leases: readonly GrantedLease[]): Promise<Result<void, string>> {
    const released = await this.#connection.query(releaseStatement, [this.#id, toJson(leases)]);
    return released.ok ? ok(undefined) : released;
  }

  async leave(): Promise<Result<void, string>> {
    const left = await this.#connection.query(leaveStatement, [this.#id]);
    return left.ok ? ok(undefined) : left;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}

function toJson(leases: readonly GrantedLease[]): string {
  return JSON.stringify(leases.map(({ cluster, epoch }) => ({ cluster, epoch })));
}

function toGrantedLease({ cluster, epoch }: SqlRow): GrantedLease {
  return { cluster: String(cluster), epoch: Number(epoch) };
}

function toLeaseRow({ owner, since, expires_in: expiresIn, lost_by: lostBy, ...lease }: SqlRow): LeaseRow {
  const times = { since: Number(since), expiresIn: Number(expiresIn) };
  return { ...toGrantedLease(lease), owner: textOrNone(owner), ...times, lostBy: textOrNone(lostBy) };
}

function toReplica(row: SqlRow): LeaseSnapshot['replicas'][number] {
  const { id, name, url, version, fingerprint } = row;
  const [configHash = '', settingsHash = ''] = String(row.config_hash).split(' ');
  return {
    id: String(id),
    name: String(name),
    url: String(url),
    version: String(version),
    configHash,
    settingsHash,
    startedAt: Number(row.started_at),
    seenAt: Number(row.seen_at),
    isLive: row.is_live === true,
    fingerprint: textOrNone(fingerprint),
  };
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
