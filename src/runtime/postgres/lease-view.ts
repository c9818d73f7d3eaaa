import { type ClusterOwner, type DaemonReplica, type OwnershipView, selfCluster } from '../../kernel/ownership.ts';
import type { Millis } from '../../kernel/time.ts';
import type { GrantedLease, HeldLeases } from './held-leases.ts';
import type { LeaseSnapshot } from './lease-database.ts';
import type { KnownLease } from './outage-agreement-rules.ts';

/** How long a takeover is reported. */
const takeoverShown: Millis = 600_000;

/** State of the leases from the view of a replica. */
export interface LeaseViewInput {
  /** Id of this replica. */
  readonly self: string;
  /** Latest answer of the database; undefined before the first one. */
  readonly snapshot: LeaseSnapshot | undefined;
  readonly held: Pick<HeldLeases, 'epochOf'>;
  /** Clusters of the configuration. */
  readonly wanted: readonly string[];
}

/** Returns replicas and owners by the latest answer of the database, with what this process took or lost since. */
export function ownershipViewOf(input: LeaseViewInput): Pick<OwnershipView, 'replicas' | 'owners' | 'lastTakeover'> {
  const { snapshot, self } = input;
  if (snapshot === undefined) return { replicas: [], owners: [], lastTakeover: undefined };
  const owners = ownersOf(input, snapshot);
  const replicas = snapshot.replicas.map(({ fingerprint: _fingerprint, ...replica }): DaemonReplica => {
    const clusters = owners.filter(({ cluster, owner }) => owner === replica.id && cluster !== selfCluster).length;
    return { ...replica, clusters, isSelf: replica.id === self };
  });
  return { replicas, owners, lastTakeover: lastTakeover(snapshot) };
}

function ownersOf({ self, held, wanted }: LeaseViewInput, { leases }: LeaseSnapshot): readonly ClusterOwner[] {
  const byCluster = new Map(leases.map((lease) => [lease.cluster, lease]));
  return [...new Set([...wanted, ...byCluster.keys()])].map((cluster) => {
    const { owner, epoch = 0, since = 0, expiresIn = 0 } = byCluster.get(cluster) ?? {};
    const isHeld = held.epochOf(cluster) !== undefined;
    const other = owner === self || expiresIn <= 0 ? undefined : owner;
    return { cluster, owner: isHeld ? self : other, epoch, since };
  });
}

function lastTakeover({ leases, now }: LeaseSnapshot): OwnershipView['lastTakeover'] {
  const found = leases.flatMap(({ since, lostBy }) => (lostBy === undefined ? [] : [{ at: since, from: lostBy }]));
  const recent = found.filter(({ at }) => now - at < takeoverShown);
  return recent.toSorted((one, other) => other.at - one.at)[0];
}

/**
 * Returns the leases that `replica` does not own: those of this process, and those of further replicas by an answer of the database
 * that is `elapsed` ms old.
 */
export function leasesNotOwnedBy(
  replica: string,
  own: readonly GrantedLease[],
  read: LeaseSnapshot['leases'],
  elapsed: Millis,
): readonly KnownLease[] {
  const isOwn = new Set(own.map(({ cluster }) => cluster));
  const others = read.filter(({ cluster, owner }) => owner !== undefined && owner !== replica && !isOwn.has(cluster));
  return [
    ...own.map(({ cluster, epoch }) => ({ cluster, epoch, lasts: true })),
    ...others.map(({ cluster, epoch, expiresIn }) => ({ cluster, epoch, lasts: expiresIn > elapsed })),
  ];
}
