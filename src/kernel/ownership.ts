import type { Millis } from './time.ts';

/**
 * Name under which the replicas share what concerns graphwarden itself, such as its own alerts: it is owned like a
 * cluster. Rows about it have an empty cluster.
 */
export const selfCluster = '';

/** A running graphwarden that shares its database with others. Times are ms since the epoch, by the database's clock. */
export interface DaemonReplica {
  /** Unique for each start of the process. */
  readonly id: string;
  readonly name: string;
  /** Address of its API for the other replicas. */
  readonly url: string;
  readonly version: string;
  /** Hash of the configured clusters: replicas with different hashes monitor different clusters. */
  readonly configHash: string;
  /** Hash of the settings that all replicas are to share, apart from the clusters. */
  readonly settingsHash: string;
  readonly startedAt: number;
  readonly seenAt: number;
  /** Whether it renewed its leases within the length of a lease. */
  readonly isLive: boolean;
  /** Whether it is this process. */
  readonly isSelf: boolean;
  /** Number of clusters that it owns. */
  readonly clusters: number;
}

/** Owner of a cluster as of the latest answer of the database. */
export interface ClusterOwner {
  readonly cluster: string;
  /** Id of the replica; undefined if no replica owns the cluster. */
  readonly owner: string | undefined;
  readonly epoch: number;
  /** Since when no replica owns the cluster, or this owner does; ms since the epoch, by the database's clock. */
  readonly since: number;
}

/** Replicas and owners as of the latest answer of the database. */
export interface OwnershipView {
  readonly replicas: readonly DaemonReplica[];
  readonly owners: readonly ClusterOwner[];
  /** The latest lease that a replica did not renew in time and another took over; undefined if there was none lately. */
  readonly lastTakeover: { readonly at: number; readonly from: string } | undefined;
  /** Numbers since the start of this process. */
  readonly counts: LeaseCounts;
  /** Time on the monotonic clock at which the database answered; undefined before the first answer. */
  readonly answeredAt: Millis | undefined;
}

/** Numbers of leases since the start of the process. */
export interface LeaseCounts {
  readonly acquired: number;
  /** Leases that another replica did not renew in time, and this one took over. */
  readonly takenOver: number;
  /** Leases that this replica gave up on purpose. */
  readonly released: number;
  /** Leases that this replica lost because it did not renew them in time. */
  readonly lost: number;
}

/** Where the other replicas reach this process. */
export interface ReplicaAddress {
  readonly url: string;
  /** Returns the SHA-256 fingerprint of the certificate of its listener; absent without TLS. */
  readonly fingerprint?: (() => Promise<string | undefined>) | undefined;
}

/** Registration of this process for other replicas. */
export interface ReplicaRegistration extends ReplicaAddress {
  readonly name: string;
  readonly version: string;
  readonly clusters: readonly string[];
  readonly configHash: string;
  readonly settingsHash: string;
}

/**
 * Port to the ownership of clusters. Each cluster has at most one owner among the replicas; only the owner polls it and acts
 * on it. A lease ends by itself unless it is renewed.
 */
export interface Ownership {
  /** Whether other replicas may own clusters. If not, all clusters are owned for the life of the process. */
  readonly isShared: boolean;
  /** Returns whether this process monitors a cluster: it has the lease, and is not giving it up. */
  owns(cluster: string): boolean;
  /** Time for which the lease of a cluster surely lasts; 0 without a lease, `Infinity` if ownership is not shared. */
  remaining(cluster: string): Millis;
  /**
   * Returns the time for which certainly no other replica notifies about a cluster: while the database answers, the remaining
   * lease; while the database is unavailable to all replicas, longer, because no replica can take the cluster over.
   */
  notifiable(cluster: string): Millis;
  /** Calls the listener after each change of the owned clusters, and of rows that all replicas share. */
  subscribe(listener: OwnershipListener): void;
  /** Takes and renews leases of these clusters from now on; the others are given up. */
  start(registration: ReplicaRegistration): void;
  /** Clusters that are given up or were lost, and that are not taken again before they are released. */
  unreleased(): Iterable<string>;
  /** Ends the leases of clusters at once. Call it after all work for these clusters has ended. */
  release(clusters: readonly string[] | ReadonlySet<string>): Promise<void>;
  /** Takes no further leases. The present ones are renewed until {@link release} or {@link stop}. */
  drain(): void;
  /** Releases all leases. */
  stop(): Promise<void>;
  view(): OwnershipView;
}

/** Receiver of changes of ownership. */
export interface OwnershipListener {
  /** Called when {@link Ownership.owns} changed for a cluster. */
  onOwnershipChange(): void;
  /** Called when another replica may have changed a pause or a silence. */
  onSharedRowsChange(): void;
}

/** Remaining lease that must be exceeded before a request with an effect, such as an abort, is sent. */
export const effectMargin: Millis = 1000;

const notOwned = 'this replica does not own ';

/** Returns the error of a commit to the rows of a cluster that another replica owns. */
export function notOwnedError(cluster: string): string {
  const what = cluster === selfCluster ? 'the alerts about graphwarden itself' : `the cluster '${cluster}'`;
  return `${notOwned}${what}: nothing was written`;
}

/** Whether an error of a commit is no failure of the store: the cluster has another owner, or is being given up. */
export function isNotOwnedError(error: string): boolean {
  return error.startsWith(notOwned);
}

/** Part of {@link Ownership} that requests with an effect need. */
export type EffectOwnership = Pick<Ownership, 'owns' | 'remaining'>;

/** Returns whether a request with an effect on these clusters may be sent now: they are owned, for longer than the margin. */
export function mayAct(ownership: EffectOwnership, clusters: Iterable<string>): boolean {
  for (const cluster of clusters) {
    if (!ownership.owns(cluster) || ownership.remaining(cluster) <= effectMargin) return false;
  }
  return true;
}

/** Part of {@link Ownership} that notifications need. */
export type NotificationOwnership = Pick<Ownership, 'owns' | 'notifiable'>;

/** Returns whether a notification about these clusters may be sent now: certainly no other replica sends it. */
export function mayNotify(ownership: NotificationOwnership, clusters: Iterable<string>): boolean {
  const owns = (cluster: string): boolean => ownership.owns(cluster);
  return mayAct({ owns, remaining: (cluster) => ownership.notifiable(cluster) }, clusters);
}

/**
 * Returns why this process does not act on a cluster: another replica owns it, or none. Undefined if this process owns it.
 */
export function notOwnedMessage(ownership: Ownership | undefined, cluster: string): string | undefined {
  if (ownership?.isShared !== true || ownership.owns(cluster)) return undefined;
  const { owners, replicas } = ownership.view();
  const id = owners.find((one) => one.cluster === cluster)?.owner;
  const replica = replicas.find((one) => one.id === id);
  if (replica === undefined) return `no replica owns the cluster '${cluster}' at present; try again`;
  return `the replica ${replica.name} owns the cluster '${cluster}'; send the request to ${replica.url}`;
}

const noView: OwnershipView = {
  replicas: [],
  owners: [],
  lastTakeover: undefined,
  counts: { acquired: 0, takenOver: 0, released: 0, lost: 0 },
  answeredAt: undefined,
};

/** Ownership of a process that shares its state with no other: it owns every cluster. */
export const soleOwnership: Ownership = {
  isShared: false,
  owns: () => true,
  remaining: () => Number.POSITIVE_INFINITY,
  notifiable: () => Number.POSITIVE_INFINITY,
  subscribe: () => undefined,
  start: () => undefined,
  unreleased: () => [],
  release: async () => undefined,
  drain: () => undefined,
  stop: async () => undefined,
  view: () => noView,
};
