import type { Instant, Millis } from '../../kernel/time.ts';
import { type GrantedLease, leaseLength } from './held-leases.ts';

/**
 * Time for which a replica that does not reach the database takes no lease that has ended, from its answer to another one. A
 * replica that just started waits as long: an earlier process of its host may have promised it.
 */
export const promiseLength: Millis = leaseLength;

/** Lease as a replica knows it. */
export interface KnownLease extends GrantedLease {
  /** Whether its owner may still monitor the cluster. */
  readonly lasts: boolean;
}

/** Answer of a replica to another one that does not reach the database. */
export interface PeerAnswer {
  /** Whether it reaches the database. */
  readonly isConnected: boolean;
  /** Whether it takes no lease that has ended for {@link promiseLength} from now. */
  readonly promises: boolean;
  /** Leases that the other one does not own. */
  readonly leases: readonly KnownLease[];
}

/** Most leases of an answer. */
const maxLeases = 20_000;

/** Returns the answer of a text of another replica; undefined if it is not one of this version. */
export function parseAnswer(text: string): PeerAnswer | undefined {
  const { isConnected, promises, leases } = parseObject(text);
  if (typeof isConnected !== 'boolean' || typeof promises !== 'boolean') return undefined;
  if (!Array.isArray(leases) || leases.length > maxLeases) return undefined;
  const known = leases.flatMap((lease: unknown): KnownLease | readonly [] => toLease(lease) ?? []);
  return known.length === leases.length ? { isConnected, promises, leases: known } : undefined;
}

/** Returns the object of a JSON text; empty if it is none. */
export function parseObject(text: string): Readonly<Record<string, unknown>> {
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
  /** Notifications of these stop: another replica owns them, or did. */
  readonly contested: readonly string[];
  /** These have another owner. */
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
 * Returns for how long no replica surely takes a cluster: each of them promised it. 0 if one did not answer, or reaches the database.
 * Without other replicas, there is no limit. Both clocks count, as for leases.
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
