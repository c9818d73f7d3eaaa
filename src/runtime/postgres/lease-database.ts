import type { DaemonReplica, ReplicaRegistration } from '../../kernel/ownership.ts';
import type { Result } from '../../kernel/result.ts';
import type { GrantedLease } from './held-leases.ts';
import type { StoredLease } from './lease-plan.ts';

/** Lease with what the API shows of it. Times are ms since the epoch, by the database's clock. */
export interface LeaseRow extends StoredLease {
  /** When the lease got its present owner, or became free. */
  readonly since: number;
  /** Name of the replica that did not renew the lease before the present owner took it; undefined if it was free. */
  readonly lostBy: string | undefined;
}

/** Replica that registered in the database. */
export interface RegisteredReplica extends Omit<DaemonReplica, 'clusters' | 'isSelf'> {
  /** SHA-256 fingerprint of the certificate of its listener; undefined without TLS. */
  readonly fingerprint: string | undefined;
}

/** State of all leases and replicas, from one read of the database. */
export interface LeaseSnapshot {
  readonly leases: readonly LeaseRow[];
  /** All replicas, without the number of their clusters. */
  readonly replicas: readonly RegisteredReplica[];
  /** Key with which the replicas sign their requests to each other. */
  readonly peerKey: string | undefined;
  /** Changes when a pause or a silence changes. */
  readonly sharedRows: string;
  /** Time of the database, ms since the epoch. */
  readonly now: number;
}

/** Lease that the database granted. */
export interface TakenLease extends GrantedLease {
  /** Whether another replica did not renew it in time. */
  readonly isTakenOver: boolean;
}

/** Statements about leases. Each is one transaction with a time limit; errors are sentences. */
export interface LeaseDatabase {
  /** Registers this replica, and renews those of its leases that are still its own. */
  renew(
    registration: ReplicaRegistration,
    leases: readonly GrantedLease[],
  ): Promise<Result<readonly GrantedLease[], string>>;
  read(): Promise<Result<LeaseSnapshot, string>>;
  /** Takes those of the leases that are free or have ended. */
  take(clusters: readonly string[]): Promise<Result<readonly TakenLease[], string>>;
  /** Frees leases of this replica. */
  release(leases: readonly GrantedLease[]): Promise<Result<void, string>>;
  /** Frees all leases of this replica, and removes it. */
  leave(): Promise<Result<void, string>>;
  close(): Promise<void>;
}
