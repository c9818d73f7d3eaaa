import type { Instant, Millis } from '../../kernel/time.ts';
import { type GrantedLease, leaseLength } from './held-leases.ts';

/**
 * Duration of a promise: a replica that cannot reach the database promises to another one to take no expired lease. A replica
 * that just started also waits this long, because an earlier process of its host may have made the promise.
 */
export const promiseLength: Millis = leaseLength;

/** Lease as a replica knows it. */
export interface KnownLease extends GrantedLease {
  /** Whether the lease has not expired, so that its owner may still monitor the cluster. */
  readonly lasts: boolean;
}

/** Answer of a replica to another one that does not reach the database. */
export interface PeerAnswer {
  /** Whether it reaches the database. */
  readonly isConnected: boolean;
  /** Whether it promises to take no expired lease for {@link promiseLength} from now. */
  readonly promises: boolean;
  /** Leases that the requesting replica does not own. */
  readonly leases: readonly KnownLease[];
}

/** Maximum number of leases in an answer. */
const maxLeases = 20_000;

/** Parses the answer of another replica; undefined if it does not have the format of this version. */
export function parseAnswer(text: string): PeerAnswer | undefined {
  const { isConnected, promises, leases } = parseJsonObject(text);
  if (typeof isConnected !== 'boolean' || typeof promises !== 'boolean') return undefined;
  if (!Array.isArray(leases) || leases.length > maxLeases) return undefined;
  const known = leases.flatMap((lease: unknown): KnownLease | readonly [] => toLease(lease) ?? []);
  return known.length === leases.length ? { isConnected, promises, leases: known } : undefined;
}

/** Returns the object of a JSON text; empty if it is none. */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}

function toLease(value: unknown): KnownLease | undefined {
  const { cluster, epoch, lasts } = { cluster: undefined, epoch: undefined, lasts: undefined, ...Object(value) };
  if (typeof cluster !== 'string' || typeof epoch !== 'number' || typeof lasts !== 'boolean') return undefined;
  return { cluster, epoch, lasts };
}

/** Held clusters that another replica took over since. */
export interface TakenClusters {
  /** Clusters whose notifications stop, because another replica owns or owned them. */
  readonly contested: readonly string[];
  /** Clusters that have another owner. */
  readonly lost: readonly string[];
}

/**
 * Returns which held clusters another replica took over, by its answer: the epoch of a lease grows with each owner. If a replica
 * that does not reach the database either knows of another owner, the cluster keeps its poller, because that owner may be gone.
 */
export function takenClusters(held: readonly GrantedLease[], { isConnected, leases }: PeerAnswer): TakenClusters {
  const byCluster = new Map(leases.map((lease) => [lease.cluster, lease]));
  const taken = held.flatMap(({ cluster, epoch }) => {
    const lease = byCluster.get(cluster);
    return lease !== undefined && lease.epoch > epoch ? [{ cluster, isLost: isConnected && lease.lasts }] : [];
  });
  return {
    contested: taken.map(({ cluster }) => cluster),
    lost: taken.filter(({ isLost }) => isLost).map(({ cluster }) => cluster),
  };
}

/** Effect of the latest answer of another replica on this one. */
export interface PeerState {
  /** Time of the request whose answer was a promise; undefined if the latest answer is no promise. */
  readonly promisedSince: Instant | undefined;
  readonly contested: readonly string[];
}

/**
 * Returns the time until the first promise of another replica ends; until then no replica takes the cluster. 0 if one of them
 * did not answer, or reaches the database; infinite without other replicas. Both clocks count, as for leases.
 */
export function promisedTime(
  peers: readonly string[],
  states: ReadonlyMap<string, PeerState>,
  cluster: string,
  now: Instant,
): Millis {
  let least = Number.POSITIVE_INFINITY;
  for (const peer of peers) {
    const { promisedSince: since, contested } = states.get(peer) ?? { promisedSince: undefined, contested: [] };
    if (since === undefined || contested.includes(cluster)) return 0;
    const elapsed = Math.max(now.mono - since.mono, now.wall - since.wall);
    least = Math.min(least, promiseLength - elapsed);
  }
  return Math.max(0, least);
}
