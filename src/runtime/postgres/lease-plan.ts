import { selfCluster } from '../../kernel/ownership.ts';
import type { Millis } from '../../kernel/time.ts';

/** Lease of a cluster, as the database knows it. */
export interface StoredLease {
  readonly cluster: string;
  /** Id of the replica; undefined if the lease is free. */
  readonly owner: string | undefined;
  readonly epoch: number;
  /** Time until the lease ends, by the database's clock; negative if it has ended. */
  readonly expiresIn: Millis;
}

/** Input of the lease plan of a replica. */
export interface LeaseSituation {
  /** Id of this replica. */
  readonly self: string;
  /** Ids of the live replicas that monitor the same clusters, this one included, in any order. */
  readonly peers: readonly string[];
  /** Clusters of the configuration. */
  readonly wanted: readonly string[];
  readonly leases: readonly StoredLease[];
  /** Clusters whose leases this replica holds. */
  readonly held: ReadonlySet<string>;
  /** Held clusters that are being given up. */
  readonly leaving: ReadonlySet<string>;
  /** Clusters that this replica gave up and that are still free, for another replica to take. */
  readonly givenUp: ReadonlySet<string>;
  /** Whether this replica may take leases that ended without being released. */
  readonly mayTakeEnded: boolean;
  /** Returns how long a cluster has been seen without owner. */
  readonly freeFor: (cluster: string) => Millis;
}

/** Leases that a replica takes and releases next. */
export interface LeasePlan {
  readonly take: readonly string[];
  /** Clusters to give up, so that a replica with fewer clusters can take them. */
  readonly giveUp: readonly string[];
}

/** Time after which a replica takes a free lease beyond its fair share, because no replica below its share took it. */
export const unclaimedAfter: Millis = 3000;

/**
 * Maximum number of leases that are taken at a time: replicas that start one after the other share the clusters from the
 * beginning, and the first polls of many clusters do not block the event loop.
 */
const maxTaken = 20;

/** A replica at its share gives a cluster up if it has at least this many more than another one. With 1, the cluster would move back and forth. */
const minDifference = 2;

/** Minimum number of steps in which a surplus is given up, so that a new replica does not start all polls at once. */
const surplusParts = 4;

/** Maximum number of clusters that a replica below its share gets at a time. The first polls of more would delay each other. */
const maxReceived = 2;

/**
 * Plans which free leases to take and which held ones to give up. Each replica takes its fair share, the clusters divided by
 * the live replicas; a replica with more gives clusters up while another one has fewer. The lease for alerts about graphwarden
 * itself is not part of the share.
 */
export function planLeases(situation: LeaseSituation): LeasePlan {
  const { wanted, held, leaving, givenUp, freeFor } = situation;
  const free = freeClusters(situation);
  const own = [...held].filter((cluster) => cluster !== selfCluster && !leaving.has(cluster)).length;
  const capacity = Math.max(0, fairShare(situation) - own);
  const monitored = rotateByRank(
    free.filter((cluster) => cluster !== selfCluster),
    situation,
  );
  const shared = monitored.filter((cluster) => !givenUp.has(cluster)).slice(0, capacity);
  const overdue = monitored.filter((cluster) => !shared.includes(cluster) && freeFor(cluster) > unclaimedAfter);
  const self = free.filter((cluster) => cluster === selfCluster);
  const removed = [...held].filter((cluster) => !wanted.includes(cluster) && !leaving.has(cluster));
  const surplus = leaving.size > 0 ? [] : surplusClusters(situation, free.length > 0);
  return { take: [...self, ...shared, ...overdue].slice(0, maxTaken), giveUp: [...removed, ...surplus] };
}

/** Returns the wanted clusters that this replica may take. */
function freeClusters({ self, wanted, leases, held, mayTakeEnded }: LeaseSituation): readonly string[] {
  const byCluster = new Map(leases.map((lease) => [lease.cluster, lease]));
  return wanted.filter((cluster) => {
    if (held.has(cluster)) return false;
    const lease = byCluster.get(cluster);
    if (lease?.owner === undefined) return true;
    // A lease that this process owns but does not hold: the response that granted it was lost.
    return mayTakeEnded && (lease.owner === self || lease.expiresIn <= 0);
  });
}

function fairShare({ wanted, peers }: LeaseSituation): number {
  const clusters = wanted.filter((cluster) => cluster !== selfCluster).length;
  return Math.ceil(clusters / Math.max(1, peers.length));
}

/** Orders free clusters by the rank of this replica among the others, so that two replicas rarely take the same cluster. */
function rotateByRank(free: readonly string[], { self, peers }: LeaseSituation): readonly string[] {
  const rank = peers.toSorted().indexOf(self);
  const start = Math.floor((free.length * Math.max(0, rank)) / Math.max(1, peers.length));
  return [...free.slice(start), ...free.slice(0, start)];
}

/** Returns the clusters to give up to other replicas. */
function surplusClusters(situation: LeaseSituation, hasFree: boolean): readonly string[] {
  const movable = monitoredClusters(situation);
  const number = surplusNumber(situation, hasFree);
  return number === 0 ? [] : movable.toSorted().slice(-number);
}

/** Returns the number of clusters to give up now. All replicas above their share together give up what the others lack. */
function surplusNumber(situation: LeaseSituation, hasFree: boolean): number {
  const { self, peers } = situation;
  const counts = clusterCounts(situation);
  const countOf = (peer: string): number => counts.get(peer) ?? 0;
  const [own, share] = [countOf(self), fairShare(situation)];
  if (own > share) {
    const receivers = peers.filter((peer) => countOf(peer) < share).length;
    const givers = peers.filter((peer) => countOf(peer) > share).length;
    return Math.ceil(Math.min((own - share) / surplusParts, (maxReceived * receivers) / givers));
  }
  // The share is rounded up. Of the replicas that have exactly their share, only the first one with the most clusters gives one up.
  const isFirst = peers.every((peer) => countOf(peer) < own || (countOf(peer) === own && self <= peer));
  return !hasFree && isFirst && peers.some((peer) => own - countOf(peer) >= minDifference) ? 1 : 0;
}

/** Returns the held clusters of the configuration, without the lease for graphwarden itself. */
function monitoredClusters({ held, wanted }: LeaseSituation): readonly string[] {
  const configured = new Set(wanted);
  return [...held].filter((cluster) => cluster !== selfCluster && configured.has(cluster));
}

/** Returns the number of clusters of each replica, without the lease for graphwarden itself. */
function clusterCounts(situation: LeaseSituation): ReadonlyMap<string, number> {
  const { self, leases, wanted } = situation;
  const configured = new Set(wanted);
  const counts = new Map([[self, monitoredClusters(situation).length]]);
  for (const { cluster, owner, expiresIn } of leases) {
    if (owner === undefined || owner === self || expiresIn <= 0 || cluster === selfCluster) continue;
    if (!configured.has(cluster)) continue;
    counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  return counts;
}
