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

/** What a replica knows when it decides. */
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
  /** Clusters that this replica gave up, and that are free since: another one is to take them. */
  readonly givenUp: ReadonlySet<string>;
  /** Whether this replica may take leases that ended without being released. */
  readonly mayTakeEnded: boolean;
  /** Returns how long a cluster has been seen without owner. */
  readonly freeFor: (cluster: string) => Millis;
}

/** What a replica does next. */
export interface LeasePlan {
  readonly take: readonly string[];
  /** Clusters to give up, so that a replica with fewer clusters can take them. */
  readonly giveUp: readonly string[];
}

/** Time after which a replica takes a free lease beyond its fair share: the replicas below theirs do not take it. */
export const unclaimedAfter: Millis = 3000;

/** Fewest clusters above another replica at which one is given up: with one, the same cluster would move back. */
const leastDifference = 2;

/**
 * Plans which free leases to take and which held ones to give up. Each replica takes its fair share, the clusters divided by
 * the live replicas; a replica with more gives clusters up while another one has fewer. What concerns graphwarden itself is not
 * part of the share.
 */
export function planLeases(situation: LeaseSituation): LeasePlan {
  const { wanted, held, leaving, givenUp, freeFor } = situation;
  const free = freeClusters(situation);
  const own = [...held].filter((cluster) => cluster !== selfCluster && !leaving.has(cluster)).length;
  const room = Math.max(0, fairShare(situation) - own);
  const monitored = inTurn(
    free.filter((cluster) => cluster !== selfCluster),
    situation,
  );
  const shared = monitored.filter((cluster) => !givenUp.has(cluster)).slice(0, room);
  const overdue = monitored.filter((cluster) => !shared.includes(cluster) && freeFor(cluster) > unclaimedAfter);
  const self = free.filter((cluster) => cluster === selfCluster);
  const removed = [...held].filter((cluster) => !wanted.includes(cluster) && !leaving.has(cluster));
  const surplus = free.length > 0 || leaving.size > 0 ? [] : surplusClusters(situation);
  return { take: [...self, ...shared, ...overdue], giveUp: [...removed, ...surplus] };
}

/** Returns the wanted clusters that this replica may take. */
function freeClusters({ self, wanted, leases, held, mayTakeEnded }: LeaseSituation): readonly string[] {
  const known = new Map(leases.map((lease) => [lease.cluster, lease]));
  return wanted.filter((cluster) => {
    if (held.has(cluster)) return false;
    const lease = known.get(cluster);
    // A lease of this process that it does not hold: the answer that granted it was lost.
    if (lease?.owner === undefined) return true;
    return mayTakeEnded && (lease.owner === self || lease.expiresIn <= 0);
  });
}

function fairShare({ wanted, peers }: LeaseSituation): number {
  const clusters = wanted.filter((cluster) => cluster !== selfCluster).length;
  return Math.ceil(clusters / Math.max(1, peers.length));
}

/** Orders free clusters by the place of this replica among the others, so that two of them rarely want the same one. */
function inTurn(free: readonly string[], { self, peers }: LeaseSituation): readonly string[] {
  const place = peers.toSorted().indexOf(self);
  const start = Math.floor((free.length * Math.max(0, place)) / Math.max(1, peers.length));
  return [...free.slice(start), ...free.slice(0, start)];
}

/** Returns clusters that another replica is to have: a tenth of the surplus at a time, at least one. */
function surplusClusters(situation: LeaseSituation): readonly string[] {
  const { self, peers, held, wanted } = situation;
  const counts = clusterCounts(situation);
  const own = counts.get(self) ?? 0;
  const least = Math.min(...peers.map((peer) => counts.get(peer) ?? 0));
  if (own - least < leastDifference) return [];
  const share = fairShare(situation);
  // At the share, only one of several replicas gives a cluster up.
  const isFirst = peers.every((peer) => peer === self || (counts.get(peer) ?? 0) < own || self < peer);
  if (own <= share && !isFirst) return [];
  const number = Math.max(1, Math.floor((own - share) / 10));
  const movable = [...held].filter((cluster) => cluster !== selfCluster && wanted.includes(cluster));
  return movable.toSorted().slice(-number);
}

/** Returns the number of clusters of each replica, without what concerns graphwarden itself. */
function clusterCounts({ self, leases, held }: LeaseSituation): ReadonlyMap<string, number> {
  const own = [...held].filter((cluster) => cluster !== selfCluster).length;
  const counts = new Map([[self, own]]);
  for (const { cluster, owner, expiresIn } of leases) {
    if (owner === undefined || owner === self || expiresIn <= 0 || cluster === selfCluster) continue;
    counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  return counts;
}
