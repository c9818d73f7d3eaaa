import type { ReplicaRegistration } from '../../src/kernel/ownership.ts';
import { err, ok, type Result } from '../../src/kernel/result.ts';
import { leaseLength } from '../../src/runtime/postgres/held-leases.ts';
import type { LeaseDatabase } from '../../src/runtime/postgres/lease-database.ts';

interface ModelLease {
  owner: string | undefined;
  epoch: number;
  expiresAt: number;
  since: number;
  lostBy: string | undefined;
}

interface ModelReplica {
  readonly registration: ReplicaRegistration;
  readonly startedAt: number;
  seenAt: number;
}

/** Connection of a replica to the model. Both functions are called once for each statement. */
export interface ModelLink {
  /** Resolves when the statement reaches the database; resolves to false if it is lost. */
  readonly arrives: () => Promise<boolean>;
  /** Resolves when the response reaches the replica; resolves to false if it is lost. */
  readonly returns: () => Promise<boolean>;
}

const reliable: ModelLink = { arrives: async () => true, returns: async () => true };

/** The lease tables of a database, by its own clock. */
export class LeaseModel {
  readonly leases = new Map<string, ModelLease>();
  readonly replicas = new Map<string, ModelReplica>();
  /** Number of statements so far. */
  statements = 0;
  /** Error of each statement while the database is unavailable; undefined while it is available. */
  problem: string | undefined;
  /** Error of each write while the database can only be read. */
  writeProblem: string | undefined;
  sharedRows = '';
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns the lease database of a replica. */
  connect(id: string, link: ModelLink = reliable): LeaseDatabase {
    const through = async <T>(statement: () => T, isWrite = true): Promise<Result<T, string>> => {
      if (!(await link.arrives())) return err('the statement was lost');
      this.statements += 1;
      const problem = this.problem ?? (isWrite ? this.writeProblem : undefined);
      if (problem !== undefined) return err(problem);
      const result = statement();
      return (await link.returns()) ? ok(result) : err('the answer was lost');
    };
    return {
      renew: (registration, leases) =>
        through(() => {
          const startedAt = this.replicas.get(id)?.startedAt ?? this.#now();
          this.replicas.set(id, { registration, startedAt, seenAt: this.#now() });
          return leases.filter(({ cluster, epoch }) => this.#renew(cluster, id, epoch));
        }),
      read: () => through(() => this.#read(), false),
      take: (clusters) => through(() => clusters.flatMap((cluster) => this.#take(cluster, id))),
      release: (leases) =>
        through(() => {
          for (const { cluster, epoch } of leases) this.#release(cluster, id, epoch);
        }),
      leave: () =>
        through(() => {
          for (const [cluster, { owner, epoch }] of this.leases) if (owner === id) this.#release(cluster, id, epoch);
          this.replicas.delete(id);
        }),
      close: async () => undefined,
    };
  }

  #renew(cluster: string, id: string, epoch: number): boolean {
    const lease = this.leases.get(cluster);
    if (lease?.owner !== id || lease.epoch !== epoch) return false;
    lease.expiresAt = this.#now() + leaseLength;
    return true;
  }

  #take(cluster: string, id: string) {
    const now = this.#now();
    const lease = this.leases.get(cluster);
    const isOthers = lease?.owner !== undefined && lease.owner !== id;
    if (isOthers && lease.expiresAt > now) return [];
    const epoch = (lease?.epoch ?? 0) + 1;
    const lostBy = isOthers ? lease.owner : undefined;
    this.leases.set(cluster, { owner: id, epoch, expiresAt: now + leaseLength, since: now, lostBy });
    return [{ cluster, epoch, isTakenOver: isOthers }];
  }

  #release(cluster: string, id: string, epoch: number): void {
    const lease = this.leases.get(cluster);
    if (lease?.owner !== id || lease.epoch !== epoch) return;
    this.leases.set(cluster, { ...lease, owner: undefined, since: this.#now(), lostBy: undefined });
  }

  #read() {
    const now = this.#now();
    const leases = [...this.leases].map(([cluster, { expiresAt, ...lease }]) => {
      return { cluster, ...lease, expiresIn: expiresAt - now };
    });
    const replicas = [...this.replicas].map(([id, { registration, ...times }]) => {
      const { name, url, version, configHash, settingsHash } = registration;
      const isLive = now - times.seenAt < leaseLength;
      return { id, name, url, version, configHash, settingsHash, ...times, isLive, fingerprint: undefined };
    });
    return { leases, replicas, peerKey: 'key', sharedRows: this.sharedRows, now };
  }
}

/** Returns what the other replicas know of one. */
export function registrationOf(name: string, clusters: readonly string[], configHash = 'same'): ReplicaRegistration {
  return { name, url: `http://${name}:9916`, version: '1.0.0', clusters, configHash, settingsHash: 's' };
}
